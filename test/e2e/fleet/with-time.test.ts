import { expect, test } from 'vitest';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import type { Model } from '../../../core/model/model-port.ts';
import { fastFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { ask, fleetScene, scriptedOllama, words } from '../../support/fleet-scene.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { eventually } from '../../support/redis.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const stage = fleetStage();

/** A fleet whose clock begins at a time of its own, runs as ours does, and is set forward by hand. */
async function begin(concierge: object, options: { from?: number; price?: ConciergeModel; timeZone?: string } = {}) {
	let ahead = (options.from ?? Date.now()) - Date.now();
	const clock = { now: () => Date.now() + ahead };
	// Nobody is stale by hours that were only jumped over.
	const settings = fastFleet({ staleAfterMs: 30 * 24 * HOUR, timeZone: options.timeZone ?? 'UTC', concierge });
	await stage.open({ settings, clock });
	const scene = fleetScene(stage.bench, stage.ollama.control);
	const local = scriptedOllama(stage.ollama.url);
	const { price } = options;
	stage.bench.work({
		model: price === undefined ? local : withoutCost(local),
		...(price === undefined ? {} : { price }),
	});
	return {
		...scene,
		clock,
		jump(to: number) {
			ahead = to - Date.now();
		},
		held: (reason: string) =>
			eventually(`it is held by ${reason}`, async () => (await scene.state()).hold?.reason === reason),
		/** A question goes through whatever holds digests back; once it is over, whatever else was due has begun as well. */
		async askAndSettle(id: string) {
			stage.ollama.control.queue(words('One session.'));
			await stage.bench.desks.conciergeDesk.ask(ask(id, 'what runs?'));
			await eventually('the answer', () => scene.shown('reply').some((item) => item.ask.id === id), 60_000);
			await eventually('its turn is over', async () => (await scene.state()).inFlight === undefined);
		},
	};
}

/** The provider tells tokens and no money, as most do. */
const withoutCost = (model: Model): Model => ({
	...model,
	complete: async (request) => {
		const reply = await model.complete(request);
		const { costUsd: _, ...usage } = reply.usage;
		return { ...reply, usage };
	},
});

test('FLT-8 past the hourly cap events wait with their wake, people do not, and the next hour brings them all', async () => {
	stage.ollama.control.always(words(''));
	const fleet = await begin({ wakesPerHour: 2, heartbeat: 'off' });
	await stage.bench.desks.conciergeDesk.on(RIA);
	await fleet.calm();
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started')]);
	await fleet.calm();
	expect(fleet.digests()).toHaveLength(2);
	const { cursor } = await fleet.state();

	await stage.bench.report([api.say('text', { text: 'first of the held ones', toPerson: true })]);
	await fleet.held('cap');
	await stage.bench.report([api.say('text', { text: 'second of the held ones', toPerson: true })]);
	await fleet.askAndSettle('q1');
	await fleet.held('cap');
	expect(fleet.digests()).toHaveLength(2);
	expect((await fleet.state()).cursor).toBe(cursor);

	fleet.jump(fleet.clock.now() + HOUR);
	await fleet.calm();
	const [, , released, ...more] = fleet.digests();
	expect(more).toEqual([]);
	expect(released).toContain('first of the held ones');
	expect(released).toContain('second of the held ones');
	expect((await fleet.state()).cursor).toBeGreaterThan(cursor);
}, 90_000);

test('FLT-8 C01 a heartbeat comes after its interval, also over a change of clocks, and is left out while nothing runs', async () => {
	stage.ollama.control.always(words(''));
	// Three minutes before Berlin's clocks go from 03:00 back to 02:00.
	const from = Date.UTC(2026, 9, 25, 0, 57);
	const fleet = await begin({ heartbeat: 'every 15m' }, { from, timeZone: 'Europe/Berlin' });
	await stage.bench.desks.conciergeDesk.on(RIA);
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('working')]);
	await fleet.calm();
	const before = fleet.digests().length;
	// In the doubled hour: not yet.
	fleet.jump(from + 8 * MINUTE);
	await fleet.askAndSettle('q1');
	expect(fleet.digests()).toHaveLength(before);
	fleet.jump(from + 20 * MINUTE);
	await eventually('the heartbeat', () => fleet.digests().length > before);
	await fleet.calm();
	expect(fleet.digests().at(-1)).toContain('<roost-digest why="heartbeat">');
	expect(fleet.digests().at(-1)).toMatch(/nothing happened since \d+m ago/);
	expect(fleet.digests().at(-1)).toContain('api-fix');

	await stage.bench.report([api.say('finished', { text: 'all green' })]);
	await fleet.calm();
	const told = fleet.digests().length;
	fleet.jump(from + 2 * HOUR);
	await fleet.askAndSettle('q2');
	expect(fleet.digests()).toHaveLength(told);
}, 90_000);

test('FLT-8 FLT-9 a budget is looked at before the call, holds digests with their events, and lets a person through', async () => {
	stage.ollama.control.always(words(''));
	const price = { input: 100, output: 500, cacheRead: 0, cacheWrite: 0 };
	const fleet = await begin(
		{ heartbeat: 'off', dailyBudgetUsd: 0.01 },
		{ price: { id: 'anthropic/dear', isLocal: false, price } },
	);
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	await stage.bench.desks.conciergeDesk.on(RIA);
	await fleet.held('budget');
	// Not a single call: what it would have cost was known before.
	expect(stage.ollama.control.requests()).toEqual([]);
	expect(await fleet.state()).toMatchObject({ greet: true, spend: { usd: 0 } });
	await fleet.askAndSettle('q1');
	expect(fleet.digests()).toEqual([]);
	const { spend } = await fleet.state();
	expect(spend.usd).toBeGreaterThan(0);
	await fleet.held('budget');
	// Who waits is shown all the same: its card is due by code.
	expect((await stage.bench.stores.questions.unsettled(5))[0]).toMatchObject({ state: 'open' });
}, 60_000);

test('C01 FLT-8 the budget of a day of 25 hours opens once, at midnight of its own zone', async () => {
	const paid = { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 };
	const anthropic = { id: 'anthropic/paid', isLocal: false, price: paid };
	// 00:30 in Berlin, on the day whose clocks go back; in UTC it is still the day before.
	const from = Date.UTC(2026, 9, 24, 22, 30);
	stage.ollama.control.always({ ...words(''), promptTokens: 1_000_000 });
	const fleet = await begin(
		{ heartbeat: 'off', dailyBudgetUsd: 1 },
		{ from, price: anthropic, timeZone: 'Europe/Berlin' },
	);
	await stage.bench.desks.conciergeDesk.on(RIA);
	await fleet.calm();
	expect((await fleet.state()).spend).toMatchObject({ day: '2026-10-25', usd: 1 });
	await stage.bench.report([reporter('api', 'api-fix').say('started')]);
	await fleet.held('budget');
	const before = fleet.digests().length;
	// Midnight in UTC, then 23:30 of the same long day in Berlin.
	for (const [id, at] of [
		['q1', Date.UTC(2026, 9, 25, 0, 5)],
		['q2', Date.UTC(2026, 9, 25, 22, 30)],
	] as const) {
		fleet.jump(at);
		await fleet.askAndSettle(id);
		await fleet.held('budget');
		expect(fleet.digests()).toHaveLength(before);
		expect((await fleet.state()).spend.day).toBe('2026-10-25');
	}
	fleet.jump(Date.UTC(2026, 9, 25, 23, 0, 1));
	await fleet.calm();
	expect(fleet.digests()).toHaveLength(before + 1);
	expect(fleet.digests().at(-1)).toContain('api-fix · started');
	expect((await fleet.state()).spend).toMatchObject({ day: '2026-10-26', usd: 1 });
}, 90_000);
