import type { PendingAsk, WakeWhy } from './concierge-state.ts';
import { type HubArguments, readHubArguments } from './hub-arguments.ts';
import { HUB_TOOLS, type HubTool, isHubTool, type ProposedHubCall } from './hub-call.ts';
import { namedSessions, namesEverybody } from './named-sessions.ts';
import { resolveSession, unresolvedText } from './resolve-session.ts';
import { type FleetSession, hasEnded } from './session.ts';
import type { Watch } from './watch.ts';

/** The turn in which a call is made: where its rights come from. */
export interface HubTurn {
	readonly why: WakeWhy;
	/** The person's question, in a turn of that kind. */
	readonly ask: PendingAsk | undefined;
	/** Watches that fired in this digest. */
	readonly fired: readonly Watch[];
	/** What this turn did already. */
	readonly sentTo: readonly string[];
	readonly notified: number;
}

export interface HubScene {
	readonly isOn: boolean;
	readonly sessions: readonly FleetSession[];
}

export type HubRefusal = {
	readonly ok: false;
	readonly code:
		| 'off'
		| 'unknown_tool'
		| 'invalid_args'
		| 'self'
		| 'unknown_session'
		| 'ambiguous'
		| 'gone'
		| 'blocked'
		| 'not_asked'
		| 'limit'
		| 'no_sessions';
	readonly text: string;
};

/** A call that may be made, with the session it is about. */
export type GuardedHubCall = HubArguments & {
	readonly session: FleetSession | undefined;
	/** `hub_send`, `hub_watch`: the person whose wish it is. */
	readonly askedBy: { readonly who: string; readonly whoId: string; readonly text: string } | undefined;
};

const SENDS_MAX = 5;
const NOTICES_MAX = 5;

/** Why a tool cannot be used in this turn at all; undefined when it can. What is refused here is not even offered. */
export function guardHubTool(tool: HubTool, scene: HubScene, turn: HubTurn): HubRefusal | undefined {
	if (!scene.isOn) return refuse('off', 'The concierge was switched off.');
	const needsSession = tool === 'hub_read' || tool === 'hub_send' || tool === 'hub_watch';
	if (needsSession && scene.sessions.length === 0) return refuse('no_sessions', 'There are no sessions.');
	if (tool === 'hub_notify' && turn.notified >= NOTICES_MAX) {
		return refuse('limit', `At most ${NOTICES_MAX} notices in one turn.`);
	}
	if (tool !== 'hub_send') return undefined;
	if (turn.sentTo.length >= SENDS_MAX) return refuse('limit', `At most ${SENDS_MAX} messages in one turn.`);
	if (turn.ask !== undefined || turn.fired.some(({ askedBy }) => askedBy !== undefined)) return undefined;
	return refuse('not_asked', 'Messages are relayed only when a person asks for it. Nobody did in this turn.');
}

/** Tools to offer in this turn. */
export function offeredTools(scene: HubScene, turn: HubTurn): HubTool[] {
	return HUB_TOOLS.filter((tool) => guardHubTool(tool, scene, turn) === undefined);
}

/**
 * The rules of a call, asked again right before it is made, with the fleet as it then is. Rights to relay come from a person
 * and from nowhere else: the person's words in this turn must name the session (or a watch that a person's words set must
 * have fired), whatever a transcript, a summary or the model itself says.
 */
export function guardHubCall(
	call: ProposedHubCall,
	scene: HubScene,
	turn: HubTurn,
): ({ readonly ok: true } & GuardedHubCall) | HubRefusal {
	if (!isHubTool(call.tool)) {
		return refuse('unknown_tool', `There is no tool of that name. There are: ${HUB_TOOLS.join(', ')}.`);
	}
	const barred = guardHubTool(call.tool, scene, turn);
	if (barred !== undefined) return barred;
	const read = readHubArguments(call.tool, call.args);
	if (!read.ok) return refuse('invalid_args', `${read.why}. Usage is in the list of tools.`);
	const { ok: _, ...made } = read;
	const query = made.tool === 'hub_send' ? made.args.to : made.tool === 'hub_sessions' ? undefined : made.args.id;
	if (query === undefined) return { ok: true, ...made, session: undefined, askedBy: undefined };
	const resolved = resolveSession(query, scene.sessions);
	if (resolved.kind !== 'one') {
		const code = resolved.kind === 'none' ? 'unknown_session' : resolved.kind;
		return refuse(code, unresolvedText(query, resolved));
	}
	const { session } = resolved;
	const person = turn.ask && { who: turn.ask.who, whoId: turn.ask.whoId, text: turn.ask.text };
	if (made.tool === 'hub_watch') {
		if (hasEnded(session)) return gone(session);
		return { ok: true, ...made, session, askedBy: person };
	}
	if (made.tool !== 'hub_send') return { ok: true, ...made, session, askedBy: undefined };
	const right = relayRight(session, scene, turn);
	return right.ok ? { ok: true, ...made, session, askedBy: right.askedBy } : right;
}

/** Who may be thanked for a relay to this session, or why it is refused. */
function relayRight(
	session: FleetSession,
	scene: HubScene,
	turn: HubTurn,
): { readonly ok: true; readonly askedBy: GuardedHubCall['askedBy'] } | HubRefusal {
	if (hasEnded(session)) return gone(session);
	if (turn.sentTo.includes(session.id)) return refuse('limit', `${session.name} got a message in this turn already.`);
	const waits = session.state === 'waiting' || session.openQuestions.length > 0;
	const asked = (text: string) => namedSessions(text, scene.sessions).has(session.id);
	if (turn.ask !== undefined && asked(turn.ask.text)) return { ok: true, askedBy: turn.ask };
	if (waits) {
		return refuse(
			'blocked',
			`${session.name} waits for an answer to its own question. Only people answer it; nothing is sent to it now.`,
		);
	}
	if (turn.ask !== undefined && namesEverybody(turn.ask.text)) return { ok: true, askedBy: turn.ask };
	const watch = turn.fired.find(({ askedBy }) => askedBy !== undefined && asked(askedBy.text));
	if (watch !== undefined) return { ok: true, askedBy: watch.askedBy };
	return refuse(
		'not_asked',
		`Nobody asked for a message to ${session.name} in this turn. A person must name the session.`,
	);
}

function gone(session: FleetSession): HubRefusal {
	return refuse('gone', `${session.name} has ended. List the sessions again.`);
}

function refuse(code: HubRefusal['code'], text: string): HubRefusal {
	return { ok: false, code, text };
}
