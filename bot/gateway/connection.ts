import { type Client, Events } from 'discord.js';
import type { Clock, Log, Metrics, Random } from '../../core/ports.ts';
import { BadToken, DisallowedIntents, GatewayUnreachable, type LoginError, toLoginError } from './login-error.ts';
import { type StuckReason, watchReconnects } from './watchdog.ts';

export type ConnectionState = 'stopped' | 'starting' | 'ready' | 'reconnecting' | 'failed';

export interface ConnectionDeps {
	readonly token: string;
	readonly makeClient: () => Client;
	/** Puts the bot's listeners on a client before it logs in. */
	readonly attach: (client: Client) => void;
	/** A new session began: events may have been missed before it. Not called after a resume, which replays them. */
	readonly onSession: (client: Client) => void;
	readonly resumeTimeoutMs: number;
	readonly loginDeadlineMs: number;
	readonly retry: { readonly firstMs: number; readonly maxMs: number; readonly refusedMs: number };
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}

export interface Connection {
	/**
	 * Logs in. Rejects with `BadToken` or `DisallowedIntents`; when Discord cannot be reached it resolves all the same and
	 * tries again in the background, so that an outage at start is no reason to end the process.
	 */
	start(): Promise<void>;
	stop(): Promise<void>;
	/** The client that is logged in; REST works on it also while the gateway reconnects. Undefined while there is none. */
	client(): Client | undefined;
	status(): { state: ConnectionState; since: number; reconnects: number; problem?: LoginError };
}

/** Keeps one gateway session alive: replaces a client that is stuck or refused, and never two at a time. */
export function createConnection(deps: ConnectionDeps): Connection {
	const { log, metrics, clock } = deps;
	let state: ConnectionState = 'stopped';
	let since = clock.now();
	let problem: LoginError | undefined;
	let reconnects = 0;
	let attempt = 0;
	let current: Client | undefined;
	let unwatch = () => {};
	let retryTimer: NodeJS.Timeout | undefined;
	let stopping = new AbortController();
	/** The login in progress, if any; a stop waits for it to end. */
	let opening: Promise<void> = Promise.resolve();

	const move = (next: ConnectionState, why: string) => {
		if (state === next) return;
		log.info({ from: state, to: next, why }, 'discord connection');
		metrics.gauge('discord_connected', next === 'ready' ? 1 : 0);
		state = next;
		since = clock.now();
	};

	const discard = async (client: Client | undefined) => {
		unwatch();
		unwatch = () => {};
		if (client === undefined) return;
		if (current === client) current = undefined;
		for (const event of followed) client.removeAllListeners(event as string);
		await client.destroy().catch((error: unknown) => log.warn({ error }, 'discarding a discord client failed'));
	};

	const retryLater = (failure: LoginError) => {
		problem = failure;
		const refused = failure instanceof BadToken || failure instanceof DisallowedIntents;
		move(refused ? 'failed' : 'reconnecting', failure.code);
		attempt += 1;
		const doubled = Math.min(deps.retry.maxMs, deps.retry.firstMs * 2 ** Math.min(attempt - 1, 16));
		const waitMs = refused ? deps.retry.refusedMs : doubled * (0.5 + deps.random.next() / 2);
		retryTimer = setTimeout(() => void open().catch(retryLater), waitMs);
	};

	const lose = async (client: Client, failure: LoginError) => {
		if (current !== client || stopping.signal.aborted) return;
		for (const line of failure.lines) log.error({ code: failure.code }, line);
		await discard(client);
		if (!stopping.signal.aborted) retryLater(failure);
	};

	const stuck = async (client: Client, reason: StuckReason) => {
		if (current !== client || stopping.signal.aborted) return;
		metrics.count('discord_reconnects_total', { kind: reason });
		log.warn({ reason, timeoutMs: deps.resumeTimeoutMs }, 'the gateway went silent: logging in anew');
		reconnects += 1;
		move('reconnecting', reason);
		await discard(client);
		await open().catch(retryLater);
	};

	const follow = (client: Client) => {
		client.on(Events.ShardReady, () => {
			move('ready', 'session');
			deps.onSession(client);
		});
		client.on(Events.ShardResume, (_shardId, replayed) => {
			metrics.count('discord_reconnects_total', { kind: 'resumed' });
			move('ready', `resumed, ${replayed} events replayed`);
		});
		client.on(Events.ShardReconnecting, () => {
			reconnects += 1;
			if (current === client) move('reconnecting', 'connection lost');
		});
		client.on(Events.ShardDisconnect, (event) => void lose(client, toLoginError(undefined, event.code)));
	};

	const open = () => {
		const attempted = tryOpen();
		opening = attempted.catch(() => {});
		return attempted;
	};

	const tryOpen = async () => {
		if (stopping.signal.aborted) return;
		const client = deps.makeClient();
		deps.attach(client);
		follow(client);
		try {
			await login(client, deps, stopping.signal);
		} catch (error) {
			await discard(client);
			if (stopping.signal.aborted) return;
			const failure = toLoginError(error);
			for (const line of failure.lines) log.error({ code: failure.code }, line);
			throw failure;
		}
		if (stopping.signal.aborted) return discard(client);
		current = client;
		attempt = 0;
		problem = undefined;
		move('ready', 'logged in');
		unwatch = watchReconnects(client, {
			timeoutMs: deps.resumeTimeoutMs,
			onStuck: (reason) => void stuck(client, reason),
		});
	};

	return {
		async start() {
			if (state !== 'stopped') return;
			stopping = new AbortController();
			move('starting', 'start');
			await open().catch((failure: LoginError) => {
				if (failure instanceof GatewayUnreachable) return retryLater(failure);
				problem = failure;
				move('failed', failure.code);
				throw failure;
			});
		},
		async stop() {
			stopping.abort();
			clearTimeout(retryTimer);
			await opening;
			await discard(current);
			move('stopped', 'stop');
		},
		client: () => current,
		status: () => ({ state, since, reconnects, ...(problem === undefined ? {} : { problem }) }),
	};
}

/** Taken off a discarded client, so that its last gasps reach nobody. Error listeners stay on. */
const followed = [
	Events.ShardReady,
	Events.ShardResume,
	Events.ShardReconnecting,
	Events.ShardDisconnect,
	Events.MessageCreate,
	Events.InteractionCreate,
] as const;

/** Resolves when the client has its guilds. discord.js itself would wait for ever. */
async function login(client: Client, { token, loginDeadlineMs }: ConnectionDeps, signal: AbortSignal): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const timer = setTimeout(
			() => fail(new GatewayUnreachable(`no session within ${loginDeadlineMs} ms`)),
			loginDeadlineMs,
		);
		const fail = (error: unknown) => {
			clearTimeout(timer);
			signal.removeEventListener('abort', abort);
			reject(error);
		};
		const abort = () => fail(new GatewayUnreachable('stopped while logging in'));
		signal.addEventListener('abort', abort, { once: true });
		client.once(Events.ClientReady, () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', abort);
			resolve();
		});
		client.login(token).catch(fail);
	});
}
