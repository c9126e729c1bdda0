import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let household: TestHousehold;
beforeAll(async () => {
	redis = await startTestRedis();
	household = await openTestHousehold({
		redis,
		change(settings) {
			settings.limits.perPersonPerHour = 1;
			settings.overseer.gate.idleHeartbeatMs = 0;
		},
	});
});
afterAll(async () => {
	await household.stop();
	await redis.stop();
});

const asked = () => household.model.control.requests().filter(({ path }) => path.includes('chat')).length;

test('OPS-18 OVR-7 whoever has used up their hour hears what is used up and when it opens, and no model is asked', async () => {
	household.model.control.always({ kind: 'json', value: { mode: 'CHAT', chat: 'Here I am.', calls: [] } });
	const first = await household.say('alex', 'overseer, are you there?');
	expect((await household.answer(first)).text).toContain('Here I am.');
	const before = asked();
	const second = await household.say('alex', 'overseer, and now?');
	const told = await household.answer(second);
	expect(told.text).toMatch(/used up .+ one person.+did nothing.+after <t:\d+:t>/);
	expect(asked()).toBe(before);
	// Somebody else is answered as ever.
	const other = await household.say('sam', 'overseer, and me?');
	expect((await household.answer(other)).text).toContain('Here I am.');
});
