import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { ChatMessage } from '../../../core/chat/message.ts';
import type { Leases } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { chatMessageSchema } from '../schema/chat-message.ts';
import type { Stored } from '../stored.ts';
import type { BusLimits } from './bus-limits.ts';
import { createLeaseKeeper } from './lease-keeper.ts';

/**
 * All processes read under one consumer name, because only the holder of the lease reads at all: what a dead reader
 * left unacknowledged is then simply the beginning of what its successor reads, in order and at once.
 */
const CONSUMER = 'reader';
const BLOCK_MS = 1_000;
const SILENT_MS = 15_000;
const BATCH = 64;

interface Entry {
	readonly id: string;
	/** Undefined when the entry was trimmed away before anybody read it. */
	readonly json: string | undefined;
}

const repliesSchema = z
	.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.array(z.string()).nullable()]))]))
	.nullable();

export interface BusReaderDeps {
	readonly redis: RedisConnection;
	readonly stored: Stored;
	readonly leases: Leases;
	readonly limits: BusLimits;
	readonly stream: string;
	readonly group: string;
	readonly handle: (message: ChatMessage) => Promise<void>;
}

/** Reads for a group as long as this process holds the group's lease. Returns the remover. */
export function startBusReader(deps: BusReaderDeps): () => Promise<void> {
	const { redis, stored, leases, limits, stream, group } = deps;
	const log = redis.log.child({ bus: group });
	const stopping = new AbortController();
	const keeper = createLeaseKeeper(leases, `bus:${group}`, limits.leaseMs, log);
	const client = redis.workers(`bus-${group}`);
	/** Handled here, but Redis has not heard of it yet. */
	const unacknowledged = new Set<string>();
	/** Something may have been delivered that never arrived here: begin with what is pending. */
	let behind = true;
	client.on('close', () => {
		behind = true;
	});

	async function read(): Promise<Entry[]> {
		const wasBehind = behind;
		behind = false;
		const reply = await silenceBreaks(
			client,
			client.xreadgroup(
				'GROUP',
				group,
				CONSUMER,
				'COUNT',
				BATCH,
				'BLOCK',
				BLOCK_MS,
				'STREAMS',
				stream,
				wasBehind ? '0' : '>',
			),
		);
		const entries = (repliesSchema.parse(reply)?.[0]?.[1] ?? []).map(([id, fields]) => ({ id, json: fields?.[1] }));
		// The connection broke meanwhile: take these again, with what got lost before them.
		if (behind) return [];
		if (wasBehind && entries.length > 0) behind = true;
		else if (wasBehind) unacknowledged.clear();
		return entries;
	}

	async function createGroup(): Promise<void> {
		const start = `${Math.max(0, Math.floor(redis.now() - limits.backlogMs))}-0`;
		await client.xgroup('CREATE', stream, group, start, 'MKSTREAM').catch((error) => {
			if (!String(error).includes('BUSYGROUP')) throw error;
		});
		log.info({ start }, 'the bus group was not there and was created');
	}

	/** True when the message needs no further delivery; false when this process must let go of it. */
	async function deliver({ id, json }: Entry): Promise<boolean> {
		if (json === undefined) {
			log.error({ entry: id }, 'a message was trimmed away before it was read');
			return true;
		}
		const message = stored.parse(chatMessageSchema, json, `${stream} ${id}`);
		if (!message) return true;
		for (let attempt = 1; ; attempt += 1) {
			if (stopping.signal.aborted || !keeper.holds()) return false;
			try {
				await deps.handle(message);
				return true;
			} catch (error) {
				log.error({ entry: id, message: message.id, attempt, error: String(error) }, 'handling a bus message failed');
				await pause(Math.min(250 * 2 ** Math.min(attempt - 1, 6), 10_000), stopping.signal);
			}
		}
	}

	async function take(entry: Entry): Promise<boolean> {
		if (!unacknowledged.has(entry.id) && !(await deliver(entry))) return false;
		unacknowledged.add(entry.id);
		await redis.ask((handlers) => handlers.xack(stream, group, entry.id));
		unacknowledged.delete(entry.id);
		return true;
	}

	async function turn(): Promise<void> {
		if (!keeper.holds()) {
			behind = true;
			if (!(await keeper.acquire())) return pause(BLOCK_MS, stopping.signal);
		}
		for (const entry of await read()) {
			if (!keeper.holds() || !(await take(entry))) {
				behind = true;
				return;
			}
		}
	}

	async function run(): Promise<void> {
		while (!stopping.signal.aborted) {
			try {
				await turn();
			} catch (error) {
				behind = true;
				if (stopping.signal.aborted) break;
				if (String(error).includes('NOGROUP')) await createGroup().catch(() => pause(500, stopping.signal));
				else {
					log.warn({ error: String(error) }, 'reading the bus failed; trying again');
					await pause(500, stopping.signal);
				}
			}
		}
	}

	const running = run();
	let stopped: Promise<void> | undefined;
	const stop = () => {
		stopped ??= (async () => {
			redis.closing.removeEventListener('abort', stop);
			stopping.abort();
			client.disconnect();
			await running;
			await keeper.release();
		})();
		return stopped;
	};
	redis.closing.addEventListener('abort', stop);
	return stop;
}

/** A blocking read answers every second, if only with nothing. One that stays silent sits on a dead connection. */
async function silenceBreaks<T>(client: Redis, reply: Promise<T>): Promise<T> {
	const timer = setTimeout(() => {
		if (client.status === 'ready') client.disconnect(true);
	}, SILENT_MS);
	try {
		return await reply;
	} finally {
		clearTimeout(timer);
	}
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
