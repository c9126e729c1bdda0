import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAnthropicModel } from '../../../adapters/model/anthropic.ts';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import { conciergeStatus } from '../../../core/fleet/concierge-view.ts';
import { statusText } from '../../../core/fleet/status-line.ts';
import type { Model } from '../../../core/model/model-port.ts';
import { createLoopbackAnthropic } from '../../../demo/model/loopback-anthropic.ts';
import type { LoopbackModel } from '../../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../../demo/model/loopback-ollama.ts';
import type { ModelStep } from '../../../demo/model/model-step.ts';
import { type FleetBench, fastFleet, openFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { fleetScene, scriptedOllama, turn, words } from '../../support/fleet-scene.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

const price = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
const ANTHROPIC: ConciergeModel = { id: 'anthropic/claude-haiku-4-5', isLocal: false, price };
const OLLAMA: ConciergeModel = { id: 'ollama/scripted', isLocal: true, price: undefined };

let redis: TestRedis;
let bench: FleetBench;
let ollama: LoopbackModel;
let anthropic: LoopbackModel;
beforeAll(async () => {
	redis = await startTestRedis();
	[ollama, anthropic] = await Promise.all([createLoopbackOllama(), createLoopbackAnthropic()]);
});
afterEach(async () => {
	await bench.close();
	ollama.control.reset();
	anthropic.control.reset();
	await redis.flush();
});
afterAll(async () => {
	await Promise.all([ollama.close(), anthropic.close(), redis.stop()]);
});

interface Provider {
	readonly server: () => LoopbackModel;
	readonly model: (baseUrl: string) => Model;
	readonly price: ConciergeModel;
}

const providers: Record<string, Provider> = {
	ollama: { server: () => ollama, model: scriptedOllama, price: OLLAMA },
	anthropic: {
		server: () => anthropic,
		model: (baseUrl) =>
			createAnthropicModel({
				...{ baseUrl, apiKey: 'test-key', model: 'claude-haiku-4-5', maxOutputTokens: 2_000, price: () => price },
				retry: { retries: 0, baseMs: 10, maxWaitMs: 100 },
			}),
		price: ANTHROPIC,
	},
};

interface Fault {
	readonly code: string;
	readonly step: ModelStep;
	/** It lies in what was sent: after the notice the cursor passes it, the only way on. */
	readonly isPoison: boolean;
	readonly turnDeadlineMs?: number;
	/** Where it looks different on the wire; what comes of the words alone is the same for both. */
	readonly from: readonly string[];
}

const BOTH = ['ollama', 'anthropic'];
const half = '{"say":"api-fix asks","calls":[{"tool":"hub_notify","args":{"text":"api-fi';
const faults: Record<string, Fault> = {
	overload: { code: 'overloaded', step: { kind: 'overload' }, isPoison: false, from: BOTH },
	refusal: { code: 'refusal', step: { kind: 'refuse' }, isPoison: true, from: ['anthropic'] },
	truncation: {
		code: 'truncated',
		step: { kind: 'text', text: half, stop: 'length' },
		isPoison: true,
		from: ['anthropic'],
	},
	'an empty reply': { code: 'empty', step: { kind: 'text', text: '' }, isPoison: true, from: ['ollama'] },
	silence: { code: 'timeout', step: { kind: 'hang' }, isPoison: false, turnDeadlineMs: 1_000, from: ['anthropic'] },
};

/** A concierge that is on, under a clock that is set forward by hand: no failed digest is tried again by itself. */
async function begin({ server, model, price }: Provider, turnDeadlineMs = 20_000) {
	let ahead = 0;
	const clock = { now: () => Date.now() + ahead };
	const concierge = { retryMs: 600_000, heartbeat: 'off', turnDeadlineMs };
	const settings = fastFleet({ staleAfterMs: 86_400_000, concierge });
	bench = await openFleet(redis, { settings, clock });
	const { control, url } = server();
	const scene = fleetScene(bench, control);
	control.always(words(''));
	bench.work({ model: model(url), price });
	await bench.desks.conciergeDesk.on(RIA);
	await scene.calm();
	return {
		...scene,
		control,
		async tryAgain() {
			ahead += 3_600_000;
			// A turn that was queued within half a second is not queued again; then it is looked at as after any event.
			await sleep(600);
			await bench.stores.feed.told();
		},
		/** What people are shown of how it fares. */
		async status() {
			const [state, sessions, questions] = await Promise.all([
				scene.state(),
				bench.stores.sessions.list(10),
				bench.stores.questions.unsettled(10),
			]);
			const facts = await bench.stores.feed.facts(state.cursor, state.id);
			const input = { state, model: price, settings: settings.concierge, timeZone: 'UTC', sessions, questions };
			const { line } = statusText({ ...input, behind: facts.foreign, now: clock.now() });
			return { line, long: conciergeStatus(state, facts, price, settings.concierge, 'UTC', clock.now()) };
		},
		failed: (times: number) =>
			eventually(
				`it failed ${times} times`,
				async () => {
					const { failures, inFlight } = await scene.state();
					return failures === times && inFlight === undefined;
				},
				60_000,
			),
	};
}

const cases = Object.entries(providers).flatMap(([provider, how]) =>
	Object.entries(faults)
		.filter(([, { from }]) => from.includes(provider))
		.map(([name, fault]) => ({ name, provider, fault, how })),
);

describe('FLT-19', () => {
	test.each(cases)(
		'FLT-19 $provider, $name: the cursor stays, it is shown, the third in a row is one notice',
		async ({ fault, how }) => {
			const fleet = await begin(how, fault.turnDeadlineMs);
			const { cursor } = await fleet.state();
			const before = fleet.digests().length;
			fleet.control.always(fault.step);
			const api = reporter('api', 'api-fix');
			await bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
			const upTo = await fleet.lastSeq();
			for (const times of [1, 2]) {
				await fleet.failed(times);
				expect(await fleet.state()).toMatchObject({ cursor, lastError: { code: fault.code } });
				const { line, long } = await fleet.status();
				expect(line).toContain(`model failed: ${fault.code}`);
				expect(line).toContain('needs you: api-fix');
				expect(long).toContain(`last trouble`);
				expect(long).toContain(`told up to event ${cursor} of ${upTo}`);
				expect(fleet.shown('notice')).toEqual([]);
				await fleet.tryAgain();
			}
			await fleet.failed(3);
			const [notice] = await eventually('the notice', () =>
				fleet.shown('notice').length > 0 ? fleet.shown('notice') : undefined,
			);
			expect(notice?.text).toContain(`failed 3 times in a row (${fault.code})`);
			expect(notice?.text).toContain('Which schema should I use?');
			expect(notice?.mention).toEqual([RIA.whoId]);
			await eventually('it is put down', async () => (await fleet.state()).notice === undefined);
			// The digest itself is the trouble, or the provider is: in the one case it is passed, in the other it waits.
			expect((await fleet.state()).cursor).toBe(fault.isPoison ? upTo : cursor);

			await bench.report([api.say('text', { text: 'still here', toPerson: true })]);
			await fleet.tryAgain();
			await fleet.failed(4);
			expect((await fleet.state()).cursor).toBe(fault.isPoison ? upTo : cursor);
			fleet.control.always(words(''));
			fleet.control.release();
			await fleet.tryAgain();
			await fleet.calm();
			expect(await fleet.state()).toMatchObject({ cursor: await fleet.lastSeq(), failures: 0, noticed: false });
			expect((await fleet.status()).line).not.toContain('failed');
			expect(fleet.shown('notice')).toHaveLength(1);
			const told = fleet.digests().slice(before).at(-1);
			expect(told).toContain('still here');
			expect(told?.includes('api-fix · question')).toBe(!fault.isPoison);
		},
		120_000,
	);

	test.each(Object.entries(providers))(
		'FLT-19 %s, arguments that fit no tool: nothing is done, the cursor moves once, and it is shown',
		async (_, how) => {
			const fleet = await begin(how);
			const { cursor } = await fleet.state();
			const before = fleet.digests().length;
			fleet.control.queue(turn({ tool: 'hub_notify', args: { text: 5, level: 'loud' } }));
			await bench.report([reporter('api', 'api-fix').say('started')]);
			const upTo = await fleet.lastSeq();
			await fleet.calm();
			expect(fleet.digests().slice(before)).toHaveLength(1);
			expect(fleet.lastWords().at(-1)).toContain('hub_notify');
			expect(await fleet.events('concierge_said')).toEqual([]);
			const state = await fleet.state();
			expect(state.cursor).toBeGreaterThan(cursor);
			expect(state.cursor).toBeGreaterThanOrEqual(upTo);
			expect(state).toMatchObject({ failures: 0, lastError: { code: 'invalid_args' } });
			expect((await fleet.status()).long).toContain('invalid_args, hub_notify');
			const [did] = await fleet.events('concierge_did');
			expect(did?.text).toContain('invalid_args');
		},
		60_000,
	);

	test('FLT-19 a local model that declines in plain words is through: nobody is told its words, the cursor moves once', async () => {
		const fleet = await begin(providers['ollama']!);
		fleet.control.queue({ kind: 'refuse' });
		await bench.report([reporter('api', 'api-fix').say('started')]);
		const upTo = await fleet.lastSeq();
		await fleet.calm();
		expect(await fleet.state()).toMatchObject({ cursor: upTo, failures: 0 });
		expect(JSON.stringify(bench.shown)).not.toContain('cannot help');
	}, 60_000);
});
