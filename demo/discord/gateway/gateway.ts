import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayCloseCodes, GatewayOpcodes } from 'discord-api-types/v10';
import { type WebSocket, WebSocketServer } from 'ws';
import type { WorldEvent } from '../state/broadcast.ts';
import type { World } from '../state/world.ts';
import { createConnection, type GatewayHost } from './connection.ts';
import { isDirect, isIntended, mayHear, mayReadContent, stripContent } from './event-filter.ts';
import { createGatewayFaults, type GatewayFaults } from './gateway-faults.ts';
import type { Session } from './session.ts';

/** Discord keeps a session for resuming for a few minutes. */
const resumeWindowMs = 180_000;

export interface SessionView {
	id: string;
	bot: string;
	connected: boolean;
	seq: number;
	intents: number;
}

export interface Gateway {
	faults: GatewayFaults;
	sessions(): SessionView[];
	/** Closes the sockets of one bot (or all) with a code; returns how many. */
	close(code: number, applicationId?: string): number;
	/** Cuts the sockets without a closing handshake. */
	drop(applicationId?: string): number;
	/** Sends op 7. */
	requestReconnect(applicationId?: string): number;
	/** Sends op 9; a session that is not resumable is forgotten. */
	invalidate(resumable: boolean, applicationId?: string): number;
	shutdown(): void;
}

export interface GatewayOptions {
	heartbeatIntervalMs: number;
}

export function createGateway(world: World, server: Server, options: GatewayOptions): Gateway {
	const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
	const sessions = new Map<string, Session>();
	const faults = createGatewayFaults();

	const sessionsOf = (applicationId?: string): Session[] =>
		[...sessions.values()].filter((one) => applicationId === undefined || one.application.id === applicationId);

	const forgetExpired = (): void => {
		for (const { id, detachedAtMs } of sessions.values()) {
			if (detachedAtMs !== undefined && world.now() - detachedAtMs > resumeWindowMs) sessions.delete(id);
		}
	};

	const host: GatewayHost = {
		world,
		faults,
		heartbeatIntervalMs: options.heartbeatIntervalMs,
		findSession: (id) => {
			forgetExpired();
			return sessions.get(id);
		},
		addSession: (session) => {
			sessions.set(session.id, session);
		},
		removeSession: (session) => {
			sessions.delete(session.id);
		},
		isOnline: (applicationId) => sessionsOf(applicationId).some((one) => one.socket !== undefined),
	};

	const deliver = (event: WorldEvent): void => {
		forgetExpired();
		for (const session of sessions.values()) {
			const botId = session.application.id;
			if (!mayHear(world, botId, event)) continue;
			const direct = isDirect(world, event);
			const [shardId, shardCount] = session.shard;
			const homeShard = direct ? 0 : Number((BigInt(world.guildId) >> 22n) % BigInt(shardCount));
			if (homeShard !== shardId) continue;
			let payload = event.render(botId);
			if (!isIntended(world, session.intents, event, payload, botId)) continue;
			if (event.type.startsWith('MESSAGE_') && !mayReadContent(session.intents)) {
				payload = stripContent(payload, botId, direct);
			}
			session.dispatch(event.type, payload, faults.stallEvents);
		}
	};
	const unsubscribe = world.events.subscribe(deliver);

	const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
		const { pathname } = new URL(request.url ?? '/', 'http://localhost');
		if (!pathname.startsWith('/gateway')) {
			socket.destroy();
			return;
		}
		if (faults.refuseConnections) {
			socket.destroy();
			return;
		}
		sockets.handleUpgrade(request, socket, head, (webSocket) => createConnection(host, webSocket));
	};
	server.on('upgrade', onUpgrade);

	const forEachSocket = (applicationId: string | undefined, act: (socket: WebSocket, session: Session) => void) => {
		let count = 0;
		for (const session of sessionsOf(applicationId)) {
			if (session.socket === undefined) continue;
			count += 1;
			act(session.socket, session);
		}
		return count;
	};

	return {
		faults,
		sessions: () =>
			[...sessions.values()].map((one) => ({
				id: one.id,
				bot: one.application.name,
				connected: one.socket !== undefined,
				seq: one.seq,
				intents: one.intents,
			})),
		close: (code, applicationId) => {
			const forgets = [GatewayCloseCodes.InvalidSeq, GatewayCloseCodes.SessionTimedOut, 1000, 1001];
			return forEachSocket(applicationId, (socket, session) => {
				if (forgets.includes(code)) sessions.delete(session.id);
				socket.close(code);
			});
		},
		drop: (applicationId) => forEachSocket(applicationId, (socket) => socket.terminate()),
		requestReconnect: (applicationId) =>
			forEachSocket(applicationId, (socket) =>
				socket.send(JSON.stringify({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null })),
			),
		invalidate: (resumable, applicationId) =>
			forEachSocket(applicationId, (socket, session) => {
				if (!resumable) {
					session.socket = undefined;
					sessions.delete(session.id);
				}
				socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: resumable, s: null, t: null }));
			}),
		shutdown: () => {
			unsubscribe();
			server.off('upgrade', onUpgrade);
			for (const client of sockets.clients) client.terminate();
			sockets.close();
			sessions.clear();
		},
	};
}
