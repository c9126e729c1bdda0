import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';

let home: TestHousehold;

beforeAll(async () => {
	home = await openTestHousehold({ change: ({ overseer }) => (overseer.gate.heartbeatMs = 3_600_000) });
});
afterAll(() => home.stop());

/** Value of one series, 0 where it never counted. */
async function figure(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
	const text = await (await fetch(`${home.httpUrl}/metrics`)).text();
	const fits = (line: string) =>
		line.startsWith(`majordomo_${name}{`) || line.startsWith(`majordomo_${name} `)
			? Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`))
			: false;
	return text
		.split('\n')
		.filter(fits)
		.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

test('OVR-32 what is asked, done, blocked, refused and said is counted, with bounded labels', async () => {
	home.model.control.queue({
		kind: 'json',
		value: {
			mode: 'ACTION+CHAT',
			chat: 'Dark it is.',
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'off' } }],
		},
	});
	await home.answer(await home.say('sam', 'overseer, shelf off'));
	// The lights rest for some seconds now: the same family is refused.
	home.model.control.queue({
		kind: 'json',
		value: {
			mode: 'ACTION+CHAT',
			chat: 'Bright it is.',
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'on' } }],
		},
	});
	await home.answer(await home.say('sam', 'overseer, shelf on again'));
	home.model.control.queue({ kind: 'text', text: '{"thought": "hm"}' }, { kind: 'text', text: '{"thought": "hm"}' });
	await home.say('sam', 'overseer, say something');
	await expect
		.poll(() => figure('overseer_decision_seconds_count'), { timeout: 20_000, interval: 400 })
		.toBeGreaterThanOrEqual(3);

	expect(await figure('overseer_model_calls_total', { trigger: 'direct_address' })).toBeGreaterThanOrEqual(3);
	expect(await figure('model_calls_total', { purpose: 'overseer.decide' })).toBeGreaterThanOrEqual(3);
	expect(await figure('overseer_decisions_total', { mode: 'ACTION+CHAT' })).toBe(2);
	expect(await figure('overseer_actions_total', { tool: 'ha_set_entity', outcome: 'confirmed' })).toBe(1);
	expect(await figure('overseer_calls_blocked_total', { tool: 'ha_set_entity', reason: 'cooldown' })).toBe(1);
	expect(await figure('overseer_invalid_output_total')).toBeGreaterThan(0);
	expect(await figure('overseer_chat_total', { kind: 'direct' })).toBeGreaterThanOrEqual(2);
	expect(await figure('overseer_prompt_tokens_reported_count')).toBeGreaterThanOrEqual(3);
	expect(await figure('overseer_prompt_tokens_estimated_count')).toBeGreaterThanOrEqual(3);
	expect(await figure('overseer_gate_evaluations_total')).toBeGreaterThan(3);
	expect(await figure('overseer_gate_holds_total')).toBeGreaterThan(0);
	expect(await figure('overseer_message_to_model_seconds_count')).toBeGreaterThanOrEqual(3);
	expect(await figure('metrics_misused_total')).toBe(0);
});
