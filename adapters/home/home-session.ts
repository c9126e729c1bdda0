import { createConnection, type MessageBase } from 'home-assistant-js-websocket';
import { HomeError, toHomeError } from './home-error.ts';
import { openSocket } from './open-socket.ts';
import { pause } from './pause.ts';

export interface SessionTiming {
	/** Longest time for logging in, and again for each of the first requests. */
	readonly connectTimeoutMs: number;
	/** How often the line is tested, and how long the answer may take. */
	readonly pingEveryMs: number;
	readonly pingTimeoutMs: number;
	/** How long a Home Assistant that still loads its integrations is given before it is taken as it is. */
	readonly startGraceMs: number;
	/** How often it is asked whether it has finished loading. */
	readonly startPollMs: number;
}

export const defaultSessionTiming: SessionTiming = {
	connectTimeoutMs: 10_000,
	pingEveryMs: 20_000,
	pingTimeoutMs: 10_000,
	startGraceMs: 120_000,
	startPollMs: 1_000,
};

export interface SessionDeps {
	readonly url: string;
	readonly token: string;
	/** Ids to follow; none at all when empty. */
	readonly entityIds: readonly string[];
	readonly timing: SessionTiming;
	readonly now: () => number;
	/** Ends the session, also while it is still opening. */
	readonly signal: AbortSignal;
	/** First message of the entity subscription: everything followed that exists. */
	readonly onSnapshot: (event: unknown) => void;
	readonly onEvent: (event: unknown) => void;
}

/** One login, from connecting to the first loss. It never reconnects by itself. */
export interface HomeSession {
	isOpen(): boolean;
	/** Sends a message; rejects with whatever the library rejects with. The wait is the caller's to bound. */
	send(message: MessageBase): Promise<unknown>;
	/** Resolves when the session is over; never rejects. */
	readonly ended: Promise<HomeError>;
	close(): void;
}

/** Logs in, waits until Home Assistant has loaded, subscribes. Rejects with a HomeError when any of it fails. */
export async function openHomeSession(deps: SessionDeps): Promise<HomeSession> {
	const { timing, signal } = deps;
	const { url, token } = deps;
	const connection = await createConnection({
		setupRetry: 0,
		createSocket: openSocket({ url, token, timeoutMs: timing.connectTimeoutMs, signal }),
	}).catch((thrown: unknown) => {
		throw toHomeError(thrown);
	});
	let resolveEnded: (error: HomeError) => void = () => undefined;
	const ended = new Promise<HomeError>((resolve) => {
		resolveEnded = resolve;
	});
	let isOver = false;
	let pinger: NodeJS.Timeout | undefined;

	/** Closing first keeps the library from reconnecting with subscriptions of its own; cutting the socket settles what is in flight. */
	function end(error: HomeError): void {
		if (isOver) return;
		isOver = true;
		clearInterval(pinger);
		signal.removeEventListener('abort', onAbort);
		const socket = connection.socket as unknown as { terminate(): void } | undefined;
		connection.close();
		socket?.terminate();
		resolveEnded(error);
	}
	const onAbort = () => end(new HomeError('stopped', 'stopped'));
	signal.addEventListener('abort', onAbort);
	connection.addEventListener('disconnected', () =>
		end(new HomeError('connection_lost', 'the connection to Home Assistant was lost')),
	);
	if (signal.aborted) onAbort();

	/** An answer, or the end of the session, or the deadline, whichever is first. */
	async function request(message: MessageBase, timeoutMs: number): Promise<unknown> {
		const answer = connection.sendMessagePromise(message);
		return firstOf(answer, timeoutMs, message.type);
	}

	async function firstOf<T>(answer: Promise<T>, timeoutMs: number, what: string): Promise<T> {
		const over = new AbortController();
		const late = pause(timeoutMs, over.signal).then(() => {
			throw new HomeError('deadline', `no answer to ${what} in time`);
		});
		const lost = ended.then((error) => {
			throw error;
		});
		try {
			return await Promise.race([answer, late, lost]);
		} catch (thrown) {
			throw toHomeError(thrown);
		} finally {
			over.abort();
		}
	}

	async function waitUntilLoaded(): Promise<void> {
		const giveUpAt = deps.now() + timing.startGraceMs;
		while (!(await isLoaded()) && deps.now() < giveUpAt) await pause(timing.startPollMs, signal);
	}

	/** Home Assistant lets clients in before its integrations are there; it may not even know the question yet. */
	async function isLoaded(): Promise<boolean> {
		try {
			const config = await request({ type: 'get_config' }, timing.connectTimeoutMs);
			return typeof config === 'object' && config !== null && 'state' in config && config.state === 'RUNNING';
		} catch (thrown) {
			const error = toHomeError(thrown);
			if (error.code === 'unknown_command' || error.code === 'unknown_error') return false;
			throw error;
		}
	}

	async function subscribe(): Promise<void> {
		// An empty list would mean every entity there is.
		if (deps.entityIds.length === 0) {
			deps.onSnapshot({ a: {} });
			return;
		}
		const message = { type: 'subscribe_entities', entity_ids: [...deps.entityIds] };
		const first = new Promise<void>((gotFirst, failed) => {
			let hasSnapshot = false;
			const listener = (event: unknown) => {
				if (isOver) return;
				if (hasSnapshot) {
					deps.onEvent(event);
					return;
				}
				hasSnapshot = true;
				deps.onSnapshot(event);
				gotFirst();
			};
			connection.subscribeMessage(listener, message, { resubscribe: false }).catch(failed);
		});
		await firstOf(first, timing.connectTimeoutMs, message.type);
	}

	function keepAlive(): void {
		let isWaiting = false;
		pinger = setInterval(() => {
			if (isWaiting) return;
			isWaiting = true;
			request({ type: 'ping' }, timing.pingTimeoutMs)
				.catch((thrown: unknown) => end(toHomeError(thrown)))
				.finally(() => {
					isWaiting = false;
				});
		}, timing.pingEveryMs);
	}

	try {
		await waitUntilLoaded();
		await subscribe();
	} catch (thrown) {
		const error = toHomeError(thrown);
		end(error);
		throw error;
	}
	keepAlive();
	return {
		isOpen: () => !isOver && connection.connected,
		send: (message) => connection.sendMessagePromise(message),
		ended,
		close: () => end(new HomeError('stopped', 'stopped')),
	};
}
