import { randomBytes } from 'node:crypto';
import { GatewayOpcodes } from 'discord-api-types/v10';
import type { WebSocket } from 'ws';
import type { BotApplication } from '../state/model.ts';

const replayLimit = 2000;

interface Dispatch {
	seq: number;
	type: string;
	text: string;
}

/** One identified session: survives its socket, so that RESUME can replay what was missed. */
export interface Session {
	readonly id: string;
	readonly application: BotApplication;
	readonly intents: number;
	readonly shard: readonly [number, number];
	seq: number;
	socket: WebSocket | undefined;
	/** Set while no socket is attached. */
	detachedAtMs: number | undefined;
	/** Numbers, remembers and (when connected and not stalled) sends an event. */
	dispatch(type: string, payload: object, stalled?: boolean): void;
	canReplayFrom(seq: number): boolean;
	/** Sends everything after `seq` again and then RESUMED. */
	replayFrom(seq: number): void;
}

export function createSession(
	application: BotApplication,
	intents: number,
	shard: readonly [number, number],
	socket: WebSocket,
): Session {
	const log: Dispatch[] = [];
	const session: Session = {
		id: randomBytes(16).toString('hex'),
		application,
		intents,
		shard,
		seq: 0,
		socket,
		detachedAtMs: undefined,
		dispatch: (type, payload, stalled = false) => {
			session.seq += 1;
			const text = JSON.stringify({ op: GatewayOpcodes.Dispatch, t: type, s: session.seq, d: payload });
			log.push({ seq: session.seq, type, text });
			if (log.length > replayLimit) log.shift();
			if (!stalled) session.socket?.send(text);
		},
		canReplayFrom: (seq) => {
			const oldest = log[0]?.seq ?? 1;
			return Number.isInteger(seq) && seq >= oldest - 1 && seq <= session.seq;
		},
		replayFrom: (seq) => {
			for (const event of log) if (event.seq > seq) session.socket?.send(event.text);
			session.dispatch('RESUMED', {});
		},
	};
	return session;
}
