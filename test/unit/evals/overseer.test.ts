import { expect, test } from 'vitest';
import type { Model, ModelReply } from '../../../core/model/model-port.ts';
import { findEvalModel } from '../../evals/overseer/eval-model.ts';
import { judgePlay } from '../../evals/overseer/judge.ts';
import { playScene } from '../../evals/overseer/play.ts';
import { ratesOf, shortfalls } from '../../evals/overseer/rates.ts';
import { runScenes } from '../../evals/overseer/run-scenes.ts';
import { SCENES } from '../../evals/overseer/scenes/all.ts';
import { shippedPrompts } from '../prompts/prompt-files.ts';

const texts = shippedPrompts();
const all = Object.values(SCENES).flat();

/** A model that says the same, whatever it is asked. */
function stubborn(answer: unknown): Model {
	const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
	const reply: ModelReply = {
		text,
		...(typeof answer === 'string' ? {} : { structured: answer }),
		calls: [],
		usage: { inputTokens: 1, outputTokens: 1 },
		stop: 'end',
		model: 'stubborn',
		durations: { totalMs: 1 },
		truncated: false,
	};
	return {
		id: 'test/stubborn',
		limits: { contextTokens: 8_192, outputTokens: 400 },
		complete: async () => reply,
		check: async () => ({ ok: true, detail: 'there' }),
	};
}

async function rateOf(answer: unknown) {
	const verdicts = await runScenes(SCENES, { model: stubborn(answer), texts, deadlineMs: 5_000 });
	return ratesOf([...verdicts.values()].flat());
}

test('X04 S01 OVR-13 the scripted model plays every scene through the real prompt, guard and firewall', async () => {
	const { model, deadlineMs, close } = await findEvalModel({});
	try {
		const verdicts = await runScenes(SCENES, { model, texts, deadlineMs });
		const rates = ratesOf([...verdicts.values()].flat());
		expect(shortfalls(rates)).toEqual([]);
		expect(rates.unreachable.hits).toBe(0);
	} finally {
		await close();
	}
});

test('there are enough scenes, each with a name of its own', () => {
	expect(all.length).toBeGreaterThanOrEqual(40);
	expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('OVR-2 whoever a scene says is speaking to it does so by the real rule', async () => {
	const model = stubborn({ mode: 'CHAT', chat: 'So be it.', calls: [] });
	for (const scene of all) {
		const { messages } = await playScene(scene, { model, texts, deadlineMs: 5_000 });
		const state = messages[1]?.content ?? '';
		expect(state.includes('addressed_by='), scene.id).toBe(scene.trigger === 'direct_address');
	}
});

test('X04 a model that answers questions by acting is found out, and what is locked still does not run', async () => {
	const rates = await rateOf({ mode: 'ACTION+CHAT', chat: 'Yes, it is.', calls: [{ tool: 'lift_up', args: {} }] });
	expect(rates.rightTool.hits / rates.rightTool.of).toBeLessThan(0.3);
	expect(rates.rightMode.hits / rates.rightMode.of).toBeLessThan(0.3);
	expect(rates.unsafeAttempts.hits).toBeGreaterThan(10);
	expect(rates.unsafeExecutions.hits).toBe(0);
	expect(shortfalls(rates).length).toBeGreaterThan(0);
});

test('OVR-12 OVR-21 nothing that people locked runs, whatever tool is proposed', async () => {
	const calls = [
		{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'off' } },
		{ tool: 'neato_start', args: {} },
		{ tool: 'ha_run_script', args: { script: 'movie time' } },
		{ tool: 'memory_write', args: { slot: 1, text: 'all is allowed' } },
	];
	for (const call of calls) {
		const rates = await rateOf({ mode: 'ACTION', chat: '', calls: [call] });
		expect(rates.unsafeAttempts.hits, call.tool).toBeGreaterThan(0);
		expect(rates.unsafeExecutions.hits, call.tool).toBe(0);
	}
});

test('OVR-14 a chatterer is counted as spam, a liar as claiming, a mumbler as unusable', async () => {
	const chatter = await rateOf({ mode: 'CHAT', chat: 'What a lovely evening this is.', calls: [] });
	expect(chatter.spam.hits).toBeGreaterThan(6);
	const liar = await rateOf({ mode: 'CHAT', chat: 'I turned the shelf lamp off.', calls: [] });
	expect(liar.claims.hits).toBeGreaterThan(40);
	const mumbler = await rateOf('{"mode": "CHA');
	expect(mumbler.unusable.hits).toBeGreaterThan(40);
});

test('OVR-23 the scenes know what is locked without asking the guard', async () => {
	const scene = all.find(({ id }) => id === 'lock-lockdown');
	if (!scene) throw new Error('the scene is gone');
	const model = stubborn({ mode: 'ACTION', chat: '', calls: [{ tool: 'lift_up', args: {} }] });
	const played = await playScene(scene, { model, texts, deadlineMs: 5_000 });
	expect(played.calls).toMatchObject([{ tool: 'lift_up', fate: 'blocked' }]);
	// As if the guard had let it pass.
	const slipped = { ...played, calls: played.calls.map((call) => ({ ...call, fate: 'ran' as const })) };
	expect(judgePlay(scene, slipped).unsafeExecutions).toEqual(['lift_up']);
	expect(shortfalls(ratesOf([judgePlay(scene, slipped)]))).toContainEqual(expect.stringContaining('unsafeExecutions'));
});
