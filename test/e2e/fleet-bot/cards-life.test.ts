import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { ALEX, type CardRig, type CardRigOptions, openCardRig, SCHEMA } from './card-rig.ts';

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

/** A thread as the fleet's channel, as an operator may choose. */
const inThread = async (house: CardRig['house']) => {
	const { control } = house;
	const root = await control.message({ as: 'alex', channel: 'fleet', text: 'the fleet lives here' });
	const thread = await control.thread({ as: 'alex', message: root.id, name: 'fleet-thread' });
	return thread.id;
};

describe('the life of a card', () => {
	test('FLT-13 after a restart cards are brought up to date, still work, and lost ones are posted again while open', async () => {
		await open();
		const first = await rig.ask('keeper', SCHEMA);
		const second = await rig.ask('closer', SCHEMA);
		await rig.ask('waiter', SCHEMA);
		const kept = await rig.card('keeper asks');
		const closing = await rig.card('closer asks');
		const lost = await rig.card('waiter asks');
		await rig.stopBot();
		await rig.say('closer', 'idle');
		await rig.control.delete({ as: 'alex', message: lost.id });
		await rig.startBot();

		expect((await rig.card('closer asks', 'moved on without an answer')).id).toBe(closing.id);
		const again = await rig.card('waiter asks');
		expect(again.id).not.toBe(lost.id);
		// It was called for once; what is posted again calls nobody.
		expect(again.pings).toEqual([]);
		expect(lost.pings).toEqual(['alex']);
		const pressed = await rig.press(kept, 'v1 (keep)');
		expect(pressed.message?.text).toContain('On its way to keeper');
		await eventually(async () => (await rig.bench.inbox(first.sessionId)).length === 1);
		expect((await rig.card('keeper asks', 'sending…')).id).toBe(kept.id);
		expect((await rig.question(second)).state).toBe('closed');
		for (const name of ['keeper', 'closer', 'waiter']) expect(await rig.cards(`${name} asks`)).toHaveLength(1);
	});

	test('FLT-13 D11 two processes post a card once, and either takes the press', async () => {
		await open();
		await rig.secondBot();
		const names = ['one', 'two', 'three', 'four'];
		await Promise.all(names.map((name) => rig.ask(name, SCHEMA)));
		for (const name of names) await rig.card(`${name} asks`);
		const card = await rig.card('one asks');
		const pressed = await rig.press(card, 'v1 (keep)');
		expect(pressed.message?.text).toContain('On its way to one');
		await rig.card('one asks', 'sending…');
		for (const name of names) {
			const all = await rig.cards(`${name} asks`);
			expect(all).toHaveLength(1);
			expect(all[0]?.pings).toEqual(['alex']);
		}
		const status = (await rig.posts()).filter(({ text }) => text.startsWith('concierge'));
		expect(status).toHaveLength(1);
	});

	test('FLT-13 a card that somebody deletes is posted again while it is open, and not afterwards', async () => {
		await open();
		await rig.ask('stubborn', SCHEMA);
		const card = await rig.card('stubborn asks');
		await rig.control.delete({ as: 'alex', message: card.id });
		const again = await eventually(async () => {
			const [found] = await rig.cards('stubborn asks');
			if (found === undefined || found.id === card.id) throw new Error('not posted again');
			return found;
		});
		await rig.press(again, 'v1 (keep)');
		const done = await rig.card('stubborn asks', 'Alex answered');
		await rig.control.delete({ as: 'alex', message: done.id });
		await rig.ask('other', SCHEMA);
		await rig.card('other asks');
		expect(await rig.cards('stubborn asks')).toHaveLength(0);
	});

	test('FLT-13 D08 an archived place is opened for a card; a locked one is told to the operators and caught up with', async () => {
		await open({ channelId: inThread, house: { permissions: NO_THREAD_RIGHTS } });
		const thread = rig.settings.channelId ?? '';
		const asked = await rig.ask('archived', SCHEMA);
		const card = await rig.card('archived asks');
		await rig.control.threadState({ thread, archived: true });
		// Answered elsewhere: a press would open the thread by itself.
		const by = { who: 'Alex', whoId: ALEX };
		await rig.bench.desks.questionDesk.answer(asked.questionId, { values: ['v2'] }, by);
		expect((await rig.card('archived asks', 'Alex answered')).id).toBe(card.id);

		await rig.control.threadState({ thread, archived: true, locked: true });
		await rig.ask('shut-out', SCHEMA);
		const warning = await rig.control.waitMessage({ channel: 'admin', after: '0', contains: 'it is locked' });
		expect(warning.text).toContain('unlock it');
		expect(await rig.cards('shut-out asks')).toHaveLength(0);
		await rig.control.threadState({ thread, archived: false, locked: false });
		const late = await rig.card('shut-out asks');
		expect(late.pings).toEqual(['alex']);
		expect((await rig.question(asked)).answeredBy?.whoId).toBe(ALEX);
	});
});

/** Without the right to manage threads: a locked thread stays locked for it. */
const NO_THREAD_RIGHTS = [
	'ViewChannel',
	'SendMessages',
	'SendMessagesInThreads',
	'CreatePublicThreads',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
	'ChangeNickname',
];
