import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIA } from '../../support/fleet.ts';
import { openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
beforeAll(async () => {
	rig = await openWordsRig();
}, 90_000);
afterAll(() => rig?.close());

const textOf = async (...args: Parameters<WordsRig['command']>) => (await rig.command(...args)).message?.allText ?? '';

test('FLT-5 it is switched on and off by operators, says how it is, and can be made to forget', async () => {
	expect(await textOf('concierge log')).toContain('never on');
	expect(await textOf('concierge status', {}, 'sam')).toMatch(/^off/);
	expect(await textOf('concierge on', {}, 'sam')).not.toContain('is on');
	expect((await rig.bench.stores.concierge.read()).state.on).toBe(false);
	expect(await textOf('concierge on')).toContain('The concierge is on');
	expect(await textOf('concierge on')).toContain('on already');
	expect(await textOf('concierge status')).toMatch(/^on/);
	expect(await textOf('concierge off', { forget: true }, 'sam')).not.toContain('memory');
	expect((await rig.bench.stores.concierge.read()).state.on).toBe(true);
	const { state } = await rig.bench.stores.concierge.read();
	await rig.bench.stores.memory.write({ summary: 'Ria likes v2.', turns: [] });
	expect(await textOf('concierge attach')).toContain('Ria likes v2.');
	expect(await textOf('concierge off')).toContain('memory stays');
	expect(await textOf('concierge off')).toContain('off already');
	await rig.command('concierge on');
	expect((await rig.bench.stores.concierge.read()).state.id).toBe(state.id);
	expect(await textOf('concierge off', { forget: true })).toContain('memory is gone');
	expect(await textOf('concierge attach')).toContain('remembers nothing');
}, 60_000);

test('FLT-16 the log is paged, filtered by session and kind, and names causes', async () => {
	const web = await rig.working('web', 'web-ui');
	await rig.working('api', 'api-fix');
	const many = Array.from({ length: 30 }, (_, index) => web.say('text', { text: `step ${index}`, toPerson: true }));
	await rig.bench.report(many);
	const first = await rig.command('log', {}, 'sam');
	expect(first.message?.allText).toContain('step 29');
	expect(first.message?.allText).not.toContain('step 3"');
	expect(first.message?.controls.map(({ label }) => label)).toEqual(['Older']);
	await rig.press(first.message, 'Older', 'sam');
	const second = await rig.control.messageById({ as: 'sam', message: first.message?.id ?? '' });
	expect(second.allText).toContain('step 17');
	expect(second.allText).not.toContain('step 29');
	await rig.press(second, 'Newest', 'sam');
	expect((await rig.control.messageById({ as: 'sam', message: second.id })).allText).toContain('step 29');

	const kinds = await textOf('log', { session: 'web-ui', kinds: 'states' });
	expect(kinds).toContain('started web-ui');
	expect(kinds).not.toContain('step');
	expect(kinds).not.toContain('api-fix');
	expect(await textOf('log', { kinds: 'on' })).toMatch(/by Alex \(person\)/);
	expect(await textOf('log', { kinds: 'nonsense' })).toContain('no such kind: nonsense');
	expect(await textOf('log', { session: 'nobody' })).toContain('No session is called');
}, 60_000);

test('FLT-2 FLT-16 the last page of the log says how many older events are not kept any more', async () => {
	await rig.working('early', 'early-bird');
	expect(await textOf('log')).not.toContain('not kept any more');
	const { lastSeq } = await rig.bench.stores.feed.readBack(undefined, 1);
	await rig.bench.stores.feed.trim(Date.now() + 10 ** 12);
	await rig.working('late', 'late-bird');
	const left = await textOf('log');
	expect(left).toContain('started late-bird');
	expect(left).toContain(`${lastSeq} events that are not kept any more`);
}, 60_000);

test('FLT-16 FLT-17 its own log holds what it did and said, told apart by id from a session that took its name', async () => {
	await rig.command('concierge on');
	const { state } = await rig.bench.stores.concierge.read();
	const event = (kind: 'concierge_said' | 'message', whoId: string, text: string) => ({
		at: Date.now(),
		kind,
		cause: { role: kind === 'message' ? ('session' as const) : ('concierge' as const), who: 'concierge', whoId },
		text,
	});
	await rig.bench.stores.feed.append([
		event('concierge_said', state.id, 'api-fix needs you'),
		event('message', 'somebody', 'I am the concierge'),
	]);
	const own = await textOf('concierge log');
	expect(own).toContain('api-fix needs you');
	expect(own).toMatch(/api-fix needs you.* · by the concierge/);
	expect(own).not.toContain('I am the concierge');
	await rig.bench.desks.conciergeDesk.off(RIA);
}, 60_000);

test('FLT-5 FLT-14 FLT-15 FLT-16 every command has a line and an example in the help', async () => {
	const help = await textOf('help', { about: 'fleet' });
	const paths = [
		...['on', 'off', 'status', 'log', 'ask', 'attach'].map((name) => `concierge ${name}`),
		...['list', 'show', 'send', 'stop', 'start', 'thread', 'mute'].map((name) => `session ${name}`),
		...['ask', 'log'],
	];
	for (const path of paths) expect(help).toContain(`/${path}\``);
	expect(help).toContain('/log session:api-fix');
}, 60_000);
