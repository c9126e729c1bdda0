import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { InboxDraft } from '../../core/fleet/inbox-item.ts';
import type { ModelStep } from '../../demo/model/model-step.ts';
import { eventually } from '../support/fakes/eventually.ts';
import { createPiRig, type PiRig } from '../support/pi-rig.ts';
import { createPiHome, installPi } from '../support/real-pi.ts';

const installed = await installPi(inject('dataDir'));
const ask: ModelStep = {
	kind: 'calls',
	calls: [
		{
			name: 'ask_person',
			arguments: {
				question: 'Which schema should I use?',
				context: 'v2 changes every table.',
				choices: [{ label: 'v1', description: 'keep it' }, { label: 'v2' }],
			},
		},
	],
};

describe.skipIf('skipped' in installed)('a real pi', () => {
	let home: Awaited<ReturnType<typeof createPiHome>>;
	let rig: PiRig;

	beforeAll(async () => {
		home = await createPiHome('command' in installed ? installed.command : 'pi');
	});
	afterAll(async () => home?.close());
	beforeEach(() => {
		home.model.control.reset();
		rig = createPiRig(home, { timing: { resumeMs: 200 } });
	});
	afterEach(async () => rig?.control.close());

	test('FLT-3 a session starts, works on its task, finishes and costs money', async () => {
		home.model.control.queue({ kind: 'text', text: 'The tests pass now.', promptTokens: 1_000, outputTokens: 200 });
		const id = await rig.start('api-fix', home.work, { task: 'Fix the tests.' });
		const session = await rig.until(id, 'finished');
		expect(session).toMatchObject({
			name: 'api-fix',
			source: 'pi',
			summary: 'The tests pass now.',
			model: 'scripted-1',
		});
		expect(session.tail.map(({ role, text }) => [role, text])).toEqual([
			['person', 'Fix the tests.'],
			['agent', 'The tests pass now.'],
		]);
		expect(session.cost.totalUsd).toBeCloseTo(0.002, 6);
		expect(rig.fleet.reports.map(({ kind }) => kind)).toEqual([
			'started',
			'idle',
			'working',
			'text',
			'text',
			'finished',
		]);
		expect(await rig.control.transcript(session, 10, AbortSignal.timeout(10_000))).toEqual([
			'user: Fix the tests.',
			'assistant: The tests pass now.',
		]);
	});

	test('FLT-3 FLT-13 a question with choices comes out, and the answer pressed reaches the model', async () => {
		home.model.control.queue(ask, { kind: 'text', text: 'v2 it is.' });
		const id = await rig.start('ask', home.work, { task: 'Migrate.' });
		const question = await rig.openQuestion(id);
		expect(question).toMatchObject({
			kind: 'choice',
			text: 'Which schema should I use?',
			context: 'v2 changes every table.',
			freeText: true,
			choices: [
				{ label: 'v1', value: 'v1', description: 'keep it' },
				{ label: 'v2', value: 'v2' },
			],
		});
		expect(rig.session(id).state).toBe('waiting');
		const open = await rig.control.openQuestions(rig.session(id), AbortSignal.timeout(10_000));
		expect(open?.map(({ ref }) => ref)).toEqual([question.ref]);
		expect(await rig.send(id, { mode: 'interrupt', text: 'hurry' })).toMatchObject({ kind: 'blocked' });

		const answer: Partial<InboxDraft> = {
			id: 'answer-1',
			kind: 'answer',
			ref: question.ref,
			answer: { values: ['v2'] },
		};
		expect(await rig.send(id, answer)).toEqual({ kind: 'delivered' });
		expect(await rig.send(id, answer)).toEqual({ kind: 'delivered' });
		expect(await rig.send(id, { ...answer, id: 'answer-2' })).toMatchObject({ kind: 'gone' });
		await rig.until(id, 'finished');
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('The person answered: v2');
		expect(home.model.control.requests()).toHaveLength(2);
	});

	test('FLT-3 FLT-10 a relay during a run waits for its end and is marked as the concierge’s', async () => {
		home.model.control.queue(ask, { kind: 'text', text: 'Done with v1.' }, { kind: 'text', text: 'Noted.' });
		const id = await rig.start('relay', home.work, { task: 'Migrate.' });
		const question = await rig.openQuestion(id);
		const from = { role: 'concierge', who: 'concierge', whoId: 'c' } as const;
		const text = 'From the concierge, not from a person: the schema file moved.';
		expect(await rig.send(id, { from, text })).toEqual({ kind: 'queued' });
		expect(home.model.control.requests()).toHaveLength(1);
		await rig.send(id, { kind: 'answer', ref: question.ref, answer: { values: [], text: 'v1 please' } });
		await eventually(() => rig.session(id).summary === 'Noted.', 30_000);
		expect(
			rig
				.session(id)
				.tail.filter(({ role }) => role === 'concierge')
				.map((line) => line.text),
		).toEqual([text]);
		expect(JSON.stringify(home.model.control.requests()[1]?.body)).toContain('v1 please');
	});

	test('FLT-3 an abort ends a slow run and an open question, and is no failure', async () => {
		home.model.control.queue(ask);
		const id = await rig.start('abort', home.work, { task: 'Migrate.' });
		const question = await rig.openQuestion(id);
		expect(await rig.send(id, { kind: 'abort' })).toEqual({ kind: 'delivered' });
		await rig.until(id, 'idle');
		expect(rig.fleet.questions.get(question.id)?.state).toBe('closed');

		home.model.control.queue({ kind: 'text', text: 'slow '.repeat(2_000), chunkDelayMs: 50 });
		const before = rig.session(id).cost.totalUsd;
		expect(await rig.send(id, { text: 'Write a lot.' })).toEqual({ kind: 'delivered' });
		await rig.until(id, 'working');
		await home.model.control.waitForRequest(1, 30_000);
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		expect(await rig.send(id, { kind: 'abort' })).toEqual({ kind: 'delivered' });
		await rig.until(id, 'idle');
		expect(rig.session(id).cost.totalUsd, 'an aborted answer was paid for as well').toBeGreaterThan(before);
		expect(rig.fleet.reports.map(({ kind }) => kind)).not.toContain('failed');
	});

	test('FLT-3 a failure counts only after the retries', async () => {
		home.model.control.queue({ kind: 'error', status: 500, times: 20 });
		const id = await rig.start('broken', home.work, { task: 'Try.' });
		const failed = await rig.until(id, 'failed');
		expect(failed.runReason).toContain('500');
		expect(rig.fleet.reports.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
		expect(rig.fleet.reports.filter(({ kind }) => kind === 'working')).toHaveLength(1);
	});

	test('FLT-3 kill -9 in a question: the question is lost, the session is taken up by its file', async () => {
		home.model.control.queue(ask, { kind: 'text', text: 'Going on.' });
		const id = await rig.start('crash', home.work, { task: 'Migrate.' });
		const question = await rig.openQuestion(id);
		const { file } = rig.session(id);
		process.kill(rig.fleet.reports.at(-1)?.session.pid as number, 'SIGKILL');
		await eventually(() => rig.fleet.questions.get(question.id)?.state === 'lost', 30_000);
		const again = await rig.until(id, 'idle');
		expect(again.file).toBe(file);
		expect(again.endedAt).toBeUndefined();
		expect(await rig.send(id, { kind: 'answer', ref: question.ref, answer: { values: ['v2'] } })).toMatchObject({
			kind: 'gone',
		});
		expect(await rig.send(id, { text: 'Go on.' })).toEqual({ kind: 'delivered' });
		await rig.until(id, 'finished');
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('Migrate.');
	});

	test('FLT-3 a restart of the service takes its sessions up again by file, with name, number and cost', async () => {
		home.model.control.queue(ask, { kind: 'text', text: 'Going on.' });
		const id = await rig.start('restart', home.work, { task: 'Migrate.' });
		const question = await rig.openQuestion(id);
		await rig.control.close();
		expect(rig.session(id).endedAt).toBeUndefined();
		const before = rig.session(id);
		const next = createPiRig(home, {}, rig.fleet);
		try {
			expect(await next.control.adopt([before], AbortSignal.timeout(120_000))).toEqual({ resumed: 1, ended: 0 });
			await eventually(() => rig.fleet.questions.get(question.id)?.state === 'lost', 30_000);
			const after = await next.until(id, 'idle');
			expect(after.lastReport).toBeGreaterThan(before.lastReport);
			expect(after.name).toBe('restart');
			expect(await next.send(id, { text: 'Go on.' })).toEqual({ kind: 'delivered' });
			await next.until(id, 'finished');
			expect((await readFile(after.file as string, 'utf8')).split('\n')[0]).toContain(after.nativeId);
			expect(await next.send(id, { kind: 'stop' })).toEqual({ kind: 'delivered' });
			await eventually(() => next.session(id).endedAt !== undefined, 30_000);
			expect(next.session(id)).toMatchObject({ state: 'finished', endReason: 'stopped by alex' });
		} finally {
			await next.control.close();
		}
	});

	test('FLT-3 a model that pi does not know is refused at the start', async () => {
		const wish = { name: 'odd', directory: home.work, ownerId: '1', model: 'no-such-model' };
		const result = await rig.control.start(wish, AbortSignal.timeout(120_000));
		expect(result).toMatchObject({ kind: 'failed', code: 'not_ready' });
		expect(rig.fleet.reports).toEqual([]);
	});
});
