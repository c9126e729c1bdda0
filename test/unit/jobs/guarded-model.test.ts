import { expect, test } from 'vitest';
import { limitSettings } from '../../../config/limits.ts';
import type { CallLimits } from '../../../core/access/call-limits.ts';
import type { LimitWindow } from '../../../core/access/limits.ts';
import { type Model, ModelError, type ModelReply, type ModelRequest } from '../../../core/model/model-port.ts';
import { createGuardedModel } from '../../../jobs/guarded-model.ts';
import { createKillSwitch } from '../../../jobs/kill-switch.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { createMemorySite } from '../../support/fakes/memory-stores.ts';
import { eventually } from '../../support/redis.ts';

const NOW = Date.UTC(2026, 4, 3, 12, 20);
const PRICE = { input: 1_000, output: 1_000, cacheRead: 0, cacheWrite: 0 };
const reply = (costUsd?: number): ModelReply => ({
	text: 'yes',
	calls: [],
	usage: { inputTokens: 1, outputTokens: 1, costUsd },
	stop: 'end',
	model: 'm',
	durations: { totalMs: 1 },
	truncated: false,
});
const ASK: ModelRequest = {
	messages: [{ role: 'user', content: 'are you there, and what is the weather like' }],
	maxOutputTokens: 100,
	deadlineMs: 1_000,
	purpose: 'overseer.decide',
	account: { personIds: ['ria'], channelId: 'c1' },
};

/** Counts like the real one, in this process. */
function memoryLimits() {
	const used = new Map<string, number>();
	const limits: CallLimits = {
		async take(windows: readonly LimitWindow[]) {
			const full = windows.find(({ key, amount, max }) => (used.get(key) ?? 0) + amount > max);
			if (full) return { kind: 'full', name: full.name };
			for (const { key, amount } of windows) used.set(key, (used.get(key) ?? 0) + amount);
			return { kind: 'taken' };
		},
		correct: async (key, by) => void used.set(key, (used.get(key) ?? 0) + by),
	};
	const usd = () => [...used].find(([key]) => key.startsWith('usd'))?.[1];
	return { limits, used, usd };
}

function bench(complete: Model['complete'], options: { settings?: object; limits?: CallLimits; price?: boolean } = {}) {
	const counted: string[] = [];
	const metrics = {
		count: (name: string, labels?: Readonly<Record<string, string>>) =>
			void counted.push(`${name} ${Object.values(labels ?? {}).join(' ')}`),
		gauge: () => undefined,
		observe: () => undefined,
	};
	const site = createMemorySite();
	const log = createMemoryLog();
	const killSwitch = createKillSwitch({ site, log, metrics });
	const memory = memoryLimits();
	const asked: ModelRequest[] = [];
	const model = createGuardedModel({
		model: {
			id: 'test/m',
			limits: { contextTokens: 1_000, outputTokens: 500 },
			complete(request) {
				asked.push(request);
				return complete(request);
			},
			check: async () => ({ ok: true, detail: '' }),
		},
		price: () => (options.price ? PRICE : undefined),
		killSwitch,
		limits: options.limits ?? memory.limits,
		settings: () => limitSettings.parse(options.settings ?? {}),
		clock: { now: () => NOW },
		log,
		metrics,
	});
	return { model, site, asked, counted, killSwitch, ...memory };
}

test('OPS-18 a used-up limit is asked for before the model, and told with its name and when it opens', async () => {
	const { model, asked, counted } = bench(async () => reply(), { settings: { perPersonPerHour: 1 } });
	await model.complete(ASK);
	const refused = await model.complete(ASK).catch((error: unknown) => error);
	expect(refused).toBeInstanceOf(ModelError);
	expect(refused).toMatchObject({ code: 'limited', limit: 'person', retryAfterMs: 40 * 60_000, transient: false });
	expect(asked).toHaveLength(1);
	expect(counted).toContain('model_calls_limited_total person overseer.decide');
	// Somebody else's hour is not used up.
	await model.complete({ ...ASK, account: { personIds: ['sam'], channelId: 'c1' } });
	expect(asked).toHaveLength(2);
});

test('OPS-18 calls with a budget of their own count in no other, and still stop in a pause', async () => {
	const { model, used, site } = bench(async () => reply(), { settings: { perDayCalls: 1 } });
	const digest = { ...ASK, account: 'own_budget' as const };
	await model.complete(digest);
	await model.complete(digest);
	expect(used.size).toBe(0);
	await site.setPaused(true);
	await expect(model.complete(digest)).rejects.toMatchObject({ code: 'paused' });
});

test('OPS-18 money counts as the most it may cost while asking, and as what it cost afterwards', async () => {
	let during: number | undefined;
	const priced: ReturnType<typeof bench> = bench(
		async () => {
			during = priced.usd();
			return reply(0.002);
		},
		{ price: true, settings: { perDayUsd: 1 } },
	);
	await priced.model.complete(ASK);
	expect(during).toBeGreaterThan(100_000);
	expect(priced.usd()).toBe(2_000);
	const broken = bench(() => Promise.reject(new ModelError('overloaded', 'x', { transient: true, hint: '' })), {
		price: true,
	});
	await expect(broken.model.complete(ASK)).rejects.toMatchObject({ code: 'overloaded' });
	expect(broken.usd()).toBe(0);
	const late = bench(() => Promise.reject(new ModelError('timeout', 'x', { transient: true, hint: '' })), {
		price: true,
	});
	await expect(late.model.complete(ASK)).rejects.toMatchObject({ code: 'timeout' });
	expect(late.usd()).toBeGreaterThan(0);
	const dear = bench(async () => reply(), { price: true, settings: { perDayUsd: 0.05 } });
	await expect(dear.model.complete(ASK)).rejects.toMatchObject({ code: 'limited', limit: 'day_usd' });
	expect(dear.asked).toHaveLength(0);
});

test('OPS-18 a pause ends the call in flight, and nobody is asked until it is over', async () => {
	const hanging: Model['complete'] = ({ signal }) =>
		new Promise((_, reject) => {
			signal?.addEventListener('abort', () =>
				reject(new ModelError('cancelled', 'gone', { transient: true, hint: '' })),
			);
		});
	const { model, site, asked, killSwitch } = bench(hanging);
	const call = model.complete(ASK).catch((error: unknown) => error);
	await eventually('it is asked', () => asked.length === 1);
	await site.setPaused(true);
	expect(await call).toMatchObject({ code: 'paused', transient: true });
	await expect(model.complete(ASK)).rejects.toMatchObject({ code: 'paused' });
	expect(asked).toHaveLength(1);
	let resumed = 0;
	const deaf = killSwitch.onResume(() => {
		resumed += 1;
	});
	await site.setPaused(false);
	const again = model.complete({ ...ASK, signal: AbortSignal.timeout(5) }).catch((error: unknown) => error);
	// Given up by who asked: that is no pause.
	expect(await again).toMatchObject({ code: 'cancelled' });
	expect([asked.length, resumed]).toEqual([2, 1]);
	deaf();
	await killSwitch.stop();
});

test('OPS-18 without the store nobody is asked', async () => {
	const away = { take: () => Promise.reject(new Error('away')), correct: async () => undefined };
	const { model, asked } = bench(async () => reply(), { limits: away });
	await expect(model.complete(ASK)).rejects.toMatchObject({ code: 'unreachable', transient: true });
	expect(asked).toHaveLength(0);
});

test('OPS-18 a word that got lost is noticed by looking', async () => {
	const site = { ...createMemorySite(), onChange: () => async () => undefined };
	const metrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
	const killSwitch = createKillSwitch({ site, log: createMemoryLog(), metrics, lookEveryMs: 5 });
	const before = killSwitch.signal();
	await site.setPaused(true);
	await eventually('it is noticed', () => before.aborted);
	expect(killSwitch.signal().aborted).toBe(true);
	await site.setPaused(false);
	await eventually('its end is noticed', () => !killSwitch.signal().aborted);
	await killSwitch.stop();
});
