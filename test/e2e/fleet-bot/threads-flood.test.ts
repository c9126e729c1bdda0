import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { idOf, openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
afterEach(() => rig?.close());

const replies = (channel: string, messageId: string) => rig.control.messages({ channel, replyTo: messageId });
const numbers = (texts: readonly { text: string }[]) =>
	texts.map(({ text }) => Number(/Flood (\d+)\./.exec(text)?.[1] ?? Number.NaN));
/** A session that says this much at once. */
const flood = async (count: number) => {
	const loud = await rig.working('loud', 'loud-one');
	const threadId = await rig.thread('loud-one');
	const texts = Array.from({ length: count }, (_, index) => ({ text: `Flood ${index + 1}.`, toPerson: true }));
	for (let at = 0; at < count; at += 50)
		await rig.bench.report(texts.slice(at, at + 50).map((text) => loud.say('text', text)));
	return { threadId, loud };
};

test('FLT-15 a session with two hundred texts delays nobody: what another says meanwhile stands before the flood is over', async () => {
	rig = await openWordsRig();
	const calm = await rig.working('calm', 'calm-one');
	const calmThread = await rig.thread('calm-one');
	const { threadId: loudThread } = await flood(200);
	await eventually('the flood has begun', async () => (await rig.all(loudThread, 'Flood')).length > 0);
	await rig.bench.report([calm.say('text', { text: 'Only this.', toPerson: true })]);
	const said = await rig.said(calmThread, 'Only this.', 60_000);
	await rig.said(loudThread, 'Flood 200.', 120_000);
	const flooded = await rig.all(loudThread, 'Flood');
	expect(numbers(flooded)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
	expect(flooded.filter(({ id }) => BigInt(id) > BigInt(said.id)).length).toBeGreaterThan(20);
}, 240_000);

test('FLT-15 D11 a bot that ends in the middle of a flood goes on where it was: every text once, in order, also those of others', async () => {
	rig = await openWordsRig();
	const calm = await rig.working('calm', 'calm-one');
	const calmThread = await rig.thread('calm-one');
	const { threadId: loudThread } = await flood(60);
	await eventually('the flood has begun', async () => (await rig.all(loudThread, 'Flood')).length > 0);
	await rig.bench.report([calm.say('text', { text: 'Only this.', toPerson: true })]);
	await rig.said(calmThread, 'Only this.', 60_000);
	await rig.stopBot();
	const before = (await rig.all(loudThread, 'Flood')).length;
	expect(before).toBeLessThan(60);
	await rig.startBot();
	await rig.bench.report([calm.say('text', { text: 'And this.', toPerson: true })]);
	await rig.said(calmThread, 'And this.', 60_000);
	await rig.said(loudThread, 'Flood 60.', 120_000);
	expect(numbers(await rig.all(loudThread, 'Flood'))).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
	expect(await rig.all(calmThread, 'Only this.')).toHaveLength(1);
}, 240_000);

test('FLT-15 OPS-12 many messages to a session reach it without waiting for their lines, which are edited one a second', async () => {
	rig = await openWordsRig();
	await rig.working('busy', 'busy-one');
	const threadId = await rig.thread('busy-one');
	const from = (await rig.control.requests({})).at(-1)?.seq ?? 0;
	const said = await Promise.all(Array.from({ length: 8 }, (_, index) => rig.say(threadId, `Do ${index}.`)));
	said.sort((left, right) => Number(BigInt(left.id) - BigInt(right.id)));
	const edits = async () =>
		(await rig.control.requests({ after: from, route: 'PATCH /channels/:id/messages/:id' })).filter(({ path }) =>
			path.startsWith(`/channels/${threadId}/`),
		);
	const items = await eventually('all of it waits for the session', async () => {
		const found = await rig.bench.inbox(idOf('busy'));
		return found.length === 8 ? found : undefined;
	});
	const soFar = (await edits()).length;
	expect(items.map(({ text }) => text)).toEqual(said.map(({ text }) => text));
	for (const { id } of said)
		await eventually('its line says so', async () => (await replies(threadId, id))[0]?.text.includes('📨'), 30_000);
	expect(soFar).toBeLessThan(5);
	const times = (await edits()).map(({ atMs }) => atMs);
	for (const [index, at] of times.entries())
		if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(950);
}, 120_000);

test('FLT-15 D11 what a dead bot posted without noting that is not posted again, however much and however long ago', async () => {
	let aheadMs = 0;
	rig = await openWordsRig({ house: { deps: { clock: { now: () => Date.now() + aheadMs } } } });
	const store = rig.bench.redis;
	const [cursorKey = ''] = await store.ask((client) => client.keys('*thread-cursor'));
	const cursor = (await store.ask((client) => client.get(cursorKey))) ?? '';
	const { threadId: loudThread, loud } = await flood(150);
	await rig.said(loudThread, 'Flood 150.', 60_000);
	await rig.stopBot();
	// As if it had died before any note, and nobody held anything any more, not even Discord its nonces.
	const claims = await store.ask((client) => client.keys('*fleet-event-*'));
	await store.ask((client) =>
		client
			.multi()
			.set(cursorKey, cursor)
			.del(...claims)
			.exec(),
	);
	await rig.control.clock({ advanceMs: 10 * 60_000 });
	aheadMs = 60_000;
	await rig.startBot();
	await rig.bench.report([loud.say('text', { text: 'Flood 151.', toPerson: true })]);
	await rig.said(loudThread, 'Flood 151.', 120_000);
	expect(numbers(await rig.all(loudThread, 'Flood'))).toEqual(Array.from({ length: 151 }, (_, index) => index + 1));
}, 240_000);
