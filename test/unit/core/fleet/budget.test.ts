import { expect, test } from 'vitest';
import { fleetSettings } from '../../../../config/fleet.ts';
import { conciergeModel, findUnpriced } from '../../../../config/fleet-model.ts';
import { parseSettings } from '../../../../config/parse-settings.ts';
import {
	affords,
	attemptUsd,
	estimateUsd,
	isOverBudget,
	lacksPrice,
	withSpent,
} from '../../../../core/fleet/budget.ts';
import { localDay } from '../../../../core/local-day.ts';
import { LOCAL, PAID, settingsOf } from './fixture.ts';

const usage = (input: number, output: number, costUsd?: number) => ({
	inputTokens: input,
	outputTokens: output,
	...(costUsd === undefined ? {} : { costUsd }),
});
const attempt = { promptTokens: 2_000, answerTokens: 10 };

test('FLT-9 cost comes from reported usage and prices, cache included', () => {
	expect(attemptUsd(PAID, { ...attempt, usage: usage(1_000_000, 100_000) })).toBeCloseTo(1.5, 7);
	expect(
		attemptUsd(PAID, {
			...attempt,
			usage: { ...usage(0, 1), cacheReadTokens: 1_000_000, cacheWriteTokens: 1_000_000 },
		}),
	).toBeCloseTo(1.350005, 7);
	expect(attemptUsd(PAID, { ...attempt, usage: usage(5, 5, 0.3) })).toBe(0.3);
	expect(attemptUsd(LOCAL, { ...attempt, usage: usage(9e6, 9e6, 3) })).toBe(0);
});

test('FLT-9 A02 a turn that was broken off and reports nothing is estimated, never free', () => {
	for (const told of [undefined, usage(0, 0), usage(0, 0, 0)]) {
		expect(attemptUsd(PAID, { ...attempt, usage: told })).toBeCloseTo(0.00205, 7);
	}
});

test('FLT-8 the estimate counts the longest answer, and is looked at before the call', () => {
	const estimate = estimateUsd(PAID, 10_000, 1_000);
	expect(estimate).toBeCloseTo(0.015, 7);
	expect(affords({ day: 'd', usd: 0.984 }, estimate, 1)).toBe(true);
	expect(affords({ day: 'd', usd: 0.986 }, estimate, 1)).toBe(false);
	expect(affords({ day: 'd', usd: 99 }, estimate, 0)).toBe(true);
	expect(isOverBudget({ day: 'd', usd: 1 }, 1)).toBe(true);
	expect(estimateUsd(LOCAL, 10_000, 1_000)).toBe(0);
});

test('C01 FLT-8 the day of the budget is a date of the zone, also when the clock is set back', () => {
	expect(localDay(Date.parse('2026-10-24T22:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25');
	expect(localDay(Date.parse('2026-10-25T22:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25');
	expect(localDay(Date.parse('2026-10-25T23:00:00Z'), 'Europe/Berlin')).toBe('2026-10-26');
	let spend = withSpent({ day: '', usd: 0 }, 0.6, Date.parse('2026-10-24T22:30:00Z'), 'Europe/Berlin');
	spend = withSpent(spend, 0.6, Date.parse('2026-10-25T22:30:00Z'), 'Europe/Berlin');
	expect(spend).toEqual({ day: '2026-10-25', usd: 1.2 });
});

test('FLT-9 a paid model without a price under a budget is told at the start, with what to do', () => {
	const common = { provider: 'ollama' as const, name: 'qwen3:8b', prices: {} };
	const fleet = settingsOf({ concierge: { model: 'anthropic/claude-haiku-4-5' } });
	expect(findUnpriced(fleet, common)).toMatch(
		/price for anthropic\/claude-haiku-4-5.*model\.prices.*dailyBudgetUsd: 0/,
	);
	expect(findUnpriced(settingsOf({ concierge: { model: 'anthropic/x', dailyBudgetUsd: 0 } }), common)).toBeUndefined();
	expect(findUnpriced(settingsOf(), common)).toBeUndefined();
	expect(findUnpriced(fleetSettings.parse({ concierge: { model: 'anthropic/x' } }), common)).toBeUndefined();
	const priced = { ...common, prices: { 'anthropic/claude-haiku-4-5': PAID.price! } };
	expect(findUnpriced(fleet, priced)).toBeUndefined();
	expect(conciergeModel({ model: 'none' }, common).id).toBeUndefined();
	expect(conciergeModel({}, common)).toEqual({ id: 'ollama/qwen3:8b', isLocal: true, price: undefined });
	expect(lacksPrice(conciergeModel({ model: 'anthropic/x' }, common), 1)).toBe(true);
});

test('FLT-9 an Ollama model that has a price is a paid one: it costs, and counts against the budget', () => {
	const common = { provider: 'ollama' as const, name: 'big:cloud', prices: { 'ollama/big:cloud': PAID.price! } };
	const model = conciergeModel({}, common);
	expect(model).toMatchObject({ isLocal: false, price: PAID.price });
	expect(estimateUsd(model, 1_000_000, 0)).toBe(1);
	const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
	expect(attemptUsd(model, { usage, promptTokens: 5, answerTokens: 5 })).toBeCloseTo(1.5);
	const local = conciergeModel({ model: 'ollama/small' }, common);
	expect(attemptUsd(local, { usage, promptTokens: 5, answerTokens: 5 })).toBe(0);
});

test('FLT-8 C03 settings are the operator’s: unknown keys and wrong values are named', () => {
	const problems = (yaml: string) => {
		const parsed = parseSettings(yaml);
		return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
	};
	expect(problems('fleet: { concierge: { heartbeat: every 15m } }')).toEqual([]);
	expect(problems('fleet: { concierge: { heartbeat: off } }')).toEqual([]);
	for (const heartbeat of ['every 0m', 'every 15', '"*/15 * * * *"', '"@daily"', '""']) {
		expect(problems(`fleet: { concierge: { heartbeat: ${heartbeat} } }`)).toEqual(['fleet.concierge.heartbeat']);
	}
	expect(problems('fleet: { concierge: { answer: always } }')[0]).toContain('fleet.concierge');
	expect(problems('fleet: { concierge: { model: haiku } }')).toEqual(['fleet.concierge.model']);
	expect(problems('fleet: { timeZone: Mars/Olympus }')).toEqual(['fleet.timeZone']);
});
