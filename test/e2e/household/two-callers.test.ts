import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';

let household: TestHousehold;
beforeAll(async () => {
	household = await openTestHousehold();
}, 60_000);
afterAll(() => household.stop());

test('OVR-4 OVR-7 two people who call at the same moment each get their own answer', { timeout: 60_000 }, async () => {
	const { control } = household.house.discord;
	const [alex, sam] = await Promise.all([
		household.say('alex', 'overseer, turn the shelf lamp off'),
		household.say('sam', 'overseer, turn the bench lamp off'),
	]);
	const answers = async () => {
		const lines = await control.messages({ channel: 'room', author: 'Majordomo' });
		return lines.filter(({ id }) => BigInt(id) > BigInt(alex) && BigInt(id) > BigInt(sam)).map(({ text }) => text);
	};
	await expect.poll(answers, { timeout: 30_000, interval: 300 }).toHaveLength(2);
	const said = (await answers()).join('\n');
	expect(said).toMatch(/shelf/i);
	expect(said).toMatch(/bench/i);
	const { entities } = household.house.home.control.world();
	expect([entities['light.shelf']?.state, entities['light.bench']?.state]).toEqual(['off', 'off']);
});
