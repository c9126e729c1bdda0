import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { describeTarget } from '../../../adapters/redis/target.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { type AgentPlace, agentHost, createAgentPlace } from '../../support/agent-place.ts';
import { startChild, type TestChild } from '../../support/child.ts';
import { type FleetBench, openFleet, RIA } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

let redis: TestRedis;
let bench: FleetBench;
let alpha: AgentPlace;
let beta: AgentPlace;
const children: TestChild[] = [];
beforeAll(async () => {
	redis = await startTestRedis();
	[alpha, beta] = await Promise.all([createAgentPlace(), createAgentPlace()]);
});
afterEach(async () => {
	await Promise.all(children.splice(0).map((child) => child.end('SIGTERM')));
	await bench.close();
	await redis.flush();
});
afterAll(async () => {
	await redis.stop();
	await Promise.all([alpha.close(), beta.close()]);
});

const WAIT_MS = 60_000;
const soon = () => AbortSignal.timeout(WAIT_MS);

async function worker(host: string, place: AgentPlace): Promise<TestChild> {
	const url = describeTarget(redis.where).replace('unix:', 'unix://');
	const child = startChild('test/support/fleet-worker-process.ts', [
		url,
		redis.prefix,
		'http://127.0.0.1:1',
		host,
		place.root,
	]);
	children.push(child);
	await eventually(`a worker is up: ${child.stderr()}`, () => child.lines.includes('up'), WAIT_MS);
	return child;
}
async function session(id: string): Promise<FleetSession> {
	const { session: found } = await bench.stores.sessions.load(id, [], []);
	if (found === undefined) throw new Error(`no session ${id}`);
	return found;
}
const until = (id: string, state: FleetSession['state']) =>
	eventually(`${id} is ${state}`, async () => (await session(id)).state === state, WAIT_MS);
const hosts = async () => (await bench.desks.startDesk.hosts()).map(({ host }) => host).sort();
const wish = (name: string, directory: string, task?: string) => ({
	name,
	directory,
	ownerId: RIA.whoId,
	...(task === undefined ? {} : { task }),
});
async function started(id: string, ...how: Parameters<typeof wish>): Promise<string> {
	const result = await bench.desks.startDesk.start(id, wish(...how), soon());
	if (result.kind !== 'started') throw new Error(`not started: ${JSON.stringify(result)}`);
	return result.sessionId;
}
const openQuestion = (id: string) =>
	eventually(
		'it asks',
		async () => (await bench.stores.questions.bySession(id)).find(({ state }) => state === 'open'),
		WAIT_MS,
	);

describe('two worker processes, one machine each', () => {
	test('FLT-3 FLT-13 FLT-15 a session runs where its folder is offered, and answers, words, abort and stop find it there', async () => {
		bench = await openFleet(redis);
		await Promise.all([worker('alpha', alpha), worker('beta', beta)]);
		await eventually('both machines are there', async () => (await hosts()).join() === 'alpha,beta', WAIT_MS);

		const id = await started('r1', 'api-fix', join(beta.work, 'below'), 'ask me');
		expect(await started('r1', 'api-fix', join(beta.work, 'below'), 'ask me')).toBe(id);
		const other = await started('r2', 'web-ui', alpha.work, 'look around');
		expect((await beta.running()).length).toBe(1);
		expect((await alpha.running()).length).toBe(1);
		expect(await session(id)).toMatchObject({ host: 'beta', source: 'pi', ownerId: RIA.whoId });
		expect(await session(other)).toMatchObject({ host: 'alpha' });

		const question = await openQuestion(id);
		await bench.desks.questionDesk.answer(question.id, { values: ['v2 (migrate)'] }, RIA);
		await until(id, 'finished');
		expect(await session(id)).toMatchObject({ summary: 'took v2 (migrate)', cost: { totalUsd: 0.01 } });
		await eventually('it is shown as delivered', async () => {
			const now = await bench.stores.questions.read(question.id);
			return now?.delivery === 'delivered';
		});

		const send = (itemId: string, kind: 'message' | 'abort' | 'stop', text?: string) =>
			bench.desks.messageDesk.send(
				id,
				{ id: itemId, kind, mode: 'queue', ...(text === undefined ? {} : { text }) },
				RIA,
			);
		await send('m1', 'message', 'work on it');
		await until(id, 'working');
		await send('m2', 'abort');
		await until(id, 'idle');
		const lines = await bench.desks.transcript(id, 20, soon());
		expect(lines).toContain('user: work on it');
		expect(lines).toContain('assistant: took v2 (migrate)');
		await send('m3', 'stop');
		await eventually('it has ended', async () => (await session(id)).endedAt !== undefined, WAIT_MS);
		expect((await session(id)).endReason).toContain('Ria');
		await eventually('its process is gone', async () => (await beta.running()).length === 0, WAIT_MS);
		// Nobody has more of it now than what is stored.
		expect((await bench.desks.transcript(id, 2, soon()))?.length).toBe(2);
		const sent = () => bench.shown.flatMap((item) => (item.kind === 'delivery' ? [item.result.kind] : []));
		await eventually('three words about deliveries', () => sent().length === 3);
		expect(sent()).toEqual(['delivered', 'delivered', 'delivered']);
	}, 180_000);

	test('FLT-3 FLT-17 a worker that is told to stop ends its agents, loses their questions openly and takes the sessions up again', async () => {
		bench = await openFleet(redis);
		const first = await worker('alpha', alpha);
		await eventually('it is there', async () => (await hosts()).length === 1, WAIT_MS);
		const id = await started('r1', 'api-fix', alpha.work, 'look around');
		await until(id, 'finished');
		await bench.desks.messageDesk.send(id, { id: 'm1', kind: 'message', mode: 'queue', text: 'ask me' }, RIA);
		const question = await openQuestion(id);
		await first.end('SIGTERM');
		expect(first.process.exitCode).toBe(0);
		expect(await alpha.running()).toEqual([]);
		expect(await hosts()).toEqual([]);
		expect(await bench.stores.questions.read(question.id)).toMatchObject({ state: 'lost' });
		expect((await session(id)).endedAt).toBeUndefined();
		// What is sent in between waits for it.
		await bench.desks.messageDesk.send(id, { id: 'm2', kind: 'message', mode: 'queue', text: 'go on' }, RIA);
		await worker('alpha', alpha);
		await eventually('it did it', async () => (await session(id)).summary === 'did: go on', WAIT_MS);
		expect(await alpha.running()).toHaveLength(1);
	}, 180_000);
});

describe('one process', () => {
	test('FLT-3 a start that no machine can do is refused with the folders, or given up in time with nothing started', async () => {
		bench = await openFleet(redis);
		const { startDesk } = bench.desks;
		const start = (id: string, more: object, signal = soon()) =>
			startDesk.start(id, { ...wish('x', '/nowhere'), ...more }, signal);
		expect(await start('r1', {})).toMatchObject({ kind: 'refused', code: 'not_ready' });
		// A machine that is held by a process that does nothing.
		await bench.stores.hosts.hold({ host: 'sleepy', directories: ['/srv/code'] }, 'p1', 60_000);
		expect(await start('r2', {})).toMatchObject({ code: 'directory_not_allowed' });
		const refused = await start('r2', {});
		expect(refused.kind === 'refused' && refused.why).toContain('/srv/code');
		expect(await start('r3', { directory: '/srv/code', host: 'other' })).toMatchObject({ code: 'not_ready' });
		const late = await start('r4', { directory: '/srv/code/api' }, AbortSignal.timeout(300));
		expect(late).toMatchObject({ kind: 'failed', why: expect.stringContaining('nothing was started') });
		expect(await bench.stores.hostPost.take('sleepy', 1)).toEqual([]);
		await bench.stores.hosts.hold({ host: 'sleepy', directories: ['/srv/code'] }, 'p1', 1_500);
		const left = await start('r5', { directory: '/srv/code' });
		expect(left).toMatchObject({ kind: 'failed', why: expect.stringContaining('sleepy went away; nothing') });
	}, 60_000);

	test('FLT-13 FLT-4 the record of open questions is set right by what the agent has open, under the same id', async () => {
		bench = await openFleet(redis);
		bench.work({ host: agentHost('here', alpha.root, bench.desks, testLog()) });
		await eventually('it is there', async () => (await hosts()).length === 1, WAIT_MS);
		const id = await started('r1', 'api-fix', alpha.work, 'ask me');
		const question = await openQuestion(id);
		const { source, host, nativeId } = await session(id);
		const report = (eventId: string, kind: 'question_closed' | 'question', data: object) => ({
			v: 1 as const,
			eventId,
			at: Date.now(),
			session: { nativeId },
			kind,
			data,
		});
		const asked = {
			ref: 'ghost',
			kind: 'text' as const,
			text: 'Still there?',
			choices: [],
			multi: false,
			freeText: true,
		};
		await bench.desks.reports.take({ source, host }, [
			report('e1', 'question_closed', { ref: question.ref, how: 'lost' }),
			report('e2', 'question', { question: asked }),
		]);
		const states = async () => {
			const all = await bench.stores.questions.bySession(id);
			return all.map(({ ref, state }) => `${ref === question.ref ? 'real' : ref} ${state}`).sort();
		};
		expect(await states()).toEqual(['ghost open', 'real lost']);
		await eventually('it is set right', async () => (await states()).join() === 'ghost lost,real open', WAIT_MS);
		expect((await openQuestion(id)).id).toBe(question.id);
		await bench.desks.questionDesk.answer(question.id, { values: ['v1 (keep)'] }, RIA);
		await until(id, 'finished');
	}, 120_000);

	test('FLT-15 FLT-4 a session whose machine is gone for good can be stopped, and leaves the list like any other', async () => {
		bench = await openFleet(redis);
		await bench.stores.hosts.hold({ host: 'sold', directories: ['/srv'] }, 'p1', 60_000);
		const origin = { source: 'pi', host: 'sold' };
		const [taken] = await bench.desks.reports.take(origin, [
			{
				v: 1,
				eventId: 'e1',
				n: 1,
				at: Date.now(),
				session: { nativeId: 'x', name: 'old-one' },
				kind: 'working',
				data: {},
			},
		]);
		const id = taken?.sessionId ?? '';
		bench.work();
		const send = (itemId: string, kind: 'message' | 'stop') =>
			bench.desks.messageDesk.send(id, { id: itemId, kind, mode: 'queue', text: 'hi' }, RIA);
		await send('m1', 'message');
		await send('m2', 'stop');
		// While its machine is held, that one decides.
		await eventually('the job ran', async () => (await bench.stores.inbox.pending(id)) === 2);
		expect((await session(id)).endedAt).toBeUndefined();
		await bench.stores.hosts.release('sold', 'p1');
		await eventually('it has ended', async () => (await session(id)).endedAt !== undefined);
		expect((await session(id)).endReason).toContain('stopped by Ria');
		const fared = () =>
			bench.shown.flatMap((item) => (item.kind === 'delivery' ? [`${item.itemId} ${item.result.kind}`] : []));
		await eventually('people see how it fared', () => fared().length >= 2);
		expect(fared().sort()).toEqual(['m1 gone', 'm2 delivered']);
	}, 60_000);
});
