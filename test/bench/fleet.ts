import { availableParallelism, loadavg } from 'node:os';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { fleetSettings } from '../../config/fleet.ts';
import { buildDigest } from '../../core/fleet/digest.ts';
import { createLoopbackOllama } from '../../demo/model/loopback-ollama.ts';
import { startChild } from '../support/child.ts';
import { LAPTOP, openFleet, RIA, reporter } from '../support/fleet.ts';
import { fleetScene, scriptedOllama, words } from '../support/fleet-scene.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';
import { asked, feedEvent, report, sessionOf } from '../unit/core/fleet/fixture.ts';
import { spreadOf } from './figures.ts';

const CONNECTIONS = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const EVENTS = 40_000;
const SESSIONS = 1_000;
const BURST = 10_000;

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

/** How fast it went, and what it took of this process and of Redis; CPU depends less on what else the machine does. */
interface Taken {
	readonly perSecond: number;
	readonly cpuMicros: number;
	readonly redisMicros: number;
}

/** CPU of Redis so far, microseconds. */
async function redisCpu(client: Redis): Promise<number> {
	const info = await client.info('cpu');
	const seconds = (name: string) => Number(new RegExp(`^used_cpu_${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
	return (seconds('user') + seconds('sys')) * 1_000_000;
}

async function measured(
	client: Redis,
	act: () => Promise<{ readonly events: number; readonly ms?: number }>,
): Promise<Taken> {
	const redisBefore = await redisCpu(client);
	const before = process.cpuUsage();
	const startedAt = performance.now();
	const { events, ms = performance.now() - startedAt } = await act();
	const { user, system } = process.cpuUsage(before);
	const redisMicros = ((await redisCpu(client)) - redisBefore) / events;
	return { perSecond: (events * 1_000) / ms, cpuMicros: (user + system) / events, redisMicros };
}

/** Reports over HTTP, from reporters in another process into this one. */
async function ingest(server: TestRedis, { sessions, perSession }: Load): Promise<Taken> {
	const bench = await openFleet(server, { isShowing: false });
	const requests = Math.ceil(EVENTS / (CONNECTIONS * sessions * perSession));
	const numbers = [CONNECTIONS, sessions, perSession, requests].map(String);
	const child = startChild('test/bench/fleet-reporters-process.ts', [bench.http.url, LAPTOP, ...numbers]);
	const line = (at: number) => {
		if (child.process.exitCode) throw new Error(child.stderr());
		return child.lines[at];
	};
	await eventually('the reporters are ready', () => line(0), 120_000);
	const taken = await measured(bench.redis.handlers, async () => {
		child.process.stdin?.write('go\n');
		return timed.parse(JSON.parse(await eventually('they are through', () => line(1), 240_000)));
	});
	await child.end('SIGKILL');
	await bench.close();
	await server.flush();
	return taken;
}

/** Plain XADD from this process, with as many requests in flight and as many entries in each. */
async function rawXadd(server: TestRedis, batch: number): Promise<Taken> {
	const { handlers, close } = await server.connect();
	// As different from each other as reports are.
	const entries = Array.from({ length: 2_000 }, (_, at) => `${at} `.padEnd(1_024, 'the tests are green again, '));
	const each = Math.ceil((batch === 1 ? EVENTS / 2 : EVENTS) / CONNECTIONS / batch);
	const taken = await measured(handlers, async () => {
		const one = async (connection: number) => {
			for (let n = 0; n < each; n += 1) {
				const line = handlers.pipeline();
				for (let of = 0; of < batch; of += 1) {
					const entry = entries[(connection * 500 + n * batch + of) % entries.length] ?? '';
					line.xadd('raw', 'MAXLEN', '~', 50_000, '*', 'e', entry);
				}
				await line.exec();
			}
		};
		await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => one(connection)));
		return { events: each * batch * CONNECTIONS };
	});
	await close();
	await server.flush();
	return taken;
}

async function benchIngest(server: TestRedis): Promise<string[]> {
	const of = (key: keyof Taken) => (all: readonly Taken[]) => middle(all.map((taken) => taken[key]));
	const [rate, cpu, redis] = [of('perSecond'), of('cpuMicros'), of('redisMicros')];
	const both = (all: readonly Taken[]) => cpu(all) + redis(all);
	const figures = (all: readonly Taken[]) =>
		`${rate(all).toFixed(0).padStart(7)}/s ${cpu(all).toFixed(0).padStart(3)} + ${redis(all).toFixed(0).padStart(2)} µs`;
	const against = (ours: readonly Taken[], raw: readonly Taken[]) =>
		`${(rate(ours) / rate(raw)).toFixed(2)} / ${(both(raw) / both(ours)).toFixed(2)}`;
	const lines = [
		`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores at first; CPU an event is that of the process + that of Redis`,
		`${'a request (4 in flight)'.padEnd(34)} reports               XADD pipelined alike  ratio of rates / of CPU: to that, to XADD one by one`,
	];
	const oneByOne: Taken[] = [];
	const all: { name: string; ours: Taken[]; raw: Taken[] }[] = [];
	for (const load of LOADS) {
		const one = { name: load.name, ours: [] as Taken[], raw: [] as Taken[] };
		for (let round = 0; round < ROUNDS; round += 1) {
			one.raw.push(await rawXadd(server, load.sessions * load.perSession));
			one.ours.push(await ingest(server, load));
			oneByOne.push(await rawXadd(server, 1));
		}
		all.push(one);
	}
	for (const { name, ours, raw } of all) {
		const ratios = `${against(ours, raw)}, ${against(ours, oneByOne)}`;
		lines.push(`${name.padEnd(34)} ${figures(ours)}  ${figures(raw)}  ${ratios}`);
	}
	lines.push(`${'XADD one by one'.padEnd(34)} ${''.padEnd(20)}  ${figures(oneByOne)}`);
	return lines;
}

/** Milliseconds that the digest of a large fleet takes to build. */
function benchDigest(): string {
	const sessions = Array.from({ length: SESSIONS }, (_, at) => {
		const text = `step ${at} of the migration is done and the tests are green again `.repeat(6);
		const asks = at % 10 === 0 ? [report('question', { data: asked() })] : [];
		return sessionOf(`session-${at}`, [report('working'), report('summary', { data: { text } }), ...asks]);
	});
	const input = {
		why: 'events' as const,
		events: Array.from({ length: SESSIONS }, (_, at) => feedEvent(at + 1, { text: `happened ${at} `.repeat(20) })),
		missed: 0,
		sessions: sessions.flatMap(({ session }) => session ?? []),
		questions: sessions.flatMap(({ questions }) => questions),
		ownId: 'own',
		since: 0,
		now: Date.now(),
		timeZone: 'Europe/Berlin',
		maxTokens: fleetSettings.parse({}).concierge.digestTokens,
	};
	const cpuTimes: number[] = [];
	const times = Array.from({ length: 600 }, () => {
		const cpuBefore = process.cpuUsage();
		const startedAt = performance.now();
		buildDigest(input);
		const ms = performance.now() - startedAt;
		const { user, system } = process.cpuUsage(cpuBefore);
		cpuTimes.push((user + system) / 1_000);
		return ms;
	});
	const of = (all: readonly number[]) => {
		const { p50, p99 } = spreadOf(all.slice(100));
		return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
	};
	const text = `${of(times)}; CPU ${of(cpuTimes)}; the very first ${times[0]?.toFixed(1)} ms`;
	return `${`digest of ${SESSIONS} sessions`.padEnd(34)} ${text}   (${SESSIONS} events in it; bound: 20 ms)`;
}

/** How often a burst wakes the concierge, with the settings that a house begins with. */
async function benchBurst(server: TestRedis): Promise<string> {
	const ollama = await createLoopbackOllama();
	ollama.control.always(words(''));
	const settings = fleetSettings.parse({ channelId: '300000000000000001' });
	const bench = await openFleet(server, { settings, isShowing: false });
	const scene = fleetScene(bench, ollama.control);
	bench.work({ model: scriptedOllama(ollama.url) });
	await bench.desks.conciergeDesk.on(RIA);
	await scene.calm();
	const before = scene.digests().length;
	const all = Array.from({ length: 100 }, (_, index) => reporter(`s${index}`));
	const startedAt = performance.now();
	await Promise.all(
		all.map((each) =>
			bench.report(
				Array.from({ length: BURST / 100 }, (_, at) =>
					each.say(at === 0 ? 'started' : 'text', { text: 'x', toPerson: true }),
				),
			),
		),
	);
	const seconds = (performance.now() - startedAt) / 1_000;
	await scene.calm();
	const wakes = scene.digests().slice(before);
	const told = wakes.reduce((sum, text) => sum + Number(/events[^\n]*\((\d+)\)/.exec(text)?.[1] ?? 0), 0);
	await bench.close();
	await ollama.close();
	const name = `burst of ${BURST} events`.padEnd(34);
	return `${name} ${wakes.length} wake that told ${told} of them   (in ${seconds.toFixed(1)} s; bound: exactly 1 within ${settings.concierge.coalesceMs / 1_000} s)`;
}

/** Figures of the fleet: how much it takes in, how long a digest takes, how often a burst wakes. */
export async function benchFleet(): Promise<string[]> {
	const server = await startTestRedis({ own: true });
	try {
		return [...(await benchIngest(server)), benchDigest(), await benchBurst(server)];
	} finally {
		await server.stop();
	}
}
