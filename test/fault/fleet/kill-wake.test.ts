import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeTarget } from '../../../adapters/redis/target.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { type FleetBench, openFleet, RIA, reporter } from '../../support/fleet.ts';
import { fleetScene, words } from '../../support/fleet-scene.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let ollama: LoopbackModel;
let bench: FleetBench;
const children: TestChild[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
	ollama = await createLoopbackOllama();
});
afterEach(async () => {
	await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
	await bench.close();
	ollama.control.reset();
	await server.flush();
});
afterAll(async () => {
	await ollama.close();
	await server.stop();
});

async function worker(): Promise<TestChild> {
	const url = describeTarget(server.where).replace('unix:', 'unix://');
	const child = startChild('test/support/fleet-worker-process.ts', [url, server.prefix, ollama.url]);
	children.push(child);
	await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), 60_000);
	return child;
}

test('FLT-6 FLT-5 OPS-15 a worker is killed amid a digest: another carries the same one, and the cursor moves once', async () => {
	bench = await openFleet(server);
	const fleet = fleetScene(bench, ollama.control);
	ollama.control.always(words(''));
	const first = await worker();
	await bench.desks.conciergeDesk.on(RIA);
	await fleet.calm();
	const { cursor } = await fleet.state();
	const before = fleet.digests().length;

	ollama.control.queue({ kind: 'hang' });
	const api = reporter('api', 'api-fix');
	await bench.report([api.say('started'), api.say('text', { text: 'before the fall', toPerson: true })]);
	await eventually('its digest hangs', () => ollama.control.state().hanging === 1, 60_000);
	const wake = (await fleet.state()).inFlight?.wake;
	expect(wake).toMatchObject({ why: 'events', tries: 1 });
	await first.end('SIGKILL');
	await bench.report([api.say('text', { text: 'after the fall', toPerson: true })]);
	expect((await fleet.state()).cursor).toBe(cursor);

	const cursors: number[] = [];
	const watch = setInterval(() => void fleet.state().then((state) => cursors.push(state.cursor)), 5);
	await worker();
	await fleet.calm();
	clearInterval(watch);
	const [hung, again, next, ...more] = fleet.digests().slice(before);
	expect(more).toEqual([]);
	// The dead one's digest to its end, and nothing that came later; that is the next one.
	expect(hung).toContain('before the fall');
	expect(again).toContain('before the fall');
	expect(again).not.toContain('after the fall');
	expect(next).toContain('after the fall');
	expect(next).not.toContain('before the fall');
	const steps = [...new Set(cursors)];
	const last = await fleet.lastSeq();
	for (const at of steps) expect([cursor, wake?.upTo, last]).toContain(at);
	expect(steps).toEqual([...steps].sort((left, right) => left - right));
	expect((await fleet.state()).cursor).toBe(last);
}, 180_000);
