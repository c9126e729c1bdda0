import { expect, test } from 'vitest';
import { RIA, reporter } from '../../support/fleet.ts';
import { fleetScene, words } from '../../support/fleet-scene.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { fleetWorkers } from '../../support/fleet-workers.ts';
import { eventually } from '../../support/redis.ts';

const stage = fleetStage({ own: true });
const worker = fleetWorkers(stage);

test('FLT-6 FLT-5 OPS-15 a worker is killed amid a digest: another carries the same one, and the cursor moves once', async () => {
	await stage.open();
	const fleet = fleetScene(stage.bench, stage.ollama.control);
	stage.ollama.control.always(words(''));
	const first = await worker();
	await stage.bench.desks.conciergeDesk.on(RIA);
	await fleet.calm();
	const { cursor } = await fleet.state();
	const before = fleet.digests().length;

	stage.ollama.control.queue({ kind: 'hang' });
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('text', { text: 'before the fall', toPerson: true })]);
	await eventually('its digest hangs', () => stage.ollama.control.state().hanging === 1, 60_000);
	const wake = (await fleet.state()).inFlight?.wake;
	expect(wake).toMatchObject({ why: 'events', tries: 1 });
	await first.end('SIGKILL');
	await stage.bench.report([api.say('text', { text: 'after the fall', toPerson: true })]);
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
