import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PiDeps } from '../../../../../adapters/fleet/pi/pi-deps.ts';
import { fleetSettings } from '../../../../../config/fleet.ts';
import { eventually } from '../../../../support/fakes/eventually.ts';
import { createMemoryFleet, createPiRig, type PiRig } from '../../../../support/pi-rig.ts';

let root: string;
let work: string;
let rig: PiRig | undefined;
let rigs: PiRig[] = [];

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'majordomo-fake-pi-'));
	work = join(root, 'work');
	await mkdir(join(work, 'below'), { recursive: true });
	await mkdir(join(root, 'elsewhere'));
	await symlink(join(root, 'elsewhere'), join(work, 'link'));
	const tsx = resolve('node_modules/tsx/dist/loader.mjs');
	const run = `#!/bin/sh\nexec "${process.execPath}" --import "${tsx}" "${resolve('test/support/fake-pi-process.ts')}"\n`;
	await writeFile(join(root, 'pi'), run);
	await chmod(join(root, 'pi'), 0o755);
});
afterEach(async () => {
	await Promise.all(rigs.map(({ control }) => control.close()));
	rigs = [];
	await rm(root, { recursive: true, force: true });
});

function open(mood = '', pi: object = {}, more: Partial<PiDeps> = {}): PiRig {
	const settings = fleetSettings.parse({
		pi: { command: join(root, 'pi'), directories: [work], maxSessions: 1, readyTimeoutMs: 20_000, ...pi },
	}).pi;
	const env = { PATH: process.env['PATH'], PI_MOOD: mood, DISCORD_TOKEN: 'secret-1', FLEET_TOKENS: 'secret-2' };
	rig = createPiRig({ sessions: join(root, 'sessions'), env, settings }, more);
	rigs.push(rig);
	return rig;
}
const isRunning = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};
const start = (name: string, directory: string, more: object = {}) =>
	(rig as PiRig).control.start({ name, directory, ownerId: '1', ...more }, AbortSignal.timeout(60_000));

test('FLT-3 a session starts only in an allowed folder, links followed', async () => {
	open();
	for (const folder of ['elsewhere', 'work/link', 'work/../elsewhere', 'work/missing']) {
		expect(await start('x', join(root, folder)), folder).toMatchObject({ code: 'directory_not_allowed' });
	}
	expect(await start('x', 'work')).toMatchObject({ code: 'directory_not_allowed' });
	expect(await start('x', `${work}-not`)).toMatchObject({ code: 'directory_not_allowed' });
	open('', { directories: [] });
	expect(await start('x', work)).toMatchObject({ code: 'directory_not_allowed' });
});

test('FLT-3 the limit holds for starts at the same time, and a file that is no session is not resumed', async () => {
	open();
	const results = await Promise.all(['a', 'b'].map((name) => start(name, join(work, 'below'))));
	expect(results.map(({ kind }) => kind).sort()).toEqual(['refused', 'started']);
	expect(results.find(({ kind }) => kind === 'refused')).toMatchObject({ code: 'too_many' });
	open('', { maxSessions: 5 });
	await writeFile(join(work, 'odd.jsonl'), '{"type":"other"}\n');
	for (const resumeFile of [join(work, 'odd.jsonl'), join(work, 'none.jsonl'), work]) {
		expect(await start('c', work, { resumeFile })).toMatchObject({ kind: 'refused', code: 'no_such_file' });
	}
});

test('FLT-3 a pi that is missing, leaves or stays silent is a result, never an error, and nothing is reported', async () => {
	open('', { command: join(root, 'no-such-pi') });
	expect(await start('x', work)).toMatchObject({ kind: 'failed', code: 'not_installed' });
	open('leaves');
	expect(await start('x', work)).toMatchObject({
		kind: 'failed',
		code: 'not_ready',
		why: expect.stringContaining('3'),
	});
	const silent = open('mute', { readyTimeoutMs: 1_500 }, { timing: { endGraceMs: 1_000 } });
	expect(await start('x', work)).toMatchObject({ kind: 'failed', code: 'not_ready' });
	expect(silent.fleet.reports).toEqual([]);
	open();
	expect(await start('x', work, { model: '--no-session' })).toMatchObject({ kind: 'failed', code: 'not_ready' });
});

test('FLT-17 pi sees none of the bot’s own variables', async () => {
	const here = open('noise');
	const id = await here.start('x', work);
	const [environment = ''] = (await here.control.transcript(here.session(id), 5, AbortSignal.timeout(20_000))) ?? [];
	expect(environment).toContain('PI_MOOD');
	expect(environment).not.toContain('secret-');
});

test('FLT-3 a message that pi refuses failed with its reason, and may be sent again under the same id', async () => {
	const here = open('cross');
	const id = await here.start('x', work);
	const item = { id: 'm1', text: 'hello' };
	expect(await here.send(id, item)).toEqual({ kind: 'failed', why: 'No API key' });
	expect(await here.send(id, item)).toEqual({ kind: 'failed', why: 'No API key' });
	expect(await here.send(id, { kind: 'answer' })).toMatchObject({ kind: 'refused' });
});

test('FLT-3 FLT-4 reports wait while the store is away, in order; a session without a file stays down after a crash', async () => {
	const fleet = createMemoryFleet();
	let isAway = true;
	const sink: PiDeps['sink'] = (origin, reports) =>
		isAway ? Promise.reject(new Error('away')) : fleet.sink(origin, reports);
	const here = open('', {}, { sink });
	const started = await start('x', work);
	expect(started.kind).toBe('started');
	const id = started.kind === 'started' ? started.sessionId : '';
	await new Promise((done) => setTimeout(done, 600));
	expect(fleet.reports).toEqual([]);
	isAway = false;
	await eventually(() => fleet.reports.length >= 2);
	expect(fleet.reports.map(({ kind, n }) => [kind, n])).toEqual([
		['started', 1],
		['idle', 2],
	]);
	process.kill(fleet.reports[1]?.session.pid as number, 'SIGKILL');
	await eventually(() => fleet.sessions.get(id)?.endedAt !== undefined);
	expect(fleet.sessions.get(id)?.endReason).toContain('SIGKILL');
	expect(here.log.lines.some(({ level }) => level === 'error')).toBe(false);
});

test('FLT-3 OPS-15 a signal that ends agent and house together is no crash: the session is not reported as ended', async () => {
	const both = open('', {}, { timing: { leaveMs: 20_000 } });
	const started = await start('x', work);
	expect(started.kind).toBe('started');
	const pid = both.fleet.reports.at(-1)?.session.pid as number;
	process.kill(pid, 'SIGTERM');
	await eventually(() => !isRunning(pid));
	// The house notices before it is told to stop itself.
	await new Promise((done) => setTimeout(done, 500));
	await both.control.close();
	expect(both.fleet.reports.map(({ kind }) => kind)).not.toContain('ended');
	// Alone it is one.
	const alone = open();
	await start('x', work);
	process.kill(alone.fleet.reports.at(-1)?.session.pid as number, 'SIGTERM');
	await eventually(() => alone.fleet.reports.some(({ kind }) => kind === 'ended'));
});

test('FLT-17 an agent that does not go when its session is stopped is made to', async () => {
	const stubborn = open('stays', {}, { timing: { endGraceMs: 300 } });
	const started = await start('x', work);
	const session = stubborn.session(started.kind === 'started' ? started.sessionId : '');
	const pid = stubborn.fleet.reports.at(-1)?.session.pid as number;
	const from = { role: 'person', who: 'alex', whoId: '1' } as const;
	const stop = { id: 'i1', at: Date.now(), kind: 'stop', mode: 'queue', from } as const;
	expect(await stubborn.control.deliver(session, stop, AbortSignal.timeout(30_000))).toEqual({ kind: 'delivered' });
	await eventually(() => stubborn.fleet.sessions.get(session.id)?.endReason === 'stopped by alex');
	expect(isRunning(pid)).toBe(false);
});
