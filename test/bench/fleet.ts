import { z } from 'zod';
import { buildDigest } from '../../core/fleet/digest.ts';
import { startChild } from '../support/child.ts';
import { type FleetBench, LAPTOP, openFleet } from '../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';

const CONNECTIONS = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const EVENTS = 40_000;
const LEAST_PER_SECOND = 5_000;
const LEAST_RATIO = 0.3;

interface Load {
	readonly name: string;
	readonly sessions: number;
	readonly perSession: number;
}

const LOADS: readonly Load[] = [
	{ name: '100 events of 1 session', sessions: 1, perSession: 100 },
	{ name: '10 events of each of 20', sessions: 20, perSession: 10 },
	{ name: '1 event of each of 200', sessions: 200, perSession: 1 },
];

const timed = z.object({ events: z.number(), ms: z.number() });
const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Events a second over HTTP, from reporters in another process into this one. */
async function ingest(server: TestRedis, { sessions, perSession }: Load): Promise<number> {
	const bench = await openFleet(server, { isShowing: false });
	const requests = Math.ceil(EVENTS / (CONNECTIONS * sessions * perSession));
	const numbers = [CONNECTIONS, sessions, perSession, requests].map(String);
	const child = startChild('test/bench/fleet-reporters-process.ts', [bench.http.url, LAPTOP, ...numbers]);
	const failed = () => {
		if (child.process.exitCode) throw new Error(child.stderr());
	};
	await eventually('the reporters are ready', () => failed() ?? child.lines.includes('ready'), 60_000);
	child.process.stdin?.write('go\n');
	const line = await eventually('they are through', () => failed() ?? child.lines[1], 120_000);
	const { events, ms } = timed.parse(JSON.parse(line));
	await child.end('SIGKILL');
	await bench.close();
	await server.flush();
	return (events * 1_000) / ms;
}

/** Entries a second of plain XADD from this process, with as many in flight and as many in one go. */
async function rawXadd(server: TestRedis, batch: number): Promise<number> {
	const { handlers, close } = await server.connect();
	const entry = 'x'.repeat(1_024);
	const each = Math.ceil((batch === 1 ? EVENTS / 2 : EVENTS) / CONNECTIONS / batch);
	const startedAt = performance.now();
	await Promise.all(
		Array.from({ length: CONNECTIONS }, async () => {
			for (let n = 0; n < each; n += 1) {
				const line = handlers.pipeline();
				for (let of = 0; of < batch; of += 1) line.xadd('raw', 'MAXLEN', '~', 50_000, '*', 'e', entry);
				await line.exec();
			}
		}),
	);
	const ms = performance.now() - startedAt;
	await close();
	await server.flush();
	return (each * batch * CONNECTIONS * 1_000) / ms;
}

async function benchIngest(server: TestRedis): Promise<string[]> {
	const lines: string[] = [];
	const oneByOne: number[] = [];
	for (const load of LOADS) {
		const batch = load.sessions * load.perSession;
		const ours: number[] = [];
		const raw: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			raw.push(await rawXadd(server, batch));
			ours.push(await ingest(server, load));
			oneByOne.push(await rawXadd(server, 1));
		}
		const [events, entries] = [middle(ours), middle(raw)];
		const rates = `${events.toFixed(0).padStart(7)} events/s   XADD ${batch} in one go ${entries.toFixed(0).padStart(7)}/s`;
		lines.push(`${load.name.padEnd(34)} ${rates}   ratio ${(events / entries).toFixed(2)}`);
	}
	lines.push(`${'XADD one by one'.padEnd(34)} ${middle(oneByOne).toFixed(0).padStart(7)}/s`);
	return lines;
}

/** Figures of the fleet: how much it takes in, how long a digest takes, how often a burst wakes. */
export async function benchFleet(): Promise<string[]> {
	const server = await startTestRedis({ own: true });
	try {
		return await benchIngest(server);
	} finally {
		await server.stop();
	}
}

if (process.argv[1]?.endsWith('fleet.ts')) {
	for (const line of await benchFleet()) console.log(line);
	process.exit(0);
}
void [buildDigest, LEAST_PER_SECOND, LEAST_RATIO];

export type { FleetBench };
