import { afterAll, beforeAll, expect, test } from 'vitest';
import { taskScript } from '../../support/kill-rounds.ts';
import { type HouseProcess, openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually } from '../../support/redis.ts';

const ROOM = 'workshop';
let house: ProcessHouse;

beforeAll(async () => {
	house = await openProcessHouse({
		script: taskScript,
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = 3_600_000;
			overseer.gate.idleHeartbeatMs = 0;
			overseer.cooldowns.lightMs = 0;
			overseer.budget = { perMinute: 3, perHour: 10 };
		},
	});
	await (await house.load('bot')).open();
}, 120_000);
afterAll(() => house.close());

/** Asks for one thing and waits for its end; gives the last row of the call and what the model was told of blocked tools. */
async function ask(task: string, tool: string) {
	const since = Date.now();
	const requests = house.model.control.requests().length;
	const { control } = house.discord;
	const asked = await control.message({ as: 'sam', channel: 'room', text: `overseer, task ${task}` });
	await control.waitMessage({ channel: 'room', after: asked.id, author: 'Majordomo', timeoutMs: 60_000 });
	const row = await eventually('the call has an end', async () => {
		const rows = await house.stores.audit.query({ room: ROOM, tool, limit: 20 });
		return rows.find(({ at, step }) => at >= since && step !== 'proposed' && step !== 'running');
	});
	const body = house.model.control.requests()[requests]?.body as { messages: { content: string }[] };
	const text = body.messages.map(({ content }) => content).join('\n');
	return { row, blocked: text.split('blocked_tools:')[1] ?? '', available: text.split('blocked_tools:')[0] ?? '' };
}

test('OPS-15 OVR-22 OVR-12 cooldown and budget hold in another process and after kill -9, with the seconds that are left', async () => {
	const first: HouseProcess = await house.load('worker');
	await first.open();
	expect((await ask('lift_up', 'lift_up')).row.step).toBe('confirmed');
	await first.kill();
	const second = await house.load('worker');
	await second.open();
	const third = await house.load('worker');
	await third.open();

	const refused = await ask('lift_down', 'lift_down');
	const left = Number(/- lift_down\(\) reason=cooldown remaining=(\d+)s/.exec(refused.blocked)?.[1]);
	expect(left).toBeGreaterThan(0);
	expect(left).toBeLessThanOrEqual(25);
	expect(refused.available).not.toContain('- lift_down(');
	expect(refused.row).toMatchObject({ step: 'blocked' });
	expect(refused.row.reasons?.[0]).toMatchObject({ code: 'cooldown' });
	expect(refused.row.reasons?.[0]?.remainingMs).toBeLessThanOrEqual(25_000);

	// Three a minute: the lift was one, two lamps are left, whichever of the two processes runs them.
	expect((await ask('ha_set_entity light.shelf off', 'ha_set_entity')).row.step).toBe('confirmed');
	expect((await ask('ha_set_entity light.bench on', 'ha_set_entity')).row.step).toBe('confirmed');
	const spent = await ask('ha_set_entity light.corner off', 'ha_set_entity');
	expect(spent.row.step).toBe('blocked');
	expect(spent.row.reasons?.map(({ code }) => code)).toContain('rate_limit');
	const rest = Number(/- ha_set_entity\([^)]*\) reason=rate_limit remaining=(\d+)s/.exec(spent.blocked)?.[1]);
	expect(rest).toBeGreaterThan(0);
	expect(rest).toBeLessThanOrEqual(60);
	expect(house.home.control.world().entities['light.corner']?.state).toBe('on');

	await second.kill();
	await third.kill();
	const fourth = await house.load('worker');
	await fourth.open();
	const still = await ask('neato_start', 'neato_start');
	expect(still.blocked).toMatch(/- neato_start\(\) reason=rate_limit remaining=\d+s/);
	expect(still.row.step).toBe('blocked');
	expect(house.home.control.calls().filter(({ domain }) => domain === 'vacuum')).toEqual([]);
	expect(await fourth.end()).toBe(0);
}, 180_000);
