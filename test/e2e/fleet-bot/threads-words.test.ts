import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { idOf, openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
beforeAll(async () => {
	rig = await openWordsRig();
}, 90_000);
afterAll(() => rig?.close());

const threads = async (name: string) => (await rig.control.state({})).channels.filter((one) => one.name === name);
/** The bot's line under a message. */
const line = (channel: string, messageId: string, contains: string) =>
	eventually(`the line says ${contains}`, async () =>
		(await rig.control.messages({ channel, replyTo: messageId })).find(({ text }) => text.includes(contains)),
	);

test('FLT-15 a session that speaks to people gets a thread with a header, its words are in it once, and ping nobody', async () => {
	const api = await rig.working('api', 'api-fix');
	expect(await threads('api-fix')).toEqual([]);
	const words = 'Done with the **parser**.\n\n@everyone see [this](https://example.com/x).';
	await rig.bench.report([
		api.say('text', { text: words, toPerson: true }),
		api.say('text', { text: 'thinking aloud' }),
	]);
	const [thread] = await eventually('the thread is there', async () => {
		const found = await threads('api-fix');
		return found.length > 0 ? found : undefined;
	});
	const threadId = thread?.id ?? '';
	const said = await rig.said(threadId, 'Done with the **parser**.');
	expect(said.text).toMatch(/^\*\*api-fix:\*\*\nDone/);
	expect(said.text).toContain('[this] (https://example.com/x)');
	expect(said.pings).toEqual([]);
	const header = await rig.said('fleet', '**api-fix** · 🔵 working');
	expect(header.thread?.id).toBe(threadId);
	await rig.bench.report([api.say('text', { text: 'And tested.', toPerson: true })]);
	await rig.said(threadId, 'And tested.');
	expect(await rig.all(threadId, 'thinking aloud')).toEqual([]);
	expect(await rig.all(threadId, 'Done with')).toHaveLength(1);
	expect(await threads('api-fix')).toHaveLength(1);

	const edits = async () =>
		(await rig.control.requests({ limit: 1_000 })).filter(
			({ method, path }) => method === 'PATCH' && path.endsWith(`/messages/${header.id}`),
		).length;
	await rig.bench.report([api.say('finished', { text: 'all green' })]);
	await eventually('the header follows', async () =>
		(await rig.control.messageById({ message: header.id })).text.includes('🟢 finished'),
	);
	const before = await edits();
	await rig.bench.report([api.say('alive')]);
	await rig.bench.report([api.say('text', { text: 'Bye.', toPerson: true })]);
	await rig.said(threadId, 'Bye.');
	await new Promise((resolve) => setTimeout(resolve, 2_000));
	expect(await edits()).toBe(before);
}, 60_000);

test('FLT-15 people write to a session in its thread: queued or with ! at once, and see what became of it', async () => {
	await rig.working('web', 'web-ui');
	const threadId = await rig.thread('web-ui');
	const queued = await rig.say(threadId, 'use tabs');
	await line(threadId, queued.id, '📨 queued');
	const urgent = await rig.say(threadId, '! stop the build');
	await line(threadId, urgent.id, '⚡ 📨');
	const items = await eventually('both wait', async () => {
		const found = await rig.inbox('web');
		return found.length === 2 ? found : undefined;
	});
	expect(items).toMatchObject([
		{ kind: 'message', mode: 'queue', text: 'use tabs', from: { role: 'person', whoId: queued.author.id } },
		{ kind: 'message', mode: 'interrupt', text: 'stop the build' },
	]);
	await rig.acknowledge('web', items[0]?.seq ?? 0);
	await line(threadId, queued.id, '✅ delivered');
	expect((await line(threadId, urgent.id, '⚡')).text).toContain('📨');
	await rig.bench.post(`/fleet/sessions/${idOf('web')}/refuse`, {
		itemId: items[1]?.id,
		why: 'it cannot be interrupted',
	});
	await line(threadId, urgent.id, '❌ not delivered: it cannot be interrupted');
	// One line for each, however often it changed.
	expect(await rig.control.messages({ channel: threadId, replyTo: queued.id })).toHaveLength(1);
	expect(await rig.control.messages({ channel: threadId, replyTo: urgent.id })).toHaveLength(1);
}, 60_000);

test('FLT-15 FLT-17 who may not write to a session is told so; bots and empty messages reach nobody', async () => {
	await rig.working('own', 'ours');
	const threadId = await rig.thread('ours');
	const foreign = await rig.say(threadId, 'delete everything', 'sam');
	await line(threadId, foreign.id, 'Not sent');
	const empty = await rig.say(threadId, '!');
	await line(threadId, empty.id, 'no text');
	expect(await rig.bench.stores.inbox.pending(idOf('own'))).toBe(0);
	// Neither the room nor an intake takes such words.
	expect(rig.house.heard()).toEqual([]);
}, 60_000);

test('FLT-15 the header gives the transcript on demand, mutes, and stops after asking which', async () => {
	const log = await rig.working('log', 'logger');
	await rig.bench.report([log.say('text', { text: 'I read the manual', role: 'agent' })]);
	const threadId = await rig.thread('logger');
	// In its thread no name is needed.
	expect((await rig.command('session show', {}, 'sam', threadId)).message?.allText).toContain('logger');
	const header = await rig.control.messageById({ message: threadId });
	expect(header.controls.map(({ label }) => label)).toEqual(['Transcript', 'Mute', 'Stop…']);
	const shown = await rig.press(header, 'Transcript', 'sam');
	expect(shown.message?.text).toContain('agent: I read the manual');
	expect((await rig.press(header, 'Mute', 'sam')).message?.text).toContain('for operators');
	await rig.press(header, 'Mute');
	await eventually('the header says so', async () =>
		(await rig.control.messageById({ message: threadId })).allText.includes('muted'),
	);
	const asked = await rig.press(header, 'Stop…');
	await rig.press(asked.message, 'Stop the session');
	expect((await rig.inbox('log'))[0]).toMatchObject({ kind: 'stop' });
}, 60_000);

test('FLT-15 D08 an archived thread is opened again by words, stays shut for a muted session; a deleted one is made anew', async () => {
	const old = await rig.working('old', 'oldie');
	const threadId = await rig.thread('oldie');
	const isArchived = async () => (await threads('oldie')).find(({ id }) => id === threadId)?.archived;
	await rig.control.threadState({ thread: threadId, archived: true });
	await rig.bench.report([old.say('text', { text: 'Back again.', toPerson: true })]);
	await rig.said(threadId, 'Back again.');
	expect(await isArchived()).toBe(false);

	await rig.command('session mute', { session: 'oldie', value: 'on' });
	await rig.control.threadState({ thread: threadId, archived: true });
	const quiet = await rig.working('quiet', 'quiet-one');
	await rig.bench.report([old.say('text', { text: 'Muted words.', toPerson: true })]);
	await rig.bench.report([quiet.say('text', { text: 'Fence.', toPerson: true })]);
	await eventually('what came later is there', async () => (await threads('quiet-one')).length === 1);
	expect(await isArchived()).toBe(true);

	await rig.command('session mute', { session: 'oldie', value: 'off' });
	await rig.control.deleteChannel({ channel: threadId });
	await rig.bench.report([old.say('text', { text: 'A new home.', toPerson: true })]);
	const again = await eventually('another thread', async () =>
		(await threads('oldie')).find(({ id }) => id !== threadId),
	);
	await rig.said(again.id, 'A new home.');
}, 60_000);

test('FLT-15 the last words of a run are read where somebody wrote to the session, and open no thread elsewhere', async () => {
	const api = await rig.working('ends', 'ends-here');
	const other = await rig.working('silent', 'silent-end');
	const threadId = await rig.thread('ends-here');
	await rig.bench.report([
		api.say('finished', { text: 'Done: one page changed.' }),
		other.say('finished', { text: 'Done too.' }),
	]);
	await rig.said(threadId, 'Done: one page changed.');
	await rig.bench.report([
		other.say('working'),
		api.say('working'),
		api.say('finished', { text: 'Nothing more to do.' }),
	]);
	await rig.said(threadId, 'Nothing more to do.');
	expect(await rig.all(threadId, 'Done')).toHaveLength(1);
	expect((await rig.control.state({})).channels.map(({ name }) => name)).not.toContain('silent-end');
}, 60_000);

test('FLT-15 FLT-16 what the concierge relays to a session can be read in its thread, and opens none', async () => {
	await rig.working('to', 'target');
	const relay = (text: string) => ({
		at: Date.now(),
		kind: 'concierge_sent' as const,
		sessionId: idOf('to'),
		sessionName: 'target',
		cause: { role: 'concierge' as const, who: 'concierge', whoId: 'k1' },
		text,
	});
	await rig.bench.stores.feed.append([relay('"too early", asked by Ria')]);
	const other = await rig.working('other', 'other');
	await rig.bench.report([other.say('text', { text: 'Fence.', toPerson: true })]);
	await eventually('what came later is there', async () => (await threads('other')).length === 1);
	expect(await threads('target')).toEqual([]);
	const threadId = await rig.thread('target');
	await rig.bench.stores.feed.append([relay('"the parser is *done*", asked by Ria')]);
	const said = await rig.said(threadId, 'relays to it');
	expect(said.text).toContain(String.raw`the parser is \*done\*`);
	expect(await rig.all(threadId, 'too early')).toEqual([]);
}, 60_000);

test('FLT-15 the way of a message from a card is shown in the thread when it did not arrive', async () => {
	const item = { id: 'f-1523456789012345678', kind: 'message' as const, mode: 'queue' as const, text: 'from a card' };
	await rig.working('card', 'carded');
	await rig.bench.desks.messageDesk.send(idOf('card'), item, { who: 'Ria', whoId: '1000000000000000001' });
	await rig.bench.post(`/fleet/sessions/${idOf('card')}/refuse`, { itemId: item.id, why: 'it takes none' });
	const [thread] = await eventually('a thread for it', async () => {
		const found = await threads('carded');
		return found.length > 0 ? found : undefined;
	});
	expect((await rig.said(thread?.id ?? '', 'not delivered')).text).toContain('it takes none');
}, 60_000);

test('FLT-15 a file on a message stays on Discord: the sender is told so, the session gets its address', async () => {
	await rig.working('filed', 'filed');
	const threadId = await rig.thread('filed');
	const file = (name: string) => ({ name, text: 'a,b\n1,2\n', contentType: 'text/csv' });
	const send = (text: string, ...names: string[]) =>
		rig.control.message({ as: 'alex', channel: threadId, text, attachments: names.map(file) });
	const both = await send('! use these figures', 'figures.csv');
	const told = await line(threadId, both.id, '⚡ 📨');
	expect(told.text).toMatch(/^-# 📎 “figures\.csv” not passed on as a file\. .*\n-# ⚡ 📨/);
	const alone = await send('', 'a.csv', 'b.csv', 'c.csv', 'd.csv');
	expect((await line(threadId, alone.id, '📨 queued')).text).toContain('“a.csv”, “b.csv”, “c.csv” +1');
	const items = await eventually('both wait', async () => {
		const found = await rig.inbox('filed');
		return found.length === 2 ? found : undefined;
	});
	const [first, second] = items;
	const [url] = both.attachments.map((one) => one.url);
	expect(first?.mode).toBe('interrupt');
	expect(first?.text).toMatch(
		/^use these figures\n\n\[attached on Discord and not passed on as a file; .*\]\n- figures\.csv /,
	);
	expect(first?.text).toContain(url);
	expect(second?.text?.split('\n- ')).toHaveLength(5);
	await rig.acknowledge('filed', first?.seq ?? 0);
	expect((await line(threadId, both.id, '✅ delivered')).text, 'the note stays').toContain('not passed on as a file');
}, 60_000);
