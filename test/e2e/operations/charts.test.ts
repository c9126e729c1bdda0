import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';

describe('pictures of past days', () => {
	let household: TestHousehold;
	const run = (command: string, as = 'alex', options: Record<string, number> = {}) =>
		household.house.discord.control.command({
			as,
			channel: 'room',
			command,
			options,
			until: 'complete',
			timeoutMs: 20_000,
		});

	beforeAll(async () => {
		household = await openTestHousehold();
	}, 60_000);
	afterAll(() => household.stop());

	test('OPS-10 admins get a picture of what was decided, with words beside it', { timeout: 60_000 }, async () => {
		const asked = await household.say('alex', 'overseer, turn the shelf lamp off');
		await household.answer(asked);
		// Sums are written every two seconds.
		await expect
			.poll(async () => (await run('overseer stats')).message?.text, { timeout: 20_000, interval: 500 })
			.toContain('Decisions: 1');
		const { message } = await run('overseer stats', 'alex', { days: 7 });
		expect(message?.text).toContain('Last 7 days');
		const [file] = message?.attachments ?? [];
		expect(file?.contentType).toBe('image/png');
		const response = await fetch(file?.url ?? '');
		expect(
			Buffer.from(await response.arrayBuffer())
				.subarray(1, 4)
				.toString(),
		).toBe('PNG');
		const usage = await run('admin usage');
		expect(usage.message?.attachments[0]?.contentType).toBe('image/png');
		expect(usage.message?.text).toMatch(/Calls: [1-9]/);
	});

	test('OPS-10 figures are for admins', async () => {
		const { message } = await run('overseer stats', 'sam');
		expect(message?.allText).toContain('may not');
		expect(message?.attachments).toEqual([]);
	});
});
