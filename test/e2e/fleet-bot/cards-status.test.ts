import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ConciergeState } from '../../../core/fleet/concierge-state.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { RIA } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { ALEX, type CardRig, type CardRigOptions, openCardRig, SAM, SCHEMA } from './card-rig.ts';

let redis: TestRedis;
let rig: CardRig;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterAll(() => redis.stop());
afterEach(() => rig.close());
const open = async (options?: CardRigOptions) => {
	rig = await openCardRig(redis, options);
};

const HOSTED = {
	id: 'anthropic/claude-haiku-4-5',
	isLocal: false,
	price: { input: 1, output: 5, cacheRead: 0, cacheWrite: 0 },
};

const status = () => rig.post('concierge · ');
const statuses = async () => (await rig.posts()).filter(({ text }) => text.startsWith('concierge · '));
/** Writes what the concierge's own turns would have written. */
const change = async (more: Partial<ConciergeState>) => {
	const { state, version } = await rig.bench.stores.concierge.read();
	expect(await rig.bench.stores.concierge.commit(version, { ...state, ...more })).toBe(true);
	// Any event has the line looked at; this one says nothing about anybody.
	await rig.say('ticker', 'summary', { text: `at ${Date.now()}` });
};

describe('the status line', () => {
	test('FLT-12 is one message, edited in place, and says who needs somebody; the presence carries the short form', async () => {
		// No upkeep of the bot helps the presence along.
		await open({ house: { timings: { upkeepMs: 600_000 } } });
		const first = await rig.post('concierge · off · nothing runs');
		await rig.ask('api-fix', SCHEMA);
		const second = await rig.post('needs you: api-fix asks: Which schema should I use?');
		expect(second.id).toBe(first.id);
		expect(second.text).toMatch(/\(<t:\d+:R>\)$/);
		expect(second.pings).toEqual([]);
		const activity = async () => (await rig.control.state({})).bots[0]?.activity;
		await eventually(async () => (await activity()) === 'needs you: api-fix');

		await rig.ask('ui-fix', SCHEMA);
		await rig.post('api-fix asks: Which schema should I use?', 'and 1 more');
		await eventually(async () => (await activity()) === 'needs you: api-fix +1');
		await rig.house.deps.site.setPaused(true);
		await eventually(async () => (await activity()) === 'paused by an admin');
		await rig.house.deps.site.setPaused(false);
		await rig.say('api-fix', 'idle');
		await rig.say('ui-fix', 'idle');
		await rig.post('concierge · off · nothing runs');
		await eventually(async () => (await activity())?.startsWith('1 room') === true);
		expect((await statuses()).map(({ id }) => id)).toEqual([first.id]);

		await rig.control.delete({ as: 'alex', message: first.id });
		await eventually(async () => (await statuses()).length === 1);
		expect((await statuses())[0]?.id).not.toBe(first.id);
	});

	test('FLT-12 shows what is new, the budget that is spent, and a wake that the hourly limit holds', async () => {
		await open({ price: HOSTED, isWorking: false });
		await rig.bench.desks.conciergeDesk.on(RIA);
		const { state } = await rig.bench.stores.concierge.read();
		await change({ cursor: state.cursor, greet: false });
		expect((await rig.post('concierge · ', '$0.00 today', ' new')).text).toMatch(/ · \d+ new$/);
		const day = new Date().toISOString().slice(0, 10);
		await change({ spend: { day, usd: 1.01 } });
		await rig.post("over today's budget of $1.00", '$1.01 today');
		await change({ spend: { day, usd: 0.25 }, retryFor: 'cap', retryAt: Date.now() + 600_000 });
		await rig.post('held: 60 wakes this hour', '$0.25 today');
		await change({ retryAt: 0, failures: 2, lastError: { at: Date.now(), code: 'overloaded', text: '' } });
		await rig.post('model failed: overloaded (2 times)');
	});

	test('FLT-12 is written at most about once a second, however much happens', async () => {
		await open();
		await status();
		const from = (await rig.control.requests({})).at(-1)?.seq ?? 0;
		const startedAt = Date.now();
		for (let round = 0; round < 12; round += 1) {
			await rig.say('busy', round % 2 === 0 ? 'working' : 'idle');
			await rig.say(`other-${round}`, 'working');
		}
		await rig.post('concierge · off · ', 'sessions work');
		const seconds = (Date.now() - startedAt) / 1_000;
		const { id } = await status();
		const edits = await rig.control.requests({ after: from, method: 'PATCH', path: `/messages/${id}` });
		expect(edits.length).toBeGreaterThan(0);
		expect(edits.length).toBeLessThanOrEqual(seconds + 2);
	});
});

describe('needs without the concierge', () => {
	test('FLT-20 while the concierge may speak a card waits for its words; when it is silent, code posts the card', async () => {
		await open({ price: HOSTED, isWorking: false, settings: { cardAfterMs: 2_500 } });
		await rig.bench.desks.conciergeDesk.on(RIA);
		const asked = await rig.ask('quiet', SCHEMA);
		const said = await rig.ask('told', SCHEMA);
		const item = { id: 'cards:1', at: Date.now(), kind: 'cards' as const, needIds: [said.questionId] };
		await rig.bench.stores.outbox.add({ ...item, headline: 'told cannot choose **its** schema @everyone' });
		const worded = await rig.card('told asks');
		expect(worded.text).toBe(`<@${ALEX}> told cannot choose \\*\\*its\\*\\* schema @everyone`);
		expect(worded.pings).toEqual(['alex']);
		const { openedAt } = await rig.question(asked);
		const card = await rig.card('quiet asks');
		expect(card.atMs - openedAt).toBeGreaterThanOrEqual(2_400);
		expect(card.text).toBe(`<@${ALEX}>`);
		expect(await rig.cards('told asks')).toHaveLength(1);
	});

	test('FLT-20 FLT-19 a concierge that is out of money or whose model fails holds no card back', async () => {
		await open({ price: HOSTED, isWorking: false, settings: { cardAfterMs: 600_000 } });
		await rig.bench.desks.conciergeDesk.on(RIA);
		await change({ failures: 1 });
		await rig.ask('broken', SCHEMA);
		await rig.card('broken asks');
		await rig.bench.stores.outbox.add({
			id: 'notice:1',
			at: Date.now(),
			kind: 'notice',
			text: `The model failed 3 times.\n- broken question: <@${SAM}> # @everyone`,
			mention: [ALEX],
		});
		const notice = await rig.post('The model failed 3 times.');
		expect(notice.pings).toEqual(['alex']);
		expect(notice.text).toContain('\n- broken question');
	});
});

describe('reminders', () => {
	test('FLT-13 an open question is brought up again at most three times, then only the status line shows it', async () => {
		await open({ settings: { reminderAfterMs: [300, 300, 300, 300] } });
		const asked = await rig.ask('patient', SCHEMA);
		const card = await rig.card('patient asks');
		const reminders = async () => (await rig.posts()).filter(({ text }) => text.includes('still waits for an answer'));
		await rig.card('patient asks', 'reminded 3 of 3');
		await eventually(async () => (await reminders()).length === 3);
		for (const reminder of await reminders()) {
			expect(reminder.replyTo?.id).toBe(card.id);
			expect(reminder.pings).toEqual(['alex']);
		}
		// Two more looks, and nothing comes of them.
		for (let look = 0; look < 2; look += 1) {
			await rig.say('witness', 'summary', { text: `look ${look}` });
			await new Promise((resolve) => setTimeout(resolve, 1_100));
		}
		expect(await reminders()).toHaveLength(3);
		expect((await rig.question(asked)).reminders).toBe(3);
		await rig.post('needs you: patient asks');
	});

	test('FLT-13 a muted session is not brought up again and gets no new card; the status line still shows it', async () => {
		await open({ settings: { reminderAfterMs: [1_500] } });
		const hushed = await rig.ask('hushed', SCHEMA);
		const card = await rig.card('hushed asks');
		const pressed = await rig.press(card, 'Mute');
		expect(pressed.message?.text).toContain('hushed is muted');
		const muted = await rig.card('hushed asks', '· muted');
		expect(muted.controls.map(({ label }) => label)).toContain('Unmute');
		await rig.say('hushed', 'question', { question: { ref: 'ask-2', kind: 'text', text: 'And the port?' } });
		await rig.ask('loud', SCHEMA);
		await rig.card('loud asks', 'reminded 1 of 3');
		expect(await rig.cards('And the port?')).toHaveLength(0);
		expect((await rig.posts()).filter(({ text }) => text.includes('hushed still waits'))).toHaveLength(0);
		await rig.post('needs you: hushed asks');
		// One that was on its way when the session was muted.
		const late = { at: Date.now(), kind: 'notice' as const, mention: [ALEX], sessionId: hushed.sessionId };
		const id = `reminder:${hushed.questionId}:1:1`;
		await rig.bench.stores.outbox.add({ ...late, id, text: 'hushed still waits for an answer' });
		await rig.bench.stores.outbox.add({ ...late, id: 'said:1', text: 'hushed is on my mind' });
		expect((await rig.post('hushed is on my mind')).pings).toEqual([]);
		expect((await rig.posts()).filter(({ text }) => text.includes('hushed still waits'))).toHaveLength(0);
		await rig.press(muted, 'Unmute');
		await rig.card('hushed asks', 'And the port?');
	});
});
