import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentPlace, createAgentPlace } from '../../support/agent-place.ts';
import { type FleetBench, openFleet, RIA } from '../../support/fleet.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let place: AgentPlace;
let household: TestHousehold;
let bench: FleetBench;
beforeAll(async () => {
	redis = await startTestRedis();
	place = await createAgentPlace();
	household = await openTestHousehold({
		redis,
		secrets: () => ({ dataDir: join(place.root, 'data') }),
		change(settings) {
			settings.fleet.channelId = '300000000000000001';
			settings.fleet.pi.command = join(place.root, 'pi');
			settings.fleet.pi.directories = [place.work];
		},
	});
	// What another process of the house does.
	bench = await openFleet(redis, { isShowing: false });
});
afterAll(async () => {
	await bench.close();
	await household.stop();
	await redis.stop();
	await place.close();
});

const WAIT_MS = 60_000;

test('FLT-3 FLT-5 FLT-13 a house with allowed folders starts sessions, keeps them over its restart, and leaves no agent behind', async () => {
	const { startDesk, messageDesk } = bench.desks;
	const [offer] = await eventually(
		'the house offers its folders',
		async () => {
			const offers = await startDesk.hosts();
			return offers.length > 0 ? offers : undefined;
		},
		WAIT_MS,
	);
	expect(offer?.directories).toEqual([place.work]);
	const host = (await readFile(join(place.root, 'data', 'pi', 'host'), 'utf8')).trim();
	expect(offer?.host).toBe(host);
	const wish = { name: 'api-fix', directory: place.work, ownerId: RIA.whoId, task: 'look around' };
	const started = await startDesk.start('r1', wish, AbortSignal.timeout(WAIT_MS));
	expect(started).toMatchObject({ kind: 'started', name: 'api-fix' });
	const id = started.kind === 'started' ? started.sessionId : '';
	const session = async () => (await bench.stores.sessions.load(id, [], [])).session;
	await eventually('it did it', async () => (await session())?.summary === 'did: look around', WAIT_MS);
	await messageDesk.send(id, { id: 'm1', kind: 'message', mode: 'queue', text: 'ask me' }, RIA);
	await eventually('it asks', async () => (await session())?.state === 'waiting', WAIT_MS);

	await household.restart();
	await eventually('it is taken up again', async () => (await session())?.state === 'idle', WAIT_MS);
	expect((await bench.stores.questions.bySession(id)).map(({ state }) => state)).toEqual(['lost']);
	expect((await startDesk.hosts()).map((each) => each.host)).toEqual([host]);
	await messageDesk.send(id, { id: 'm2', kind: 'message', mode: 'queue', text: 'go on' }, RIA);
	await eventually('it goes on', async () => (await session())?.summary === 'did: go on', WAIT_MS);
	expect((await session())?.host).toBe(host);
	await household.stop();
	expect(await place.running()).toEqual([]);
	expect(await startDesk.hosts()).toEqual([]);
}, 180_000);
