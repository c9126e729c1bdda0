import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { ServerBinary } from './binary.ts';
import { ping } from './ping.ts';
import { isServing, startPrivateServer } from './private-server.ts';
import type { ServerPlace } from './socket-path.ts';
import { withStartLock } from './start-lock.ts';

/** Name of the connection by which a process says that it uses the server. */
const TENANT = 'majordomo-tenant';
const LOCK_DEADLINE_MS = 150_000;
const FIRST_RECHECK_MS = 500;
const LAST_RECHECK_MS = 30_000;
/** The server sees the end of a connection a little after the one that ended it. */
const UNUSED_TRIES = 10;

/** A process' use of the private server. */
export interface Tenancy {
	/** Ends the use, and the server with it when nobody else is connected. */
	leave(): Promise<void>;
}

/**
 * Keeps a connection open, so that another process' goodbye does not end the server under this one. A server that dies while it
 * is used is started again by the program it was started with; an adopted one has none, so then nothing is done.
 */
export async function openTenancy(
	place: ServerPlace,
	binary: ServerBinary | undefined,
	report: (step: string) => void,
): Promise<Tenancy> {
	let left = false;
	let reviving: Promise<void> | undefined;
	let timer: NodeJS.Timeout | undefined;
	let delayMs = FIRST_RECHECK_MS;
	const client = new Redis({
		path: place.socket,
		connectionName: TENANT,
		maxRetriesPerRequest: null,
		retryStrategy: (times) => Math.min(100 * times, 1_000),
		lazyConnect: true,
	});
	client.on('error', () => undefined);
	client.on('close', () => {
		if (!left) reviveSoon();
	});
	client.on('ready', () => {
		delayMs = FIRST_RECHECK_MS;
	});
	await client.connect();

	function reviveSoon(): void {
		if (!binary || reviving || timer) return;
		timer = setTimeout(() => {
			timer = undefined;
			reviving = revive(binary).finally(() => {
				reviving = undefined;
				if (!left && client.status !== 'ready') reviveSoon();
			});
		}, delayMs);
		delayMs = Math.min(delayMs * 2, LAST_RECHECK_MS);
	}

	async function revive(program: ServerBinary): Promise<void> {
		await withStartLock(place.dir, LOCK_DEADLINE_MS, async () => {
			if (left || (await isServing(place))) return;
			report(`The private Redis is gone; starting ${program.path} again.`);
			await startPrivateServer(program, place);
		}).catch((error) =>
			report(`The private Redis did not start again: ${error instanceof Error ? error.message : error}`),
		);
	}

	return {
		async leave() {
			if (left) return;
			left = true;
			clearTimeout(timer);
			await reviving;
			client.disconnect();
			await withStartLock(place.dir, LOCK_DEADLINE_MS, () => endIfUnused(place));
		},
	};
}

/** Under the start lock nobody can begin to use the server unseen. */
async function endIfUnused(place: ServerPlace): Promise<void> {
	const name = `${TENANT}-leaving`;
	const client = new Redis({
		path: place.socket,
		connectionName: name,
		commandTimeout: 5_000,
		retryStrategy: () => null,
		lazyConnect: true,
	});
	client.on('error', () => undefined);
	try {
		await client.connect();
		for (let tries = 0; tries < UNUSED_TRIES; tries += 1) {
			const list = String(await client.client('LIST'));
			const others = list.split('\n').filter((line) => line !== '' && !line.includes(` name=${name} `));
			if (others.length === 0) {
				// The server closes the line instead of replying.
				await client.shutdown().catch(() => undefined);
				return await hasEnded(place);
			}
			await sleep(100);
		}
	} catch {
		// Not there any more, or it does not answer: then there is nothing to end.
	} finally {
		client.disconnect();
	}
}

async function hasEnded(place: ServerPlace): Promise<void> {
	for (let tries = 0; tries < 200 && (await ping({ path: place.socket }, 500)) !== 'absent'; tries += 1)
		await sleep(50);
}
