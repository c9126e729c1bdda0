import { attachView, conciergeStatus } from '../../core/fleet/concierge-view.ts';
import type { FleetAsks } from '../fleet/asks/fleet-asks.ts';
import type { FleetDeps } from '../fleet/fleet-deps.ts';
import { showLog } from '../fleet/log/fleet-log.ts';
import { type LogQuery, readKinds } from '../fleet/log/log-query.ts';
import { plainText } from '../fleet/plain-text.ts';
import { codeBlock, inline } from '../views/view.ts';
import type { Command, CommandRequest, CommandResult } from './command.ts';
import { byOf, type FleetCommandMaker, isSession } from './fleet-command.ts';

export interface ConciergeCommandDeps extends FleetDeps {
	readonly make: FleetCommandMaker;
	readonly asks: Pick<FleetAsks, 'ask'>;
}

const INLINE_MAX = 1_800;

/** `/concierge …`, `/ask`, `/log`. */
export function createConciergeCommands(deps: ConciergeCommandDeps): readonly Command[] {
	const { make, ports, clock, log } = deps;
	const { conciergeDesk } = ports;

	const ask = async (request: CommandRequest): Promise<CommandResult> => {
		const { t, channelId, interactionId, language } = request;
		const text = request.text('question')?.trim() ?? '';
		if (text === '') return { refused: 'fleet.ask.empty' };
		const asked = await deps.asks.ask({ id: `c-${interactionId}`, by: byOf(request), text, channelId, language });
		if (asked.kind === 'queued')
			return { content: t('fleet.ask.queued', { where: `<#${asked.channelId}>`, question: inline(text, 300) }) };
		if (asked.kind === 'off') return { content: `${t('fleet.ask.off')}\n${asked.plain}` };
		if (asked.kind === 'duplicate') return { content: t('fleet.ask.known') };
		return { refused: asked.kind === 'full' ? 'fleet.ask.full' : 'fleet.ask.empty' };
	};

	const readLog = async (request: CommandRequest, isOwn: boolean): Promise<CommandResult> => {
		const { kinds, unknown } = readKinds(request.text('kinds') ?? '');
		if (unknown.length > 0)
			return { refused: 'fleet.cmd.log.unknownKind', vars: { words: inline(unknown.join(', '), 200) } };
		const session = await make.named(request);
		if (session !== undefined && !isSession(session)) return session;
		const query: LogQuery = { isOwn, kinds, ...(session === undefined ? {} : { sessionId: session.id }) };
		return showLog({ feed: ports.feed, concierge: ports.concierge, clock }, query, request.language);
	};

	return [
		make.plain(
			{ path: 'concierge on', help: 'fleet.cmd.help.on', example: '/concierge on' },
			'control',
			async (request) => {
				const done = await conciergeDesk.on(byOf(request));
				log.info({ by: request.person.id, done }, 'concierge switched on');
				const noModel = ports.price().id === undefined ? ` ${request.t('fleet.cmd.noModel')}` : '';
				return { content: `${request.t(done ? 'fleet.cmd.on' : 'fleet.cmd.onAlready')}${noModel}` };
			},
		),
		make.plain(
			{ path: 'concierge off', help: 'fleet.cmd.help.off', example: '/concierge off' },
			'control',
			async (request) => {
				const { t, person } = request;
				if (request.text('forget') === 'true') {
					await conciergeDesk.remove(byOf(request));
					log.info({ by: person.id }, 'concierge removed');
					return { content: t('fleet.cmd.removed') };
				}
				const done = await conciergeDesk.off(byOf(request));
				log.info({ by: person.id, done }, 'concierge switched off');
				return { content: t(done ? 'fleet.cmd.off' : 'fleet.cmd.offAlready') };
			},
		),
		make.plain(
			{ path: 'concierge status', help: 'fleet.cmd.help.status', example: '/concierge status' },
			'look',
			async () => {
				const { state } = await ports.concierge.read();
				const facts = await ports.feed.facts(state.cursor, state.id);
				const { concierge, timeZone } = deps.settings().fleet;
				const text = conciergeStatus(state, facts, ports.price(), concierge, timeZone, clock.now());
				return { content: plainText(text, INLINE_MAX) };
			},
		),
		make.plain({ path: 'concierge log', help: 'fleet.cmd.help.ownLog', example: '/concierge log' }, 'look', (request) =>
			readLog(request, true),
		),
		make.plain(
			{ path: 'concierge ask', help: 'fleet.cmd.help.ask', example: '/concierge ask question:What is blocked?' },
			'ask',
			ask,
		),
		make.plain(
			{ path: 'concierge attach', help: 'fleet.cmd.help.attach', example: '/concierge attach' },
			'look',
			async ({ t }) => {
				const text = attachView(await ports.memory.read(), clock.now());
				if (text.length <= INLINE_MAX - 200)
					return { content: `${t('fleet.cmd.attach')}\n${codeBlock(text, INLINE_MAX)}` };
				return { content: t('fleet.cmd.attach'), files: [{ name: 'concierge-memory.txt', text }] };
			},
		),
		make.plain({ path: 'ask', help: 'fleet.cmd.help.ask', example: '/ask question:What is blocked?' }, 'ask', ask),
		make.plain(
			{ path: 'log', help: 'fleet.cmd.help.log', example: '/log session:api-fix kinds:questions, failed' },
			'look',
			(request) => readLog(request, false),
		),
	];
}
