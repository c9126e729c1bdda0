import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StartRequest, StartResult } from '../../../core/fleet/session-control.ts';
import { ALEX, idOf, openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
let wanted: StartRequest[] = [];
let result: StartResult;
beforeAll(async () => {
	rig = await openWordsRig({
		fleet: {
			startDesk: {
				hosts: async () => [
					{ host: 'laptop', directories: ['/home/ria/projects', '/srv/shop'], seenAt: Date.now() },
					{ host: 'server', directories: ['/srv/api'], seenAt: Date.now() },
				],
				async start(_, request) {
					wanted.push(request);
					return result;
				},
			},
		},
	});
}, 90_000);
beforeEach(() => {
	wanted = [];
});
afterAll(() => rig?.close());

const suggest = async (focused: string, options: Record<string, string>) => {
	const given = { name: 'x', directory: '/', ...options };
	const seen = await rig.control.autocomplete({
		as: 'alex',
		channel: 'fleet',
		command: 'session start',
		focused,
		options: given,
		until: 'complete',
	});
	return seen.choices?.map(({ value }) => value);
};

test('FLT-15 FLT-3 a session that is started belongs to whoever started it and has its thread at once', async () => {
	await rig.working('new', 'shop');
	result = { kind: 'started', sessionId: idOf('new'), name: 'shop' };
	const options = { name: 'shop', directory: '/srv/shop', task: 'Build it', model: 'big' };
	const started = await rig.command('session start', options);
	expect(wanted).toEqual([{ ...options, ownerId: ALEX }]);
	const threadId = /<#(\d+)>/.exec(started.message?.text ?? '')?.[1] ?? '';
	const threads = (await rig.control.state({})).channels.filter(({ name }) => name === 'shop');
	expect(threads.map(({ id }) => id)).toEqual([threadId]);
}, 60_000);

test('FLT-15 a start that is refused says why, what to do, and that nothing runs', async () => {
	const refusals = [
		['directory_not_allowed', '/srv/api (server)'],
		['name_taken', 'Choose another'],
		['too_many', '/session stop'],
		['not_installed', 'fleet.pi.command'],
		['not_ready', 'did not get ready'],
		['no_such_file', 'Nothing was started'],
	] as const;
	for (const [code, words] of refusals) {
		result = { kind: 'refused', code, why: `because of ${code}` };
		const refused = await rig.command('session start', { name: 'x', directory: '/etc' });
		expect(refused.message?.text).toContain(words);
		expect(refused.message?.text).toContain('because of');
	}
}, 60_000);

test('FLT-15 folders and machines are suggested from what machines offer, and a folder below one stays as typed', async () => {
	expect(await suggest('directory', { directory: '' })).toEqual(['/home/ria/projects', '/srv/shop', '/srv/api']);
	expect(await suggest('directory', { directory: '', host: 'server' })).toEqual(['/srv/api']);
	expect(await suggest('directory', { directory: '/srv/shop/web' })).toContain('/srv/shop/web');
	expect(await suggest('host', { host: 'ser' })).toEqual(['server']);
}, 60_000);
