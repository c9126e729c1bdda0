import type { Redis } from 'ioredis';
import type { Log } from '../../core/ports.ts';
import { type ClientRole, createClient } from './client.ts';
import { RedisDenied, RedisUnavailable, toRedisError } from './errors.ts';
import { createKeys, type Keys } from './keys.ts';
import type { Script } from './script.ts';
import { describeTarget, type RedisTarget } from './target.ts';
import { createTopics, type Topics } from './topics.ts';

export interface RedisSettings {
	readonly where: RedisTarget;
	/** First part of every key and queue name. */
	readonly prefix: string;
	/** A handler that waits longer for a reply gets `RedisUnavailable`. */
	readonly commandTimeoutMs: number;
	readonly log: Log;
	readonly now: () => number;
	/** Shown in Redis' client list together with the role. */
	readonly name?: string;
}

/** Every way this process speaks to Redis. Close it last; it then closes all clients that it made. */
export interface RedisConnection {
	readonly where: RedisTarget;
	readonly prefix: string;
	readonly keys: Keys;
	readonly topics: Topics;
	readonly log: Log;
	readonly now: () => number;
	readonly commandTimeoutMs: number;
	/** Fails at once while Redis is away: for Discord handlers, HTTP, queue producers and all stores. */
	readonly handlers: Redis;
	/** A new client that waits for Redis to come back: for blocking readers, workers and QueueEvents. */
	workers(name: string): Redis;
	/** Runs a command on `handlers`; rejects with RedisUnavailable, RedisRefusesWrites or RedisDenied. */
	ask<T>(command: (client: Redis) => Promise<T>): Promise<T>;
	/** Runs a script on `handlers`; errors as in `ask`. */
	run(script: Script, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown>;
	/** Resolves once Redis answers; rejects with RedisUnavailable after `deadlineMs`. */
	ready(deadlineMs: number): Promise<void>;
	/** Is called each time Redis is back (it may be empty then) and once at first; returns the remover. */
	onReady(listener: () => void): () => void;
	/** Aborted when `close` begins. */
	readonly closing: AbortSignal;
	/** Ends within `deadlineMs` even if Redis does not answer. */
	close(deadlineMs?: number): Promise<void>;
}

/** Opens the connection in the background; await `ready` before use. */
export function createRedis(settings: RedisSettings): RedisConnection {
	const { where, prefix, log, now, commandTimeoutMs } = settings;
	const clients = new Set<Redis>();
	const label = settings.name ?? prefix;
	const closing = new AbortController();

	function open(role: ClientRole, name: string): Redis {
		const client = createClient({
			target: where,
			role,
			name: `${label}:${name}`.replace(/[^\w:.-]/g, '-'),
			commandTimeoutMs,
			log,
			now,
		});
		clients.add(client);
		client.on('end', () => clients.delete(client));
		return client;
	}

	const handlers = open('handler', 'handlers');
	const topics = createTopics(() => open('subscriber', 'subscriber'), log);

	async function ask<T>(command: (client: Redis) => Promise<T>): Promise<T> {
		if (closing.signal.aborted) throw new RedisUnavailable('closed', 'this process is shutting down');
		try {
			return await command(handlers);
		} catch (error) {
			throw toRedisError(error);
		}
	}

	return {
		where,
		prefix,
		keys: createKeys(prefix),
		topics,
		log,
		now,
		commandTimeoutMs,
		handlers,
		closing: closing.signal,
		ask,
		workers: (name) => open('worker', name),
		run: (script, keys, args) => ask((client) => evaluate(client, script, keys, args)),
		ready: (deadlineMs) => waitReady(handlers, deadlineMs, describeTarget(where)),
		onReady(listener) {
			handlers.on('ready', listener);
			if (handlers.status === 'ready') listener();
			return () => handlers.off('ready', listener);
		},
		async close(deadlineMs = 2_000) {
			if (closing.signal.aborted) return;
			closing.abort();
			topics.close();
			// Commands that handlers have sent get their replies; the others may sit in blocking reads.
			await endHandlers(handlers, deadlineMs);
			for (const client of clients) client.disconnect();
		},
	};
}

async function evaluate(
	client: Redis,
	script: Script,
	keys: readonly string[],
	args: readonly (string | number | Buffer)[],
): Promise<unknown> {
	try {
		return await client.evalsha(script.sha, keys.length, ...keys, ...args);
	} catch (error) {
		// Redis forgets scripts when it restarts.
		if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
		return await client.eval(script.source, keys.length, ...keys, ...args);
	}
}

function waitReady(client: Redis, deadlineMs: number, where: string): Promise<void> {
	if (client.status === 'ready') return Promise.resolve();
	return new Promise((resolve, reject) => {
		let last: Error | undefined;
		const onError = (error: Error) => {
			last = error;
			const known = toRedisError(error);
			// Wrong credentials do not get better by waiting.
			if (known instanceof RedisDenied) done(known);
		};
		const onReady = () => done();
		const timer = setTimeout(
			() =>
				done(new RedisUnavailable('connection', `${where} does not answer${last ? ` (${last.message})` : ''}`, last)),
			deadlineMs,
		);
		function done(error?: Error): void {
			clearTimeout(timer);
			client.off('ready', onReady);
			client.off('error', onError);
			if (error) reject(error);
			else resolve();
		}
		client.on('ready', onReady);
		client.on('error', onError);
	});
}

/** Says goodbye when Redis listens, cuts the line when it does not. */
async function endHandlers(client: Redis, deadlineMs: number): Promise<void> {
	if (client.status === 'ready') {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, deadlineMs);
		});
		await Promise.race([client.quit().then(() => undefined), late]).catch(() => undefined);
		clearTimeout(timer);
	}
	client.disconnect();
}
