import { resolveSession, unresolvedText } from '../../core/fleet/resolve-session.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { Presser } from '../../core/fleet/settle-question.ts';
import { type FleetAction, mayFleet } from '../../core/fleet/trust.ts';
import type { FleetDeps } from '../fleet/fleet-deps.ts';
import { inline } from '../views/view.ts';
import type { Command, CommandRequest, CommandResult } from './command.ts';

const SESSIONS_MAX = 1_000;

type Told = Pick<Command, 'path' | 'help' | 'example'>;

/** Makes commands about the fleet: rights and names are the same for all of them. */
export interface FleetCommandMaker {
	/** A command that is about the fleet as a whole. */
	plain(told: Told, action: FleetAction, run: (request: CommandRequest) => Promise<CommandResult>): Command;
	/** A command about one session: the one that is named, else that of the thread it is used in. */
	about(
		told: Told,
		action: FleetAction,
		run: (session: FleetSession, request: CommandRequest) => Promise<CommandResult>,
	): Command;
	/** The session that an option names; undefined: none is named. */
	named(request: CommandRequest): Promise<FleetSession | CommandResult | undefined>;
}

export function createFleetCommandMaker(
	deps: Pick<FleetDeps, 'ports' | 'settings' | 'log'> & {
		readonly sessionOf: (threadId: string) => Promise<string | undefined>;
	},
): FleetCommandMaker {
	const { ports, log } = deps;

	const may = (action: FleetAction, { person }: Pick<CommandRequest, 'person'>, session: FleetSession | undefined) => {
		const { discord, fleet } = deps.settings();
		return mayFleet(action, person, session, discord, fleet);
	};

	const refuse = (path: string, action: FleetAction, { person }: CommandRequest): CommandResult => {
		log.info({ by: person.id, path, action }, 'refused: not allowed');
		return { refused: 'fleet.cmd.refused' };
	};

	const named: FleetCommandMaker['named'] = async (request) => {
		const query = request.text('session')?.trim() ?? '';
		if (query === '') return undefined;
		const resolved = resolveSession(query, await ports.sessions.list(SESSIONS_MAX));
		if (resolved.kind === 'one') return resolved.session;
		const why = inline(unresolvedText(query, resolved), 1_500);
		return { refused: 'fleet.cmd.notOne', vars: { why } };
	};

	/** Of the thread that the command is used in. */
	const here = async ({ channelId }: CommandRequest): Promise<FleetSession | undefined> => {
		const id = await deps.sessionOf(channelId);
		return id === undefined ? undefined : (await ports.sessions.load(id, [], [])).session;
	};

	/** What nobody but operators may do is of no use to others; a session of one's own may come any time. */
	const isFor = (action: FleetAction): Command['isFor'] =>
		action === 'start' || action === 'control' ? (person) => may(action, { person }, undefined) : undefined;

	const base = (told: Told, action: FleetAction) => {
		const only = isFor(action);
		return { ...told, ...(only === undefined ? {} : { isFor: only }) };
	};

	return {
		named,
		plain: (told, action, run) => ({
			...base(told, action),
			run: async (request) => (may(action, request, undefined) ? run(request) : refuse(told.path, action, request)),
		}),
		about: (told, action, run) => ({
			...base(told, action),
			async run(request) {
				const found = (await named(request)) ?? (await here(request));
				if (found === undefined) return { refused: 'fleet.cmd.whichOne' };
				if (!isSession(found)) return found;
				return may(action, request, found) ? run(found, request) : refuse(told.path, action, request);
			},
		}),
	};
}

export function isSession(found: FleetSession | CommandResult): found is FleetSession {
	return 'nativeId' in found;
}

export function byOf({ person, personName }: CommandRequest): Presser {
	return { whoId: person.id, who: personName };
}
