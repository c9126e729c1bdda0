import { canDo } from '../../core/access/permissions.ts';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { IntakeSummary } from '../../core/intake/intake-store.ts';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { CardKeeper } from '../intake/card-keeper.ts';
import type { IntakePorts } from '../intake/intake-ports.ts';
import type { SessionReader } from '../intake/session-reader.ts';
import type { StartIntake } from '../intake/start-intake.ts';
import type { Suggestions } from '../intake/suggestions.ts';
import type { ThreadIndex } from '../intake/thread-index.ts';
import { intakeAuditView, intakeListView, intakeStatusView } from '../intake/views/lookups.ts';
import { errorView, unavailableView } from '../intake/views/said-once.ts';
import { startedView } from '../intake/views/started.ts';
import type { View } from '../views/view.ts';
import type { Command, CommandDeps, CommandRequest, CommandResult } from './command.ts';

export interface IntakeCommandDeps {
	readonly ports: IntakePorts;
	readonly reader: SessionReader;
	readonly threads: ThreadIndex;
	readonly cards: CardKeeper;
	readonly start: StartIntake;
	readonly suggestions: Suggestions;
}

/** A session that a command is about, and whether the person is its owner or an operator. */
interface Meant {
	readonly id: string;
	readonly session: IntakeSession | undefined;
	readonly isOwner: boolean;
	readonly isOperator: boolean;
}

/** `/intake …`. The bare `/intake start` opens a form and never gets here. */
export function createIntakeCommands(deps: IntakeCommandDeps): readonly Command[] {
	const { ports, reader, cards } = deps;

	/** The one that is named, else that of the thread, else the only one of the person that still runs. */
	const idOf = async ({ text, channelId, person }: CommandRequest): Promise<string | undefined> => {
		const named = text('id')?.trim();
		if (named !== undefined && named !== '') return /^[A-Za-z0-9_-]{1,40}$/.test(named) ? named : undefined;
		const here = await deps.threads.find(channelId);
		if (here !== undefined) return here;
		const own = await ports.store.list({ requesterId: person.id, limit: 25 });
		const running = own.filter(({ state }) => state !== 'COMPLETE' && state !== 'CANCELLED');
		const candidates = running.length > 0 ? running : own;
		return candidates.length === 1 ? candidates[0]?.id : undefined;
	};

	const meant = async (request: CommandRequest, { settings }: CommandDeps): Promise<Meant | CommandResult> => {
		const id = await idOf(request);
		if (id === undefined) return { refused: request.text('id') === undefined ? 'intake.whichOne' : 'intake.unknown' };
		const found = await reader.read(id);
		if (found === 'gone') return { refused: 'intake.unknown' };
		const isOperator = canDo('intake.manage', request.person, settings().discord).allowed;
		if (found === 'corrupt') {
			// Its owner cannot be read any more, so that only operators may clear it away.
			return isOperator
				? { id, session: undefined, isOwner: false, isOperator }
				: errorView('E15', undefined, request.t);
		}
		return { id, session: found, isOwner: found.requesterId === request.person.id, isOperator };
	};

	/** A command about one session, for its owner; `operators`: for them as well. */
	const about = (
		command: Omit<Command, 'run' | 'action'>,
		operators: 'too' | 'not',
		run: (meant: Meant, request: CommandRequest, deps: CommandDeps) => Promise<CommandResult>,
	): Command => ({
		...command,
		action: 'intake.use',
		async run(request, commandDeps) {
			const found = await meant(request, commandDeps);
			if (!('isOwner' in found)) return found;
			const isCoOwner = found.session?.coOwnerIds.includes(request.person.id) ?? false;
			const isAllowed = found.isOwner || (operators === 'too' && (found.isOperator || isCoOwner));
			return isAllowed ? run(found, request, commandDeps) : { refused: 'intake.notYours' };
		},
	});

	const submit = async ({ id }: Meant, event: IntakeEvent, done: View, { t }: CommandRequest): Promise<View> => {
		const result = await ports.desk.submit(id, event);
		cards.touch(id);
		if (result.kind === 'unavailable') return unavailableView(result.reason, result.kept, t);
		if (result.kind === 'unknown') return { content: t('intake.gone') };
		return result.kind === 'duplicate' ? { content: t('intake.got.nothing') } : done;
	};

	const summaryOf = async (session: IntakeSession): Promise<IntakeSummary | undefined> => {
		const list = await ports.store.list({ requesterId: session.requesterId, limit: 100 });
		return list.find(({ id }) => id === session.id);
	};

	const cancelEvent = ({ isOwner }: Meant, { interactionId, person }: CommandRequest): IntakeEvent => ({
		kind: 'cancel',
		id: `f-${interactionId}`,
		...(isOwner ? { author: { id: person.id, bot: false }, reason: 'discarded' } : { reason: 'operator' }),
	});

	return [
		{
			path: 'intake start',
			action: 'intake.use',
			help: 'command.intake.start',
			example: '/intake start intent:A shop for mugs',
			async run({ t, text, channelId, person, interactionId, locale }) {
				const intent = text('intent') ?? '';
				const onceId = `f-${interactionId}`;
				return startedView(
					await deps.start({ channelId, personId: person.id, text: intent, onceId, locale }),
					intent,
					t,
				).view;
			},
		},
		about(
			{ path: 'intake status', help: 'command.intake.status', example: '/intake status' },
			'too',
			async ({ session }, { t }, { settings }) =>
				session === undefined
					? errorView('E15', undefined, t)
					: intakeStatusView(session, await summaryOf(session), settings().intake, t),
		),
		{
			path: 'intake list',
			action: 'intake.use',
			help: 'command.intake.list',
			example: '/intake list',
			async run({ t, person }) {
				deps.suggestions.refresh(person.id);
				return intakeListView(await ports.store.list({ requesterId: person.id, limit: 25 }), t);
			},
		},
		about(
			{ path: 'intake cancel', help: 'command.intake.cancel', example: '/intake cancel' },
			'too',
			async (found, request) => {
				const { t, person } = request;
				const state = found.session?.state;
				if (state === 'COMPLETE' || state === 'CANCELLED')
					return { refused: 'intake.over', vars: { state: t(`intake.state.${state}`) } };
				if (!found.isOwner && !found.isOperator) return { refused: 'intake.notYours' };
				return submit(found, cancelEvent(found, { ...request, person }), { content: t('intake.got.cancel') }, request);
			},
		),
		about(
			{ path: 'intake export', help: 'command.intake.export', example: '/intake export' },
			'not',
			async ({ id }, { t }) => ({
				content: t('intake.export.here', { id }),
				files: [
					{ name: `intake-${id}.json`, text: `${JSON.stringify(await ports.store.exportAll(id), null, '\t')}\n` },
				],
			}),
		),
		about(
			{ path: 'intake keep', help: 'command.intake.keep', example: '/intake keep' },
			'not',
			async ({ id }, { t }, { settings, clock }) => {
				const { allowKeep, keepMs } = settings().intake.retention;
				if (!allowKeep) return { refused: 'intake.keepNotAllowed' };
				const until = clock.now() + keepMs;
				if (!(await ports.store.keep(id, until))) return { refused: 'intake.gone' };
				return { content: t('intake.got.keep', { until: `<t:${Math.floor(until / 1_000)}:f>` }) };
			},
		),
		about(
			{ path: 'intake delete', help: 'command.intake.delete', example: '/intake delete' },
			'too',
			async (found, request, { log }) => {
				if (!found.isOwner && !found.isOperator) return { refused: 'intake.notYours' };
				const { session, id } = found;
				const isAlive = session !== undefined && session.state !== 'COMPLETE' && session.state !== 'CANCELLED';
				if (isAlive) await ports.desk.submit(id, cancelEvent(found, request));
				if (!(await ports.store.delete(id))) return { refused: 'intake.gone' };
				if (session !== undefined) await cards.forget(session);
				reader.forget(id);
				log.info({ by: request.person.id, sessionId: id }, 'an intake was deleted');
				return { content: request.t('intake.got.delete') };
			},
		),
		about(
			{ path: 'intake invite', help: 'command.intake.invite', example: '/intake invite person:@sam' },
			'not',
			async (found, request): Promise<CommandResult> => {
				const { t, text, interactionId, person } = request;
				const personId = text('person') ?? '';
				const state = found.session?.state;
				if (state === 'HANDOVER' || state === 'COMPLETE' || state === 'CANCELLED')
					return { refused: 'intake.inviteTooLate', vars: { state: t(`intake.state.${state}`) } };
				if (found.session?.coOwnerIds.includes(personId) || personId === found.session?.requesterId)
					return { refused: 'intake.invitedBefore', vars: { person: `<@${personId}>` } };
				const author = { id: person.id, bot: false };
				const done = { content: t('intake.got.invite', { person: `<@${personId}>` }) };
				return submit(found, { kind: 'invite', id: `f-${interactionId}`, author, personId }, done, request);
			},
		),
		{
			path: 'intake audit',
			action: 'intake.audit',
			help: 'command.intake.audit',
			example: '/intake audit',
			async run(request) {
				const id = await idOf(request);
				if (id === undefined)
					return { refused: request.text('id') === undefined ? 'intake.whichOne' : 'intake.unknown' };
				return intakeAuditView(id, await ports.audit.query({ sessionId: id, limit: 200 }), request.t);
			},
		},
	];
}
