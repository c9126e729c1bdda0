import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createOllamaModel } from '../../../adapters/model/ollama.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import { RIA } from '../../support/fleet.ts';
import { eventually } from '../../support/redis.ts';
import { openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
let ollama: LoopbackModel;
beforeAll(async () => {
	ollama = await createLoopbackOllama();
	const model = createOllamaModel({
		baseUrl: ollama.url,
		model: 'scripted',
		numCtx: 16_384,
		maxOutputTokens: 2_000,
		think: false,
		keepAlive: -1,
		temperature: 0,
	});
	rig = await openWordsRig({ model, price: { id: 'ollama/scripted', isLocal: true, price: undefined } });
	await rig.working('api', 'api-fix');
	say('ok');
}, 90_000);
afterEach(() => rig.bench.desks.conciergeDesk.off(RIA));
afterAll(async () => {
	await rig?.close();
	await ollama?.close();
});

const say = (text: string) => ollama.control.always({ kind: 'json', value: { say: text, calls: [] } });
const state = async () => (await rig.bench.stores.concierge.read()).state;
/** On, and told of the fleet as it stands. */
const on = async () => {
	say('ok');
	await rig.bench.desks.conciergeDesk.on(RIA);
	await eventually('it was told', async () => {
		const { greet, inFlight } = await state();
		return !greet && inFlight === undefined;
	});
};
const replies = (messageId: string) => rig.control.messages({ channel: 'fleet', replyTo: messageId });
const replied = (messageId: string) =>
	eventually('the answer', async () => {
		const found = await replies(messageId);
		return found.length > 0 ? found : undefined;
	});
test('FLT-14 D03 a question in the channel is answered once, as a reply that pings the asker and nobody else', async () => {
	await on();
	say(`Ask <@${rig.house.discord.people['casey']}> or @everyone: api-fix works.`);
	const question = await rig.say('fleet', '? what is api-fix doing', 'sam');
	const [answer] = await replied(question.id);
	expect(answer?.text).toContain('api-fix works.');
	expect(answer?.pings).toEqual(['sam']);
	await new Promise((resolve) => setTimeout(resolve, 500));
	expect(await replies(question.id)).toHaveLength(1);
	expect((await rig.control.state({})).typing).toEqual({});
}, 60_000);

test('FLT-14 while the answer is thought of the bot is shown typing', async () => {
	await on();
	ollama.control.queue({ kind: 'json', value: { say: 'There.', calls: [] }, delayMs: 1_500 });
	const question = await rig.say('fleet', '? slow one');
	await eventually('it types', async () =>
		Object.values((await rig.control.state({})).typing)
			.flat()
			.includes('Majordomo'),
	);
	expect((await replied(question.id))[0]?.text).toBe('There.');
}, 60_000);

test('FLT-14 a mention asks as well, a bare one gets a hint, and other talk in the channel is left alone', async () => {
	await on();
	say('All is well.');
	const mention = await rig.say('fleet', '@Majordomo how is the fleet?');
	expect((await replied(mention.id))[0]?.text).toBe('All is well.');
	const bare = await rig.say('fleet', '@Majordomo');
	expect((await replied(bare.id))[0]?.text).toContain('no question');
	const before = ollama.control.requests().length;
	const talk = await rig.say('fleet', 'is it lunch yet?');
	const marks = await rig.say('fleet', '???');
	const fence = await rig.say('fleet', '? fence');
	await replied(fence.id);
	expect(await replies(talk.id)).toEqual([]);
	expect(await replies(marks.id)).toEqual([]);
	expect(ollama.control.requests()).toHaveLength(before + 1);
}, 60_000);

test('FLT-14 /ask from elsewhere is answered in the fleet channel, where the asker is called', async () => {
	await on();
	say('Nothing is blocked.');
	const told = await rig.command('ask', { question: 'what is blocked?' }, 'sam', 'room');
	expect(told.message?.text).toContain(`<#${rig.house.discord.channels['fleet']}>`);
	const answer = await rig.said('fleet', 'Nothing is blocked.');
	expect(answer.text).toContain('asked: what is blocked?');
	expect(answer.pings).toEqual(['sam']);
	expect(await rig.all('room', 'Nothing is blocked.')).toEqual([]);
	// In a session's thread it is answered there.
	const threadId = await rig.thread('api-fix');
	say('It works.');
	await rig.command('concierge ask', { question: 'and this one?' }, 'alex', threadId);
	expect((await rig.said(threadId, 'It works.')).pings).toEqual(['alex']);
}, 60_000);

test('FLT-14 a question mark elsewhere asks nothing: in a thread it is words to the session, in another channel the room’s', async () => {
	await on();
	const before = ollama.control.requests().length;
	const threadId = await rig.thread('api-fix');
	await rig.say(threadId, '? is it the cache');
	const [item] = await rig.inbox('api');
	expect(item).toMatchObject({ kind: 'message', mode: 'queue', text: '? is it the cache' });
	await rig.say('room', '? is it warm');
	await eventually('the room hears it', () => rig.house.heard().join(' ').includes('is it warm'));
	expect(rig.house.heard().join(' ')).not.toContain('cache');
	expect((await state()).asks).toEqual([]);
	expect(
		ollama.control
			.requests()
			.slice(before)
			.map(({ body }) => JSON.stringify(body))
			.join(),
	).not.toContain('[question of');
}, 60_000);

test('FLT-14 D01 a long answer comes in several messages, and only the first one calls', async () => {
	await on();
	say(`${'A line of many words. '.repeat(60)}\n\n${'Another line of words. '.repeat(60)}the end`);
	const question = await rig.say('fleet', '? tell me everything');
	const [answer] = await replied(question.id);
	const rest = await rig.said('fleet', 'the end');
	expect(rest.id).not.toBe(answer?.id);
	expect([answer?.pings, rest.pings]).toEqual([['alex'], []]);
}, 60_000);

test('FLT-14 FLT-5 while it is off people are told so and given the list that code makes', async () => {
	const before = ollama.control.requests().length;
	const question = await rig.say('fleet', '? anyone there');
	const [answer] = await replied(question.id);
	expect(answer?.text).toContain('The concierge is off');
	expect(answer?.text).toContain('api-fix: working');
	const told = await rig.command('ask', { question: 'anyone?' });
	expect(told.message?.text).toContain('The concierge is off');
	expect(told.message?.text).toContain('api-fix: working');
	expect(ollama.control.requests()).toHaveLength(before);
}, 60_000);

test('FLT-14 D11 asked while the bot was away: asked once, answered once, also by two processes', async () => {
	await on();
	await rig.stopBot();
	say('I was away.');
	const before = ollama.control.requests().length;
	const missed = await rig.say('fleet', '? did you miss this');
	await rig.startBot();
	const second = await rig.newBot();
	await replied(missed.id);
	const both = await rig.say('fleet', '? are you two');
	await replied(both.id);
	await rig.stopBot();
	await second.stop();
	await rig.startBot();
	const last = await rig.say('fleet', '? last one');
	await replied(last.id);
	for (const id of [missed.id, both.id, last.id]) expect(await replies(id)).toHaveLength(1);
	expect(ollama.control.requests()).toHaveLength(before + 3);
	const { asks } = await state();
	expect(asks).toEqual([]);
}, 90_000);
