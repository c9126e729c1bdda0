import { describeTarget, parseRedisUrl, type RedisTarget } from '../target.ts';
import { noRedisAdvice } from './advice.ts';
import { findOnPath, type RejectedBinary, type ServerBinary } from './binary.ts';
import { startEphemeral } from './ephemeral.ts';
import { RedisNotFound } from './errors.ts';
import { findUnpacked, hasApt, unpackPackages } from './packages.ts';
import { ping } from './ping.ts';
import { isServing, startPrivateServer } from './private-server.ts';
import { preparePlace, type ServerPlace } from './socket-path.ts';
import { withStartLock } from './start-lock.ts';
import { openTenancy } from './tenancy.ts';

export interface FindRedisOptions {
	/** Folder that this installation may write to; ours goes into `redis/` in it. */
	readonly dataDir: string;
	/** REDIS_URL and REDIS are read from it; PATH and the rest are for the programs that are run. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The in-process server may be used when nothing else is there. */
	readonly allowEphemeral: boolean;
	/** Says what is going to be done, before it is. */
	readonly report: (step: string) => void;
}

export interface FoundRedis {
	readonly kind: 'given' | 'adopted' | 'started' | 'ephemeral';
	/** One line for the log: which one and where its data is. */
	readonly how: string;
	readonly where: RedisTarget;
	/** Where its data is, when it is ours. */
	readonly dataDir?: string;
	/** Ends a server of ours when nobody else uses it; a given one is left alone. Close the connections first. */
	stop(): Promise<void>;
}

/** Long enough for a colleague that is fetching packages. */
const LOCK_DEADLINE_MS = 300_000;

/**
 * Finds a Redis or starts one: REDIS_URL; our own that is running; a program on PATH; the distribution's packages; in
 * process where allowed. Rejects with BadRedisUrl, RedisServerFailed or RedisNotFound (its message is for an operator).
 */
export async function findRedis(options: FindRedisOptions): Promise<FoundRedis> {
	const { env, dataDir, report } = options;
	if (env.REDIS_URL) {
		const where = parseRedisUrl(env.REDIS_URL);
		return {
			kind: 'given',
			how: `the Redis given as REDIS_URL, ${describeTarget(where)}`,
			where,
			stop: async () => undefined,
		};
	}
	if (env.REDIS === 'ephemeral') return ephemeral(report);
	const place = await preparePlace(dataDir);
	const tried: Tried = { rejected: [], problems: [] };
	const outcome = await withStartLock(place.dir, LOCK_DEADLINE_MS, async () => {
		if (await isServing(place)) {
			const program = (await findOnPath(env.PATH ?? '')).found ?? (await findUnpacked(dataDir));
			return { tenancy: await openTenancy(place, program, report) };
		}
		const binary = await chooseBinary(options, tried);
		if (!binary) return undefined;
		report(
			`Starting ${binary.path} (${binary.flavour} ${binary.version}) on ${place.socket}; its data is in ${place.dir}.`,
		);
		await startPrivateServer(binary, place);
		return { binary, tenancy: await openTenancy(place, binary, report) };
	});
	if (outcome) return ours(place, outcome.binary, outcome.tenancy.leave);
	if (options.allowEphemeral) return ephemeral(report);
	const localRedis = ['pong', 'denied'].includes(await ping({ host: '127.0.0.1', port: 6379 }, 500));
	throw new RedisNotFound(noRedisAdvice({ ...tried, localRedis }));
}

/** A server program for tests and tools: on PATH, or from the distribution's packages; undefined when there is none. */
export async function findServerBinary(
	options: Omit<FindRedisOptions, 'allowEphemeral'>,
): Promise<ServerBinary | undefined> {
	const place = await preparePlace(options.dataDir);
	return await withStartLock(place.dir, LOCK_DEADLINE_MS, () => chooseBinary(options, { rejected: [], problems: [] }));
}

interface Tried {
	rejected: RejectedBinary[];
	readonly problems: string[];
}

async function chooseBinary(
	options: Omit<FindRedisOptions, 'allowEphemeral'>,
	tried: Tried,
): Promise<ServerBinary | undefined> {
	const { env, dataDir, report } = options;
	const { found, rejected } = await findOnPath(env.PATH ?? '');
	tried.rejected = rejected;
	if (found) return found;
	const unpacked = await findUnpacked(dataDir);
	if (unpacked) {
		report(`Using the Redis that was unpacked earlier into ${dataDir}.`);
		return unpacked;
	}
	if (!(await hasApt(env))) {
		tried.problems.push(
			'neither valkey-server nor redis-server (6.2 or newer) is on PATH, and this is no Debian or Ubuntu with apt-get',
		);
		return undefined;
	}
	try {
		return await unpackPackages(dataDir, env, report);
	} catch (error) {
		tried.problems.push(error instanceof Error ? error.message : String(error));
		return undefined;
	}
}

function ours(place: ServerPlace, binary: ServerBinary | undefined, stop: () => Promise<void>): FoundRedis {
	const what = binary
		? `a private ${binary.flavour} ${binary.version} (${binary.path})`
		: 'our own Redis, which was running already';
	return {
		kind: binary ? 'started' : 'adopted',
		how: `${what} on ${place.socket}, data in ${place.dir}`,
		where: { kind: 'socket', path: place.socket },
		dataDir: place.dir,
		stop,
	};
}

async function ephemeral(report: (step: string) => void): Promise<FoundRedis> {
	report('NOTHING IS KEPT: using a Redis inside this process, for trying things out only. All is gone when it ends.');
	const server = await startEphemeral();
	return {
		kind: 'ephemeral',
		how: 'a Redis inside this process; NOTHING IS KEPT',
		where: server.where,
		stop: server.stop,
	};
}
