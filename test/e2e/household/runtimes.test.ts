import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { eventually } from '../../support/redis.ts';

let home: TestHousehold;

beforeAll(async () => {
	home = await openTestHousehold({
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = 600_000;
			overseer.gate.debounceMs = 100;
			overseer.panel.minEditMs = 1_000;
		},
	});
});
beforeEach(() => home.model.control.reset());
afterAll(() => home.stop());

const command = (line: string, options: Record<string, string>) =>
	home.house.discord.control.command({ as: 'alex', channel: 'admin', command: line, options });
const panel = async () => {
	const [message] = await home.house.discord.control.messages({ as: 'alex', channel: 'admin', author: 'Majordomo' });
	return message?.allText ?? '';
};
const prompts = () =>
	home.model.control.requests().map(({ body }) => JSON.stringify((body as { messages: unknown }).messages));

test('OVR-28 the runtime is switched without a restart, never both run, and the panel follows', async () => {
	await eventually('the overseer panel', async () => (await panel()).includes('Overseer in Workshop'));

	await command('overseer runtime', { value: 'commentary' });
	home.model.control.queue({ kind: 'text', text: 'Sam takes rover1 out, finally.' });
	home.house.home.control.poke({ kind: 'drive', rover: 'rover1', driver: 'sam' });
	const asked = await home.house.discord.control.waitMessage({
		channel: 'room',
		author: 'Majordomo',
		timeoutMs: 20_000,
	});
	expect(asked.text).toBe('Sam takes rover1 out, finally.');
	expect(prompts().every((prompt) => prompt.includes('the voice beside the track'))).toBe(true);
	expect(prompts().some((prompt) => prompt.includes('available_tools'))).toBe(false);
	await eventually('the commentary panel', async () => (await panel()).includes('commentary only'));
	await eventually('its words on the panel', async () => (await panel()).includes('finally'));

	await command('overseer runtime', { value: 'off' });
	await eventually('the disabled panel', async () => (await panel()).includes('is off in Workshop'));
	home.model.control.reset();
	await home.say('sam', 'overseer, anybody home?');
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	expect(home.model.control.requests()).toHaveLength(0);

	await command('overseer runtime', { value: 'overseer' });
	const again = await home.say('sam', 'overseer, back?');
	await home.answer(again);
	expect(prompts().at(-1)).toContain('available_tools');
	await eventually('the overseer panel again', async () => (await panel()).includes('Overseer in Workshop'));
});

test('OVR-28 the commentator runs no call, whatever the model writes', async () => {
	await command('overseer runtime', { value: 'commentary' });
	const before = home.house.home.control.calls().length;
	home.model.control.queue({ kind: 'text', text: '{"tool":"lift_up","args":{}}' });
	await home.say('sam', 'overseer, lift up!');
	await eventually('asked', () => home.model.control.requests().length > 0);
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	expect(home.house.home.control.calls()).toHaveLength(before);
	expect((await home.botLines()).join('\n')).not.toContain('lift_up');
	await command('overseer runtime', { value: 'overseer' });
});
