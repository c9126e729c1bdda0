import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createReloadCalls, type ReloadCalls } from '../../../adapters/redis/stores/reload-calls.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let open: ReloadCalls[] = [];
beforeAll(async () => {
	redis = await startTestRedis();
});
afterAll(() => redis.stop());
afterEach(async () => {
	await Promise.all(open.map((one) => one.stop()));
	open = [];
});

let ids = 0;
async function member(name: string, settingsKept?: string, deadlineMs = 20_000) {
	const connection = await redis.connect();
	let reloads = 0;
	const calls = createReloadCalls(connection, {
		self: name,
		name,
		newId: () => `id${(ids += 1)}`,
		reload: () => {
			reloads += 1;
			return { changed: [name], restartNeeded: [], ...(settingsKept === undefined ? {} : { settingsKept }) };
		},
		deadlineMs,
	});
	open.push(calls);
	return { calls, connection, reloads: () => reloads };
}
/** Everybody listens. */
const ready = (connection: Awaited<ReturnType<typeof member>>['connection'], count: number) =>
	eventually('all listen', async () => {
		const topic = connection.keys.topic('reload');
		const [, heard] = await connection.ask((client) => client.pubsub('NUMSUB', topic));
		return Number(heard) === count;
	});

test('OPS-4 every other process reads its settings again, once a call, and the caller is told what came of it', async () => {
	const [bot, worker, second] = [await member('bot'), await member('worker'), await member('second', 'line 3 is bad')];
	await ready(bot.connection, 3);
	const answered = await bot.calls.call();
	expect([...answered].sort((left, right) => left.process.localeCompare(right.process))).toEqual([
		{ process: 'second', changed: ['second'], restartNeeded: [], settingsKept: 'line 3 is bad' },
		{ process: 'worker', changed: ['worker'], restartNeeded: [] },
	]);
	expect([bot.reloads(), worker.reloads(), second.reloads()]).toEqual([0, 1, 1]);
	// Two at once do not mix up their answers.
	const both = await Promise.all([bot.calls.call(), worker.calls.call()]);
	expect(both.map((one) => one.map(({ process }) => process).sort())).toEqual([
		['second', 'worker'],
		['bot', 'second'],
	]);
});

test('OPS-4 alone it waits for nobody, and one that does not answer is not waited for long', async () => {
	const alone = await member('alone');
	await ready(alone.connection, 1);
	expect(await alone.calls.call()).toEqual([]);
	const hasty = await member('hasty', undefined, 300);
	// Hears and never answers; strange words disturb nobody.
	const deaf = await redis.connect();
	const unhear = deaf.topics.listen(deaf.keys.topic('reload'), () => undefined);
	await ready(hasty.connection, 3);
	await deaf.ask((client) => client.publish(deaf.keys.topic('reload'), 'not json'));
	await deaf.ask((client) => client.publish(deaf.keys.topic('reload-answers'), '{"id":5}'));
	expect((await hasty.calls.call()).map(({ process }) => process)).toEqual(['alone']);
	await unhear();
});
