import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { type IntakeRig, openIntakeRig } from './rig.ts';
import type { Walk } from './walk.ts';

let rig: IntakeRig;
let walk: Walk;
/** Holds the model's answers back until they are let go. */
const gate = () => {
	let open = () => {};
	let wait = Promise.resolve();
	return {
		close() {
			wait = new Promise((resolve) => {
				open = resolve;
			});
		},
		open: () => open(),
		wait: () => wait,
	};
};
const begin = async (...options: Parameters<typeof openIntakeRig>) => {
	rig = await openIntakeRig(...options);
	walk = await rig.begin();
	return walk.card('Questions 1 of at most 3');
};
afterEach(() => rig.close());

const state = () => rig.intake.only().state;
const answers = () => rig.intake.only().history.filter(({ kind }) => kind === 'answer');

describe('threads of intakes in trouble', () => {
	test('INT-19 D08 archived while the model thinks: the questions open it again, the round counts once', async () => {
		const model = gate();
		await begin({
			intake: { think: async (_, call) => model.wait().then(() => `D${call.id.slice(-1)}: What is ${call.id}?`) },
		});
		model.close();
		await walk.say('mugs first');
		await eventually(() => rig.intake.only().state === 'RESPONSE_RECEIVED');
		await rig.control.threadState({ thread: walk.threadId, archived: true });
		model.open();
		await walk.card('Questions 2 of at most 3');
		const thread = (await rig.control.state({})).channels.find(({ id }) => id === walk.threadId);
		expect(thread?.archived).toBe(false);
		expect(rig.intake.only().roundCount).toBe(2);
	});

	test('INT-19 D08 locked: suspended, an operator is told once, nothing is sent there; opened: it goes on, nothing is lost', async () => {
		const model = gate();
		await begin({
			intake: { think: async (_, call) => model.wait().then(() => `D${call.id.slice(-1)}: What is ${call.id}?`) },
		});
		model.close();
		await walk.say('mugs first');
		await eventually(() => state() === 'RESPONSE_RECEIVED');
		await rig.control.threadState({ thread: walk.threadId, locked: true, archived: true });
		await eventually(() => state() === 'SUSPENDED');
		const warned = () => rig.control.messages({ channel: 'admin', contains: 'is locked' });
		await eventually(async () => (await warned()).length > 0);
		expect(await warned()).toHaveLength(1);
		const before = await rig.control.requests({ limit: 500 });
		// Something to say comes up meanwhile: it waits for the thread.
		const author = { id: rig.house.discord.people['alex'] ?? '', bot: false };
		const personId = rig.house.discord.people['sam'] ?? '';
		rig.intake.apply(rig.intake.only().id, { kind: 'invite', id: 'i1', author, personId });
		model.open();
		await eventually(() => rig.intake.only().heldReply !== undefined);
		await new Promise((resolve) => setTimeout(resolve, 700));
		const since = await rig.control.requests({ after: before.at(-1)?.seq ?? 0, limit: 500 });
		expect(since.filter(({ method, path }) => method !== 'GET' && path.includes(walk.threadId))).toEqual([]);
		await rig.control.threadState({ thread: walk.threadId, locked: false, archived: false });
		await walk.card('Questions 2 of at most 3');
		await walk.card('Going on where we were');
		await walk.card('Somebody more may answer');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
		expect(await warned()).toHaveLength(1);
	});

	test('INT-19 D08 deleted: cancelled, nothing is handed over, an operator is told', async () => {
		await begin();
		await rig.control.deleteChannel({ channel: walk.threadId });
		await eventually(() => state() === 'CANCELLED');
		expect(rig.intake.only().cancelReason).toBe('thread_deleted');
		expect(rig.intake.packets).toEqual([]);
		await eventually(() => rig.intake.outbox.length === 0);
		const told = () => rig.control.messages({ channel: 'admin', contains: 'was deleted' });
		await eventually(async () => (await told()).length > 0);
		expect(await told()).toHaveLength(1);
	});

	test('INT-19 D08 deleted or locked while the bot was away is found when it comes back', async () => {
		await begin();
		const other = await rig.begin('A diary for bees');
		const [first, second] = [...rig.intake.sessions.keys()];
		const bot = rig;
		await bot.house.control.gatewayFaults({ refuseConnections: true });
		await bot.house.control.gateway({ action: 'drop' });
		await rig.control.deleteChannel({ channel: walk.threadId });
		await rig.control.threadState({ thread: other.threadId, locked: true });
		await rig.control.clearFaults({});
		await rig.restart();
		await eventually(() => rig.intake.sessions.get(first ?? '')?.state === 'CANCELLED');
		await eventually(() => rig.intake.sessions.get(second ?? '')?.state === 'SUSPENDED');
		expect(rig.intake.sessions.get(second ?? '')?.suspension?.reason).toBe('thread_locked');
	});

	test('INT-19 D08 rights lost: suspended with the repair in words; rights back: the waiting card comes', async () => {
		const model = gate();
		await begin({
			house: { timings: { upkeepMs: 200 } },
			intake: { think: async (_, call) => model.wait().then(() => `D${call.id.slice(-1)}: What is ${call.id}?`) },
		});
		model.close();
		await walk.say('mugs first');
		await eventually(() => state() === 'RESPONSE_RECEIVED');
		const deny = ['SendMessagesInThreads'];
		await rig.control.channelPermissions({ channel: 'intake', target: 'Majordomo', deny });
		model.open();
		await eventually(() => state() === 'SUSPENDED');
		expect(rig.intake.only().suspension?.reason).toBe('no_permission');
		await eventually(async () => {
			const [told] = await rig.control.messages({ channel: 'admin', contains: 'may not write in its thread' });
			expect(told?.allText).toContain('Send Messages in Threads');
		});
		await rig.control.channelPermissions({ channel: 'intake', target: 'Majordomo', allow: [], deny: [] });
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
	});

	test('INT-19 INT-20 what was written while the bot was away is the answer, and cards work on after a restart', async () => {
		const card = await begin();
		await rig.control.gatewayFaults({ stallEvents: true });
		await walk.say('mugs first');
		await rig.control.clearFaults({});
		await rig.restart();
		await walk.card('Questions 2 of at most 3');
		expect(answers().map(({ content }) => content)).toEqual(['mugs first']);
		expect((await walk.cards()).filter(({ allText }) => allText.includes('Questions 1 of'))).toHaveLength(1);
		await eventually(async () => {
			const { controls } = await rig.control.messageById({ as: 'alex', message: card.id });
			return controls.some(({ label }) => label === 'Edit answers');
		});
		const old = await walk.press(card, 'Edit answers');
		expect(old.message?.controls[0]?.kind).toBe('select');
	});

	test('INT-20 a card posted by one process is answered by another, and each answer is taken once', async () => {
		await begin();
		const second = await rig.secondBot();
		await walk.say('mugs first');
		const card = await walk.card('Questions 2 of at most 3');
		await second.stop();
		await walk.press(card, 'Skip round');
		await walk.card('Questions 3 of at most 3');
		expect(answers()).toHaveLength(1);
		expect((await walk.cards()).filter(({ allText }) => allText.includes('Questions 2 of'))).toHaveLength(1);
		expect((await walk.cards()).filter(({ allText }) => allText.includes('Whose turn'))).toHaveLength(1);
	});

	test('INT-20 a button of an old card answers honestly and links to the current one; its words are given back', async () => {
		const first = await begin();
		const form = await rig.control.button({ as: 'alex', message: first.id, button: 'Answer' });
		await walk.say('mugs first');
		const second = await walk.card('Questions 2 of at most 3');
		const late = await rig.control.modal({
			as: 'alex',
			interaction: form.id,
			fields: { free: 'words of yesterday' },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(late.message?.text).toContain(`/${walk.threadId}/${second.id}`);
		expect(late.message?.text).toContain('words of yesterday');
		expect(rig.intake.only().roundCount).toBe(2);
		rig.intake.sessions.clear();
		const gone = await walk.press(second, 'Skip round');
		expect(gone.message?.text).toContain('does not exist any more');
	});

	test('INT-19 a card that was deleted is posted again with the next step', async () => {
		await begin();
		const progress = await walk.card('Whose turn');
		await rig.control.delete({ as: 'alex', message: progress.id });
		await walk.say('mugs first');
		await walk.card('Questions 2 of at most 3');
		const again = await walk.card('Whose turn');
		expect(again.id).not.toBe(progress.id);
	});
});
