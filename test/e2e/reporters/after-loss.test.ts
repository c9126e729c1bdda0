import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFleetClient } from '../../../adapters/fleet/reporters/fleet-client.ts';
import { createHouseLink } from '../../../adapters/fleet/reporters/house-link.ts';
import { createReporter } from '../../../adapters/fleet/reporters/reporter.ts';
import { questionId } from '../../../core/fleet/question.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { type FleetBench, LAPTOP, openFleet, RIA } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const WAIT_MS = 20_000;
const ID = sessionId('script', 'laptop', 'api');
const QUESTION = questionId(ID, 'ask-1');
const session = { nativeId: 'api', name: 'api-fix' };
const asked = (ref: string) => ({
	question: { ref, kind: 'text' as const, text: 'Which schema?', choices: [], multi: false, freeText: true },
});

let redis: TestRedis;
let bench: FleetBench;
let close: () => Promise<void>;
beforeAll(async () => {
	redis = await startTestRedis();
});
beforeEach(async () => {
	bench = await openFleet(redis);
	bench.work();
});
afterEach(async () => {
	await close();
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

interface Told {
	say(kind: 'started' | 'working' | 'question' | 'question_closed' | 'alive', data: object): void;
	readonly got: string[];
}

/** What other machines run: the reporter of scripts and hooks, and the file for pi sessions started elsewhere. */
const ways: Record<string, () => Told> = {
	'a reporter': () => {
		const got: string[] = [];
		const reporter = createReporter({
			client: createFleetClient({ url: bench.http.url, token: LAPTOP, source: 'script' }),
			source: 'script',
			clock: { now: Date.now },
			log: createMemoryLog(),
			newId: () => crypto.randomUUID(),
			pollMs: 1_000,
			retryMs: 200,
			onItem: async (_, item) => {
				got.push(item.answer?.text ?? item.text ?? '');
				return { ok: true };
			},
		});
		close = () => reporter.close();
		return { got, say: (kind, data) => reporter.report(session, [{ kind, data }]) };
	},
	'the extension of pi': () => {
		const got: string[] = [];
		const link = createHouseLink({
			...{ url: bench.http.url, token: LAPTOP, source: 'script' },
			session: () => session,
			take(item) {
				got.push(item.answer?.text ?? item.text ?? '');
				return undefined;
			},
			aliveMs: 300,
		});
		close = () => link.close(1_000);
		return { got, say: link.report };
	},
};

test.each(Object.keys(ways))(
	'FLT-13 FLT-3 Q02 %s: after a Redis that came back empty an open question is asked anew, and what people send arrives',
	async (name) => {
		const { say, got } = ways[name]!();
		const open = async () => (await bench.stores.questions.unsettled(10)).filter(({ state }) => state === 'open');
		say('started', {});
		for (const text of ['one', 'two', 'three']) {
			await eventually(async () => {
				const sent = await bench.desks.messageDesk.send(ID, { id: text, kind: 'message', mode: 'queue', text }, RIA);
				return sent.kind === 'queued';
			}, WAIT_MS);
		}
		await eventually(() => got.length === 3, WAIT_MS);
		say('question', asked('over'));
		say('question_closed', { ref: 'over', how: 'answered' });
		say('question', asked('ask-1'));
		await eventually(async () => (await open()).length === 1, WAIT_MS);

		await redis.flush();
		// The extension says by itself that it is there, as its agent does nothing but wait.
		if (name === 'a reporter') say('alive', {});
		await eventually(async () => (await open()).length === 1, WAIT_MS);
		const [again] = await open();
		expect(again).toMatchObject({ id: QUESTION, text: 'Which schema?', sessionName: 'api-fix' });
		// Its number in the inbox is one that the session has seen before.
		expect((await bench.desks.questionDesk.answer(QUESTION, { values: [], text: 'v2' }, RIA)).kind).toBe('taken');
		await eventually(() => got.length === 4, WAIT_MS);
		expect(got).toEqual(['one', 'two', 'three', 'v2']);
		await eventually(async () => (await bench.stores.questions.read(QUESTION))?.delivery === 'delivered', WAIT_MS);
		expect(await open()).toEqual([]);
	},
	90_000,
);
