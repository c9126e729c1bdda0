import { afterEach, expect, test } from 'vitest';
import { defaultBotPermissions } from '../../../demo/discord/layout.ts';
import { eventually } from '../../support/redis.ts';
import { idOf, openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
afterEach(() => rig?.close());

const replies = (channel: string, messageId: string) => rig.control.messages({ channel, replyTo: messageId });

test('FLT-15 D11 what was said while the bot was away comes once: to the session and into its thread', async () => {
	rig = await openWordsRig();
	const api = await rig.working('api', 'api-fix');
	const threadId = await rig.thread('api-fix');
	const first = await rig.say(threadId, 'before');
	await eventually('it is answered', async () => (await replies(threadId, first.id)).length === 1);
	await rig.bench.report([api.say('text', { text: 'Said before.', toPerson: true })]);
	await rig.said(threadId, 'Said before.');
	await rig.stopBot();
	const missed = await rig.say(threadId, 'while you were away');
	await rig.bench.report([
		api.say('text', { text: 'Said meanwhile.', toPerson: true }),
		api.say('failed', { text: 'oh' }),
	]);
	await rig.startBot();
	await eventually('it is caught up', async () => (await replies(threadId, missed.id)).length === 1);
	await rig.said(threadId, 'Said meanwhile.');
	const after = await rig.say(threadId, 'after');
	await eventually('the next one too', async () => (await replies(threadId, after.id)).length === 1);
	const items = await rig.inbox('api');
	expect(items.map(({ text }) => text)).toEqual(['before', 'while you were away', 'after']);
	expect(await replies(threadId, first.id)).toHaveLength(1);
	expect(await rig.all(threadId, 'Said before.')).toHaveLength(1);
	expect(await rig.all(threadId, 'Said meanwhile.')).toHaveLength(1);
	await eventually('the header is up to date', async () =>
		(await rig.control.messageById({ message: threadId })).text.includes('🔴 failed'),
	);
	// A delivery that is acknowledged now finds the line that another run of the bot wrote.
	await rig.acknowledge('api', items[0]?.seq ?? 0);
	await eventually('its line is found again', async () => (await replies(threadId, first.id))[0]?.text.includes('✅'));
}, 60_000);

test('FLT-15 D11 Q01 two processes take each message once, post each word once, and make one thread', async () => {
	rig = await openWordsRig();
	await rig.newBot();
	const sessions = await Promise.all(
		['one', 'two', 'three'].map(async (id) => [id, await rig.working(id, `s-${id}`)] as const),
	);
	await rig.bench.report(
		sessions.flatMap(([id, session]) =>
			[1, 2, 3].map((count) => session.say('text', { text: `${id} says ${count}.`, toPerson: true })),
		),
	);
	const threadOf = (id: string) =>
		eventually(`thread of ${id}`, async () =>
			(await rig.control.state({})).channels.find(({ name }) => name === `s-${id}`),
		);
	for (const [id] of sessions) {
		const { id: threadId } = await threadOf(id);
		await rig.said(threadId, `${id} says 3.`);
		const said = (await rig.all(threadId, 'says')).map(({ text }) => text.split('\n')[1]);
		expect(said).toEqual([1, 2, 3].map((count) => `${id} says ${count}.`));
		const message = await rig.say(threadId, `hello ${id}`);
		await eventually('it is answered', async () => (await replies(threadId, message.id)).length > 0);
		expect((await rig.inbox(id)).map(({ text }) => text)).toEqual([`hello ${id}`]);
		expect(await replies(threadId, message.id)).toHaveLength(1);
	}
	const names = (await rig.control.state({})).channels.map(({ name }) => name);
	expect(names.filter((name) => name.startsWith('s-')).sort()).toEqual(['s-one', 's-three', 's-two']);
	expect(await rig.all('fleet', '**s-one** ·')).toHaveLength(1);
	expect(await rig.bench.stores.inbox.pending(idOf('one'))).toBe(1);
}, 60_000);

test('FLT-15 D08 a locked thread is left alone: what was said is in the log, and the operators are told once', async () => {
	const permissions = defaultBotPermissions.filter((one) => one !== 'ManageThreads');
	rig = await openWordsRig({ house: { permissions } });
	const api = await rig.working('api', 'api-fix');
	const threadId = await rig.thread('api-fix');
	await rig.control.threadState({ thread: threadId, locked: true });
	await rig.bench.report([1, 2].map((count) => api.say('text', { text: `Locked out ${count}.`, toPerson: true })));
	const warned = await rig.said('admin', 'cannot be posted');
	expect(warned.text).toContain('api-fix');
	const web = await rig.working('web', 'web-ui');
	await rig.bench.report([web.say('text', { text: 'Others go on.', toPerson: true })]);
	await eventually('others go on', async () =>
		(await rig.control.state({})).channels.some(({ name }) => name === 'web-ui'),
	);
	expect(await rig.all(threadId, 'Locked out')).toEqual([]);
	expect(await rig.all('admin', 'cannot be posted')).toHaveLength(1);
	const posts = (await rig.control.requests({ limit: 1_000 })).filter(
		({ method, path }) => method === 'POST' && path.endsWith(`/channels/${threadId}/messages`),
	);
	expect(posts).toEqual([]);
	expect((await rig.command('log', { kinds: 'message' })).message?.allText).toContain('Locked out 2.');
}, 60_000);

test('FLT-15 D11 Q01 a message whose process died with it in hand is taken by the next one, and what came after waits for it', async () => {
	rig = await openWordsRig({ claimMs: 2_500 });
	await rig.working('api', 'api-fix');
	const threadId = await rig.thread('api-fix');
	await rig.stopBot();
	const held = await rig.say(threadId, 'in hand');
	const next = await rig.say(threadId, 'after it');
	expect(await rig.claims.claim(`fleet-${held.id}`)).toBe(true);
	await rig.startBot();
	await eventually('both are answered', async () => (await replies(threadId, next.id)).length === 1);
	expect((await rig.inbox('api')).map(({ text }) => text)).toEqual(['in hand', 'after it']);
	expect(await replies(threadId, held.id)).toHaveLength(1);
}, 60_000);

test('FLT-15 while the store is away nothing is lost: messages are read again and reach the session once, in order', async () => {
	rig = await openWordsRig();
	await rig.working('api', 'api-fix');
	const threadId = await rig.thread('api-fix');
	await rig.stopBot();
	let failures = 0;
	await rig.newBot({
		messageDesk: {
			async send(...given) {
				failures -= 1;
				if (failures >= 0) throw new Error('the store is away');
				return rig.bench.desks.messageDesk.send(...given);
			},
		},
	});
	const zero = await rig.say(threadId, 'zero');
	await eventually('the way is open', async () => (await replies(threadId, zero.id))[0]?.text.includes('📨'));
	// The look back after the start is over by then, so that what follows comes in live.
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	failures = 3;
	const said = [await rig.say(threadId, 'one'), await rig.say(threadId, '@sam two')];
	for (const { id } of said)
		await eventually('it is on its way', async () => (await replies(threadId, id))[0]?.text.includes('📨'));
	expect((await rig.inbox('api')).map(({ text }) => text)).toEqual(['zero', 'one', '@Sam two']);
	for (const { id } of said) expect(await replies(threadId, id)).toHaveLength(1);
}, 60_000);

test('FLT-15 while the fleet channel is shut, what sessions say waits; once it is open again all of it comes, in order', async () => {
	rig = await openWordsRig();
	const api = await rig.working('api', 'api-fix');
	const shut = { channel: 'fleet', target: 'Majordomo', deny: ['SendMessages'] };
	await rig.control.channelPermissions(shut);
	await rig.bench.report([1, 2].map((count) => api.say('text', { text: `Waiting ${count}.`, toPerson: true })));
	await rig.said('admin', 'cannot be shown');
	expect((await rig.control.state({})).channels.map(({ name }) => name)).not.toContain('api-fix');
	await rig.control.channelPermissions({ ...shut, deny: [] });
	const thread = await eventually('its thread', async () =>
		(await rig.control.state({})).channels.find(({ name }) => name === 'api-fix'),
	);
	await rig.said(thread.id, 'Waiting 2.');
	expect((await rig.all(thread.id, 'Waiting')).map(({ text }) => text.split('\n')[1])).toEqual([
		'Waiting 1.',
		'Waiting 2.',
	]);
}, 60_000);

test('FLT-15 whoever writes in the thread of a session that was forgotten is told so, also when no place of it is stored', async () => {
	rig = await openWordsRig();
	await rig.working('api', 'api-fix');
	const threadId = await rig.thread('api-fix');
	await rig.stopBot();
	const { sessions, places } = rig.bench.stores;
	await sessions.remove(idOf('api'));
	await places.removePlaces([idOf('api')]);
	expect(await places.byThread(threadId)).toBeUndefined();
	await rig.startBot();
	// A thread this young may be one whose place is not noted yet, so it takes some seconds.
	const late = await rig.say(threadId, 'are you there?');
	await eventually(
		'it is answered',
		async () => (await replies(threadId, late.id))[0]?.text.includes('This session is gone'),
		40_000,
	);
}, 90_000);
