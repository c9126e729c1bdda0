import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetSettings } from '../../../config/fleet.ts';
import { writePiLauncher } from '../../../demo/sessions/pi/pi-launcher.ts';
import { createPiRig, type PiRig } from '../../support/pi-rig.ts';

let dir: string;
let project: string;
let rig: PiRig;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), 'mj-scripted-pi-'));
	project = join(dir, "alex's shop");
	await mkdir(project);
	const command = await writePiLauncher(join(dir, "o'bin"));
	rig = createPiRig({
		sessions: join(dir, 'sessions'),
		env: { ...process.env, MAJORDOMO_DEMO_STEP_MS: '30' },
		settings: fleetSettings.parse({ pi: { command, directories: [project] } }).pi,
	});
});
afterEach(async () => {
	await rig.control.close();
	await rm(dir, { recursive: true, force: true });
});

const message = (id: string, text: string) => ({ id, kind: 'message' as const, mode: 'queue' as const, text });

test('FLT-3 the pi of the demo is started, asks how thorough to be, is answered, and finishes', async () => {
	const id = await rig.start('greet', project, { task: 'add a greeting' });
	const question = await rig.openQuestion(id);
	expect(question).toMatchObject({ text: 'How thorough should I be?', kind: 'choice' });
	expect(question.choices.map(({ label }) => label)).toEqual(['A quick look', 'Every file']);
	const answer = { values: ['Every file'] };
	expect(await rig.send(id, { id: 'a1', kind: 'answer', ref: question.ref, answer })).toEqual({ kind: 'delivered' });
	const done = await rig.until(id, 'finished');
	expect(done.summary).toContain("Done: 'add a greeting' (Every file)");
	expect(done.cost.totalUsd).toBeGreaterThan(0);

	// A second run asks nothing until it is about to run something.
	await rig.send(id, message('m1', 'now deploy it'));
	const leave = await rig.openQuestion(id);
	expect(leave).toMatchObject({ kind: 'permission', context: 'npm run deploy' });
	expect(await rig.send(id, { id: 'x1', kind: 'abort' })).toEqual({ kind: 'delivered' });
	await rig.until(id, 'idle');
	await rig.send(id, message('m2', 'fail, please'));
	expect((await rig.until(id, 'failed')).runReason).toContain('gave up');
}, 60_000);

test('FLT-3 it is taken up again by its file, with what was said in it', async () => {
	const id = await rig.start('keep', project, { task: 'add a greeting' });
	const question = await rig.openQuestion(id);
	await rig.send(id, { id: 'a1', kind: 'answer', ref: question.ref, answer: { values: ['A quick look'] } });
	const done = await rig.until(id, 'finished');
	await rig.control.close();
	const again = createPiRig(
		{
			sessions: join(dir, 'sessions'),
			env: process.env,
			settings: fleetSettings.parse({
				pi: { command: join(dir, "o'bin", 'pi'), directories: [project] },
			}).pi,
		},
		{},
		rig.fleet,
	);
	rig = again;
	expect(await again.control.adopt([done], new AbortController().signal)).toEqual({ resumed: 1, ended: 0 });
	const lines = await again.control.transcript(again.session(id), 10, new AbortController().signal);
	expect(lines?.join('\n')).toContain('user: add a greeting');
}, 60_000);
