import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type ClientSession, createClientSession, type ReceivedCall } from './client-session.ts';
import type { FaultList } from './faults.ts';
import type { House } from './house.ts';
import type { ReceivedFrame } from './received-frame.ts';

/** The clients connected to the loopback Home Assistant, and what they have sent. */
export interface ClientPool {
	/** Takes over an upgrade request; refused while the house is down. */
	accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	authenticated(): number;
	isDown(): boolean;
	isTokenValid(token: string): boolean;
	token(): string;
	setToken(token: string): void;
	revokeToken(): void;
	closeAll(): void;
	stall(stalled: boolean): void;
	isStalled(): boolean;
	restart(downMs: number, loadMs: number): Promise<void>;
	frames(): readonly ReceivedFrame[];
	calls(): readonly ReceivedCall[];
	reset(): void;
	close(): void;
}

const keptRecords = 5_000;
const userId = 'majordomo';

export function createClientPool(house: House, faults: FaultList, firstToken: string): ClientPool {
	const server = new WebSocketServer({ noServer: true });
	const sessions = new Set<ClientSession>();
	const timers = new Set<NodeJS.Timeout>();
	let token: string | undefined = firstToken;
	let lastToken = firstToken;
	let stalled = false;
	let down = false;
	let connections = 0;
	let frames: ReceivedFrame[] = [];
	let calls: ReceivedCall[] = [];

	const wait = (ms: number) =>
		new Promise<void>((resolve) => {
			const timer = setTimeout(() => {
				timers.delete(timer);
				resolve();
			}, ms);
			timers.add(timer);
		});
	const closeAll = () => {
		for (const session of sessions) session.close();
	};

	return {
		accept(request, socket, head) {
			if (down) {
				socket.destroy();
				return;
			}
			server.handleUpgrade(request, socket, head, (client) => {
				const connection = ++connections;
				const session = createClientSession({
					connection,
					socket: client,
					house,
					userId,
					isTokenValid: (candidate) => candidate === token,
					isStalled: () => stalled,
					takeFault: faults.take,
					onFrame: (frame) => {
						frames = [...frames.slice(1 - keptRecords), { at: house.now(), connection, frame }];
					},
					onCall: (call) => {
						calls = [...calls.slice(1 - keptRecords), call];
					},
				});
				sessions.add(session);
				client.on('close', () => sessions.delete(session));
			});
		},
		authenticated: () => [...sessions].filter((session) => session.isAuthenticated()).length,
		isDown: () => down,
		isTokenValid: (candidate) => candidate === token,
		token: () => lastToken,
		setToken(next) {
			token = next;
			lastToken = next;
		},
		revokeToken() {
			token = undefined;
			closeAll();
		},
		closeAll,
		stall(next) {
			stalled = next;
		},
		isStalled: () => stalled,
		async restart(downMs, loadMs) {
			down = true;
			house.unload();
			closeAll();
			await wait(downMs);
			down = false;
			await wait(loadMs);
			house.load();
		},
		frames: () => frames,
		calls: () => calls,
		reset() {
			token = firstToken;
			lastToken = firstToken;
			stalled = false;
			down = false;
			frames = [];
			calls = [];
		},
		close() {
			for (const timer of timers) clearTimeout(timer);
			closeAll();
			server.close();
		},
	};
}
