import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type PiProcess, startPiProcess } from '../../adapters/fleet/pi/pi-process.ts';
import { sessionId } from '../../core/fleet/session.ts';
import { eventually } from '../support/fakes/eventually.ts';
import { type FleetBench, LAPTOP, openFleet, RIA } from '../support/fleet.ts';
import { createPiHome, installPi } from '../support/real-pi.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const installed = await installPi(inject('dataDir'));
const WAIT_MS = 45_000;

describe.skipIf('skipped' in installed)('a pi that somebody started elsewhere', () => {
	let home: Awaited<ReturnType<typeof createPiHome>>;
	let redis: TestRedis;
	let bench: FleetBench;
	let pi: PiProcess | undefined;

	beforeAll(async () => {
		home = await createPiHome('command' in installed ? installed.command : 'pi');
		redis = await startTestRedis();
		bench = await openFleet(redis);
	});
	afterAll(async () => {
		await pi?.end(2_000);
		await bench?.close();
		await redis?.stop();
		await home?.close();
	});

	test('FLT-3 FLT-13 it reports itself, takes an answer and words from outside, and says goodbye', async () => {
		const args = ['--mode', 'rpc', '--no-extensions', '-e', resolve('adapters/fleet/reporters/pi-extension.ts')];
		pi = startPiProcess(
			{
				command: home.settings.command,
				args: [...args, '--session-dir', home.sessions, '--provider', 'loopback', '--model', 'scripted-1'],
				directory: home.work,
				env: { ...home.env, PI_OFFLINE: '1', MAJORDOMO_URL: bench.http.url, MAJORDOMO_TOKEN: LAPTOP },
			},
			() => undefined,
		);
		const state = await pi.ask({ type: 'get_state' }, 90_000);
		const nativeId = state.kind === 'ok' ? (state.data as { sessionId: string }).sessionId : '';
		const id = sessionId('pi-extension', 'laptop', nativeId);
		const session = async () => {
			const found = (await bench.stores.sessions.list(10)).find((one) => one.id === id);
			if (found === undefined) throw new Error(`no session yet; pi: ${JSON.stringify(state)}`);
			return found;
		};
		await eventually(async () => (await session()).state === 'idle', WAIT_MS);

		const choices = [{ label: 'v1' }, { label: 'v2' }];
		home.model.control.queue(
			{ kind: 'calls', calls: [{ name: 'ask_person', arguments: { question: 'Which schema?', choices } }] },
			{ kind: 'text', text: 'v2 it is.' },
			{ kind: 'text', text: 'The docs are written.' },
		);
		await pi.ask({ type: 'prompt', message: 'Migrate.' }, 30_000);
		const question = await eventually(async () => {
			const [open] = await bench.stores.questions.unsettled(10);
			if (open === undefined) throw new Error('no question yet');
			return open;
		}, WAIT_MS);
		expect(question).toMatchObject({ kind: 'choice', text: 'Which schema?', sessionId: id });
		expect((await session()).state).toBe('waiting');
		const item = { at: Date.now(), from: { role: 'person', ...RIA }, mode: 'queue' } as const;
		await bench.stores.inbox.put(id, {
			...item,
			id: 'i1',
			kind: 'answer',
			ref: question.ref,
			answer: { values: ['v2'] },
		});
		await eventually(async () => (await session()).summary === 'v2 it is.', WAIT_MS);
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('The person answered: v2');

		const from = { role: 'concierge', who: 'concierge', whoId: 'c' } as const;
		await bench.stores.inbox.put(id, {
			...item,
			from,
			id: 'i2',
			kind: 'message',
			text: 'From the concierge: docs next.',
		});
		await eventually(async () => (await session()).summary === 'The docs are written.', WAIT_MS);
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('From the concierge: docs next.');
		expect((await session()).cost.totalUsd).toBeGreaterThan(0);
		await eventually(async () => (await bench.stores.inbox.pending(id)) === 0, WAIT_MS);

		await pi.end(5_000);
		await eventually(async () => (await session()).endedAt !== undefined, WAIT_MS);
	});
});
