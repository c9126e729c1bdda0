import { describe, expect, test } from 'vitest';
import type { ConciergeMemory } from '../../../core/fleet/concierge-memory.ts';
import { type FinishedTurn, memoryMessages, plainSummary, withTurn } from '../../../core/fleet/memory.ts';
import { estimatePromptTokens } from '../../../core/model/token-estimate.ts';
import type { ModelStep } from '../../../demo/model/model-step.ts';
import { createRemember } from '../../../jobs/fleet/remember.ts';
import { fastFleet, RIA, reporter } from '../../support/fleet.ts';
import { ask, fleetScene, scriptedOllama, turn, words } from '../../support/fleet-scene.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { promptTexts } from '../../support/intake.ts';
import { eventually } from '../../support/redis.ts';

const LIMIT = 1_000;
const SUMMARY = 'Ria asked about the schema several times; v2 was meant.';
const settings = fastFleet({ concierge: { memoryTokens: LIMIT, heartbeat: 'off' } });

const stage = fleetStage();

interface Sent {
	readonly role: string;
	readonly content: string;
}
const sent = () => stage.ollama.control.requests().map(({ body }) => (body as { messages: Sent[] }).messages);
/** The request for a written summary has no tools and no block of the fleet. */
const isSummary = (messages: readonly Sent[]) => messages.at(-1)?.content.includes('Notes:\n') === true;

/** What a provider insists on: whoever calls gets its results next, nothing is empty, every character is whole. */
function assertFit(messages: readonly Sent[]): void {
	for (const [at, { role, content }] of messages.entries()) {
		expect(content.trim()).not.toBe('');
		expect(content.isWellFormed()).toBe(true);
		if (role !== 'assistant') continue;
		const { calls } = JSON.parse(content) as { calls: unknown[] };
		if (calls.length === 0) continue;
		expect(messages[at + 1]?.role).toBe('user');
		expect(messages[at + 1]?.content.match(/^\d+\. /gm)).toHaveLength(calls.length);
	}
}

async function begin() {
	await stage.open({ settings });
	const scene = fleetScene(stage.bench, stage.ollama.control);
	return {
		...scene,
		async asked(id: string, text: string) {
			await stage.bench.desks.conciergeDesk.ask(ask(id, text));
			await eventually('the answer', () => scene.shown('reply').some((item) => item.ask.id === id), 60_000);
			await eventually('its turn is over', async () => (await scene.state()).inFlight === undefined, 60_000);
			return stage.bench.stores.memory.read();
		},
	};
}

describe('over many turns', () => {
	test('FLT-18 A03 the memory stays within its size, its oldest turns become words of the model, and every prompt is fit', async () => {
		const fleet = await begin();
		await stage.bench.report([reporter('api', 'api-fix').say('started')]);
		stage.ollama.control.always(words(''));
		stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
		await stage.bench.desks.conciergeDesk.on(RIA);
		await fleet.calm();
		let memory = await stage.bench.stores.memory.read();
		for (let at = 0; at < 12 && memory.summary === ''; at += 1) {
			const reading = { tool: 'hub_read', args: { id: 'api-fix', what: 'transcript' } };
			stage.ollama.control.queue(
				turn(reading, { tool: 'hub_sessions', args: {} }),
				words(`answer ${at} \ud83d ${'on and on '.repeat(20)}`),
			);
			// Comes only once there is no room; as plain words it would end any other turn as well.
			stage.ollama.control.always({ kind: 'text', text: SUMMARY });
			memory = await fleet.asked(`q${at}`, `question ${at} \udc00 about the schema`);
			expect(estimatePromptTokens(memoryMessages(memory))).toBeLessThanOrEqual(LIMIT);
		}
		expect(memory.summary).toBe(SUMMARY);
		expect(sent().filter(isSummary)).toHaveLength(1);
		expect(memory.turns.length).toBeGreaterThan(0);
		await fleet.asked('last', 'and now?');
		const prompt =
			sent()
				.filter((messages) => !isSummary(messages))
				.at(-1) ?? [];
		expect(prompt.some(({ content }) => content.includes(SUMMARY))).toBe(true);
		for (const messages of sent()) assertFit(messages);
	}, 120_000);

	test('A03 a turn that was stored without its results is told as interrupted and goes no further', async () => {
		const fleet = await begin();
		const call = { tool: 'hub_read', args: { id: 's1', what: 'screen' } };
		const broken: ConciergeMemory = {
			summary: 'half \ud83d',
			turns: [
				{
					id: 'a',
					at: 1,
					why: 'events',
					input: 'digest 2',
					folded: true,
					steps: [{ calls: [call, call], results: [] }],
				},
			],
		};
		await stage.bench.stores.memory.write(broken);
		stage.ollama.control.always(words('One session.'));
		stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
		await stage.bench.desks.conciergeDesk.on(RIA);
		await fleet.asked('q', 'what runs?');
		const [prompt] = sent();
		assertFit(prompt ?? []);
		expect(JSON.stringify(prompt)).toContain('interrupted');
		expect(await fleet.state()).toMatchObject({ failures: 0 });
	}, 60_000);
});

describe('where no model writes the summary', () => {
	const finished = (at: number): FinishedTurn => ({
		id: `w${at}`,
		at,
		why: 'question',
		input: `[question of Ria, a person]\nquestion ${at}`,
		steps: [
			{
				calls: [{ tool: 'hub_notify', args: { text: `told ${at} \ud83d`, level: 'info' } }],
				results: [{ tool: 'hub_notify', ok: true, code: 'done', text: 'Told. '.repeat(30) }],
			},
		],
		answer: `answer ${at}`,
	});
	const broken: [string, ModelStep][] = [
		['it is overloaded', { kind: 'overload' }],
		['it is cut', { kind: 'text', text: 'Ria asked about', stop: 'length' }],
		['it says nothing', { kind: 'text', text: '' }],
	];

	test.each(broken)('FLT-18 %s: code writes what was asked, told and answered, newest kept', async (_, step) => {
		await stage.open({ settings });
		stage.ollama.control.always(step);
		const remember = createRemember({
			memory: stage.bench.stores.memory,
			model: scriptedOllama(stage.ollama.url),
			price: { id: 'ollama/scripted', isLocal: true, price: undefined },
			texts: promptTexts,
			settings: () => settings,
		});
		const signal = new AbortController().signal;
		let before: ConciergeMemory = { summary: '', turns: [] };
		let after = before;
		for (let at = 0; after.summary === '' && at < 40; at += 1) {
			before = withTurn(after, finished(at));
			expect(await remember(finished(at), () => true, signal)).toBe(0);
			after = await stage.bench.stores.memory.read();
		}
		const dropped = before.turns.slice(0, before.turns.length - after.turns.length);
		expect(dropped.length).toBeGreaterThan(0);
		expect(after.summary).toBe(plainSummary('', dropped));
		for (const { id } of dropped) expect(after.summary).toContain(`answer ${id.slice(1)}`);
		expect(after.summary.isWellFormed()).toBe(true);
		expect(estimatePromptTokens(memoryMessages(after))).toBeLessThanOrEqual(LIMIT);
		assertFit(memoryMessages(after));
		expect(sent().filter(isSummary)).toHaveLength(1);
	});

	test('FLT-8 FLT-18 the rest of the day does not cover it: the model is not asked, code writes it', async () => {
		await stage.open({ settings });
		const remember = createRemember({
			memory: stage.bench.stores.memory,
			model: scriptedOllama(stage.ollama.url),
			price: {
				id: 'anthropic/scripted',
				isLocal: false,
				price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
			},
			texts: promptTexts,
			settings: () => settings,
		});
		const asked: number[] = [];
		const affords = (usd: number) => asked.push(usd) === 0;
		let after: ConciergeMemory = { summary: '', turns: [] };
		for (let at = 0; after.summary === '' && at < 40; at += 1) {
			expect(await remember(finished(at), affords, new AbortController().signal)).toBe(0);
			after = await stage.bench.stores.memory.read();
		}
		expect(after.summary).toContain('answer 0');
		expect(asked).toHaveLength(1);
		// Its longest answer is part of the estimate.
		expect(asked[0]).toBeGreaterThan((500 * 5) / 1_000_000);
		expect(sent()).toEqual([]);
	});
});
