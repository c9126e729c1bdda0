import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findTraces } from '../../../adapters/redis/people/working-data.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { erasePerson, exportPerson, findPerson } from '../../../core/operations/people.ts';
import { personHolders } from '../../../scripts/store/person-holders.ts';
import { type FleetBench, LAPTOP, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { INTAKE_KEY, intakeTestSettings } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const TOM = { who: 'Tomasz', whoId: '100000000000000002' };
const FREE_QUESTION = { question: { ...SCHEMA_QUESTION.question, freeText: true } };
let server: TestRedis;
let bench: FleetBench;
beforeAll(async () => {
	server = await startTestRedis();
});
afterEach(async () => {
	await bench.close();
	await server.flush();
});
afterAll(() => server.stop());

const holders = () =>
	personHolders(bench.redis, { intake: intakeTestSettings(), environment: { intakeKeys: [INTAKE_KEY] } });

/** A fleet in which Ria and Tomasz both answered, wrote, asked and watched. Both sessions ask, one session is Ria's. */
async function stockFleet() {
	bench = await openFleet(server);
	const { stores, desks } = bench;
	for (const [name, person] of [
		['api', RIA],
		['web', TOM],
	] as const) {
		const session = reporter(name, `${name}-fix`);
		await bench.report([session.say('started'), session.say('question', FREE_QUESTION)], LAPTOP);
		await bench.report([session.say('text', { text: `typed by the owner of ${name}`, role: 'person' })], LAPTOP);
		const id = sessionId('script', 'laptop', name);
		const [question] = await stores.questions.bySession(id);
		await desks.questionDesk.answer(question?.id ?? '', { values: [], text: `marzipan for ${name}` }, person);
		const put = await stores.inbox.put(id, {
			id: `m-${name}`,
			at: Date.now(),
			kind: 'message',
			from: { role: 'person', ...person },
			mode: 'queue',
			text: `nougat for ${name}`,
		});
		expect(put.kind).toBe('queued');
		await stores.watches.put({
			id: `w-${name}`,
			sessionId: id,
			when: 'any',
			at: 1,
			askedBy: { ...person, text: `tell me when ${name} is done` },
		});
		await stores.feed.append([
			{ at: Date.now(), kind: 'message', sessionId: id, cause: { role: 'person', ...person }, text: `caramel ${name}` },
		]);
		await own(id, person.whoId);
	}
	const { state, version } = await stores.concierge.read();
	const ask = (person: typeof RIA) => ({ id: `a-${person.who}`, at: 1, ...person, text: 'praline?', replyTo: {} });
	await stores.concierge.commit(version, { ...state, id: 'c1', asks: [ask(RIA), ask(TOM)] });
	await stores.memory.write({
		summary: '',
		turns: [{ id: 't', at: 1, why: 'question', input: `Ria (${RIA.whoId}) asks`, folded: false, steps: [] }],
	});
}

async function own(id: string, ownerId: string): Promise<void> {
	const { sessions } = bench.stores;
	const [view] = [await sessions.load(id, [], [])].flat();
	if (!view?.session) throw new Error('the session is there');
	const change = {
		session: { ...view.session, ownerId },
		version: view.version,
		questions: [],
		events: [],
		reportIds: [],
	};
	expect((await [await sessions.commit(change)].flat()[0])?.kind).toBe('stored');
}

async function wholeFleet(): Promise<string> {
	const held: unknown[] = [];
	const client = bench.redis.handlers;
	for (const key of (await client.keys('*')).filter((each) => each.includes(':fleet}'))) {
		const type = await client.type(key);
		if (type === 'hash') held.push(key, await client.hgetall(key));
		if (type === 'list') held.push(key, await client.lrange(key, 0, -1));
		if (type === 'string') held.push(key, await client.get(key));
		if (type === 'stream') held.push(key, await client.xrange(key, '-', '+'));
	}
	return JSON.stringify(held);
}

test('OPS-16 an export has what the person answered, wrote, asked and owns in the fleet, and nothing of others', async () => {
	await stockFleet();
	const person = await findPerson(RIA.whoId, holders());
	expect(person.names).toContain('Ria');
	const held = (await exportPerson(person, holders())).find(({ holder }) => holder === 'fleet');
	const text = JSON.stringify(held);
	for (const word of [
		'marzipan for api',
		'nougat for api',
		'caramel api',
		'tell me when api',
		'praline',
		'typed by the owner of api',
	])
		expect(text).toContain(word);
	for (const word of ['marzipan for web', 'nougat for web', 'caramel web', 'typed by the owner of web'])
		expect(text).not.toContain(word);
});

test('OPS-16 after deletion neither id, name nor words of the person are in the fleet; sessions and others stay', async () => {
	await stockFleet();
	const before = (await bench.stores.questions.recent(5)).length;
	const person = await findPerson(RIA.whoId, holders());
	await erasePerson(person, holders());
	expect(await findTraces(bench.redis, RIA.whoId)).toEqual([]);
	const text = await wholeFleet();
	for (const word of ['Ria', 'nougat for api', 'caramel api', 'tell me when api', 'typed by the owner of api'])
		expect(text).not.toContain(word);
	for (const word of [TOM.whoId, 'Tomasz', 'marzipan for web', 'nougat for web', 'caramel web', 'tell me when web'])
		expect(text).toContain(word);
	// The rest is still readable as what it is.
	expect(await bench.stores.sessions.list(10)).toHaveLength(2);
	expect(await bench.stores.questions.recent(5)).toHaveLength(before);
	const { state } = await bench.stores.concierge.read();
	expect(state.asks.map(({ who }) => who)).toEqual(['Tomasz']);
	expect((await bench.stores.feed.read(0, 100)).events.length).toBeGreaterThan(3);
	expect(await bench.stores.memory.read()).toEqual({ summary: '', turns: [] });
	// An answer that is on its way arrives, from nobody in particular.
	const [question] = await bench.stores.questions.bySession(sessionId('script', 'laptop', 'api'));
	expect(question).toMatchObject({
		state: 'answered',
		answer: { text: 'marzipan for api' },
		answeredBy: { who: 'someone' },
	});
});

test('OPS-16 what was read of the fleet before the deletion cannot be written back', async () => {
	await stockFleet();
	const { concierge, questions } = bench.stores;
	const before = await concierge.read();
	const [question] = await questions.bySession(sessionId('script', 'laptop', 'api'));
	await erasePerson(await findPerson(RIA.whoId, holders()), holders());
	expect(await concierge.commit(before.version, before.state)).toBe(false);
	if (!question) throw new Error('there is a question');
	expect(await questions.save({ ...question, revision: question.revision + 1 }, [])).toBe(false);
	expect(await findTraces(bench.redis, RIA.whoId)).toEqual([]);
});
