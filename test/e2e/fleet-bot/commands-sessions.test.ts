import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { idOf, openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
beforeAll(async () => {
	rig = await openWordsRig();
	for (const [id, name] of [
		['one', 'api-one'],
		['two', 'api-two'],
		['web', 'web-ui'],
	] as const)
		await rig.working(id, name);
}, 90_000);
afterAll(() => rig?.close());

test('FLT-15 FLT-1 sessions are listed, shown with their transcript, and suggested while typing', async () => {
	const listed = await rig.command('session list');
	for (const name of ['api-one', 'api-two', 'web-ui']) expect(listed.message?.allText).toContain(name);
	const shown = await rig.command('session show', { session: 'web', transcript: 20 }, 'sam');
	expect(shown.message?.allText).toContain('web-ui');
	expect(shown.message?.allText).toContain('script on laptop');
	const suggested = await rig.control.autocomplete({
		as: 'alex',
		channel: 'fleet',
		command: 'session show',
		focused: 'session',
		options: { session: 'api' },
		until: 'complete',
	});
	expect(suggested.choices?.map(({ name }) => name.split(' ')[0]).sort()).toEqual(['api-one', 'api-two']);
}, 60_000);

test('FLT-1 X02 a name that fits several is refused with the candidates, an unknown one with what is near', async () => {
	const ambiguous = await rig.command('session send', { session: 'api', text: 'hi', mode: 'queue' });
	expect(ambiguous.message?.text).toMatch(/fits several.*api-two \(s[0-9a-f]{5,}\); api-one \(s[0-9a-f]{5,}\)/);
	expect((await rig.command('session send', { session: 'webui', text: 'hi', mode: 'queue' })).message?.text).toContain(
		'Did you mean web-ui',
	);
	expect(
		(await rig.command('session send', { session: 'concierge', text: 'hi', mode: 'queue' })).message?.text,
	).toContain('concierge itself');
	expect(await rig.bench.stores.inbox.pending(idOf('one'))).toBe(0);
	await rig.command('session send', { session: 'API-ONE', text: 'hi one', mode: 'queue' });
	expect((await rig.inbox('one'))[0]).toMatchObject({ kind: 'message', mode: 'queue', text: 'hi one' });
}, 60_000);

test('FLT-15 FLT-17 only owners and operators send, stop, mute and start; the session hears of nothing else', async () => {
	const refused = [
		await rig.command('session send', { session: 'web-ui', text: 'hi', mode: 'queue' }, 'sam'),
		await rig.command('session stop', { session: 'web-ui' }, 'sam'),
		await rig.command('session mute', { session: 'web-ui', value: 'on' }, 'sam'),
		await rig.command('session start', { name: 'x', directory: '/tmp' }, 'sam'),
		await rig.command('concierge on', {}, 'sam'),
	];
	for (const { message } of refused) expect(message?.text).toContain('for operators of the fleet');
	expect(await rig.bench.stores.inbox.pending(idOf('web'))).toBe(0);
	expect((await rig.session('web'))?.muted).toBeUndefined();
	const help = async (as: string) => (await rig.command('help', {}, as)).message?.allText ?? '';
	expect(await help('sam')).toContain('/session send');
	expect(await help('sam')).not.toContain('/session start');
	expect(await help('alex')).toContain('/session start');
}, 60_000);

test('FLT-15 a stop asks which first, then the session is told, and the thread shows that it was', async () => {
	const asked = await rig.command('session stop', { session: 'api-two' });
	expect(asked.message?.controls.map(({ label }) => label)).toEqual(['Abort its turn', 'Stop the session']);
	expect(await rig.bench.stores.inbox.pending(idOf('two'))).toBe(0);
	const done = await rig.press(asked.message, 'Abort its turn');
	const threadId = /<#(\d+)>/.exec(done.message?.text ?? '')?.[1] ?? '';
	const [item] = await rig.inbox('two');
	expect(item).toMatchObject({ kind: 'abort', mode: 'interrupt' });
	await rig.acknowledge('two', item?.seq ?? 0);
	const line = await rig.said(threadId, 'aborts its turn');
	await eventually('it is shown as delivered', async () =>
		(await rig.control.messageById({ message: line.id })).text.includes('✅'),
	);
}, 60_000);

test('FLT-15 a session is muted and unmuted, and says so', async () => {
	await rig.command('session mute', { session: 'web-ui', value: 'on' });
	expect((await rig.session('web'))?.muted).toBe(true);
	expect((await rig.command('session show', { session: 'web-ui' })).message?.allText).toContain('muted');
	await rig.command('session mute', { session: 'web-ui', value: 'off' });
	expect((await rig.session('web'))?.muted).toBeUndefined();
}, 60_000);
