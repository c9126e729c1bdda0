import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { findTraces } from '../../../adapters/redis/people/working-data.ts';
import { erasePerson, exportPerson, findPerson } from '../../../core/operations/people.ts';
import { personHolders } from '../../../scripts/store/person-holders.ts';
import { cxpSession, INTAKE_KEY, intakeTestSettings, storesFor } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { ALEX, SAM, stockStore, wholeStore } from './stocked-store.ts';

const holdersOf = (redis: RedisConnection) =>
	personHolders(redis, { intake: intakeTestSettings(), environment: { intakeKeys: [INTAKE_KEY] } });

describe('one person in the store', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let stocked: Awaited<ReturnType<typeof stockStore>>;
	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
	});
	beforeEach(async () => {
		await stocked?.queue.close();
		await server.flush();
		stocked = await stockStore(redis);
	});
	afterAll(async () => {
		await stocked.queue.close();
		await server.stop();
	});

	test('OPS-16 an export holds what the person wrote, did and decided, and nothing that is only of others', async () => {
		const holders = holdersOf(redis);
		const person = await findPerson(ALEX.id, holders);
		expect(person.names).toEqual([ALEX.name]);
		const held = Object.fromEntries((await exportPerson(person, holders)).map(({ holder, items }) => [holder, items]));
		expect(held['transcripts']).toEqual([
			expect.objectContaining({ text: 'the secret word is marzipan' }),
			expect.objectContaining({ text: 'overseer, the lamp please' }),
		]);
		expect(held['bus']).toHaveLength(2);
		expect(held['votes']).toEqual([{ room: 'lab', vote: 'no' }]);
		expect(held['audit']).toHaveLength(2);
		expect(held['notes']).toEqual([{ room: 'lab', slot: '1', text: 'Alexandra likes warm light' }]);
		expect(JSON.stringify(held)).not.toContain('good evening');
		expect(held['working data']?.length).toBeGreaterThan(2);
	});

	test('OPS-16 after deletion neither id, name nor words are found anywhere but in the notes it names', async () => {
		const holders = holdersOf(redis);
		const erased = await erasePerson(await findPerson(ALEX.id, holders), holders);
		expect(erased.flatMap(({ left }) => left)).toEqual([expect.stringContaining('note 1 of room lab')]);
		expect(await findTraces(redis, ALEX.id)).toEqual([]);
		const text = JSON.stringify(Object.entries(await wholeStore(redis)).filter(([key]) => !key.includes(':memory:')));
		expect(text).not.toContain(ALEX.id);
		expect(text).not.toContain(ALEX.name);
		expect(text).not.toContain('marzipan');
	});

	test('OPS-16 deletion takes nothing from others, and the rest of the house stays readable', async () => {
		const holders = holdersOf(redis);
		await erasePerson(await findPerson(ALEX.id, holders), holders);
		const { stores } = stocked;
		const room = await stores.rooms.read('lab', { messages: 10, events: 10 });
		expect(room.messages.map(({ author, text }) => `${author.name}: ${text}`)).toEqual([
			'Samuel: hello someone, and good evening',
			'Overseer: Very well, someone.',
			'Samuel: nothing to do with anybody',
		]);
		expect(room.gate.pending?.addresses[0]).toMatchObject({ authorId: 'deleted-person', authorName: 'someone' });
		expect(await stores.votes.read('lab')).toEqual({ [SAM.id]: 'yes' });
		const rows = await stores.audit.query({ room: 'lab', limit: 10 });
		expect(rows.map(({ id, cause }) => `${id} ${cause}`)).toEqual([
			`r3 ${SAM.id}`,
			'r2 deleted-person',
			'r1 deleted-person',
		]);
		expect((await stocked.queue.getJob('x-1'))?.data).toMatchObject({ cause: 'deleted-person', tool: 'lift_up' });
		expect(await stores.journal.note('decision-2', 'prompt')).toBeDefined();
		expect((await stores.claims.claim('c1', 5)).kind).not.toBe('won');
	});

	test('OPS-16 a gate that was read before the deletion cannot write the name back', async () => {
		const { stores } = stocked;
		const before = await stores.rooms.read('lab', { messages: 10, events: 10 });
		const holders = holdersOf(redis);
		await erasePerson(await findPerson(ALEX.id, holders), holders);
		expect(await stores.rooms.commit('lab', before.version, before.gate, 5_000)).toBe(false);
		expect(await findTraces(redis, ALEX.id)).toEqual([]);
	});

	test('OPS-16 intakes are handed out opened and deleted whole, also where the key is lost; those of others stay', async () => {
		const intakes = storesFor(redis);
		const place = { kind: 'discord', guildId: '1', channelId: '2', threadId: '3' } as const;
		await intakes.work.create(cxpSession({ requesterId: ALEX.id, place }, 'of-alex'), []);
		await intakes.work.create(cxpSession({ requesterId: SAM.id, coOwnerIds: [ALEX.id] }, 'of-sam'), []);
		const person = await findPerson(ALEX.id, holdersOf(redis));
		const held = await exportPerson(person, holdersOf(redis));
		expect(held.find(({ holder }) => holder === 'intakes')?.items).toEqual([
			expect.objectContaining({
				everything: expect.objectContaining({ session: expect.objectContaining({ id: 'of-alex' }) }),
			}),
			{ takesPartIn: 'of-sam' },
		]);
		const keyless = personHolders(redis, { intake: intakeTestSettings(), environment: { intakeKeys: [] } });
		await erasePerson(person, keyless);
		expect(await findTraces(redis, ALEX.id)).toEqual([]);
		expect((await intakes.work.load('of-alex')).kind).toBe('missing');
		expect(await intakes.work.list({ requesterId: ALEX.id, limit: 5 })).toEqual([]);
		expect((await intakes.work.load('of-sam')).kind).toBe('found');
	});
});
