import { expect, test } from 'vitest';
import { failureOf } from '../../../../core/fleet/failed-wake.ts';
import { type HubReply, readHubReply } from '../../../../core/fleet/hub-reply.ts';
import { decideTurn, freshTurn, hasActed, withResults } from '../../../../core/fleet/turn.ts';
import { ModelError, type ModelReply } from '../../../../core/model/model-port.ts';
import { settingsOf } from './fixture.ts';

const settings = settingsOf().concierge;
const read = (text: string, change: Partial<Pick<ModelReply, 'structured' | 'calls' | 'stop'>> = {}) =>
	readHubReply({ text, calls: [], stop: 'end', ...change });
const call = { tool: 'hub_read', args: { id: 'api-fix', what: 'question' } };
const done = (reply: HubReply, why: 'events' | 'question' = 'events') => decideTurn(freshTurn(why), reply, settings);

test('FLT-18 an answer is read in every usual shape', () => {
	const object = JSON.stringify({ say: 'hello', calls: [call] });
	const turn = { kind: 'turn', say: 'hello', calls: [call] };
	for (const text of [object, `\`\`\`json\n${object}\n\`\`\``, `<think>hm {"say":"no"}</think>${object}`]) {
		expect(read(text)).toMatchObject(turn);
	}
	expect(read('ignored', { structured: { say: 'hello', calls: [call] } })).toMatchObject(turn);
	expect(read('', { calls: [{ name: 'hub_read', arguments: '{"id":"api-fix","what":"question"}' }] })).toMatchObject({
		calls: [call],
	});
	expect(read('{"tool":"hub_read","args":{"id":"api-fix","what":"question"}}')).toMatchObject({ calls: [call] });
	expect(read('{"say":"","calls":[{"name":"hub_read","id":"api-fix","what":"question"}]}')).toMatchObject({
		calls: [call],
	});
	expect(read('Only api-fix waits.')).toMatchObject({
		kind: 'turn',
		say: 'Only api-fix waits.',
		calls: [],
		isPlain: true,
	});
});

test('FLT-19 damage is damage: nothing of it is called and nothing of it is shown', () => {
	expect(read('{"say":"hello","calls":[{"tool":"hub_send","args":{"to":"api')).toEqual({ kind: 'broken' });
	expect(read('')).toEqual({ kind: 'empty' });
	expect(read('<think>only thoughts')).toEqual({ kind: 'empty' });
	const quoting = read(
		`The transcript says {"say":"","calls":[{"tool":"hub_send","args":{"to":"docs","text":"rm"}}]} which is odd.`,
	);
	expect(quoting.kind).toBe('broken');
	expect(read('no', { stop: 'refusal' })).toEqual({ kind: 'refusal' });
});

test('A02 an answer cut at its limit runs none of its calls, is tried once more with more room, and then ends', () => {
	const cut = read('', { stop: 'length', calls: [{ name: 'hub_send', arguments: { to: 'api-fix' } }] });
	expect(cut.kind).toBe('cut');
	const first = decideTurn(freshTurn('events'), cut, settings);
	if (first.kind !== 'again') throw new Error(first.kind);
	expect(first).toMatchObject({ note: 'cut', maxOutputTokens: settings.maxOutputTokens * 2 });
	expect(decideTurn(first.turn, cut, settings)).toMatchObject({ kind: 'failed', failure: { code: 'truncated' } });
	const words = read('Two sessions wait. The third is', { stop: 'length' });
	const asking = decideTurn({ ...freshTurn('question'), cuts: 1 }, words, settings);
	expect(asking).toMatchObject({ kind: 'done', answer: 'Two sessions wait.', note: 'truncated' });
});

test('FLT-19 refusal, silence and noise each end the turn with their own code', () => {
	expect(done({ kind: 'refusal' })).toMatchObject({ kind: 'failed', failure: { code: 'refusal', isPoison: true } });
	for (const [kind, code] of [
		['empty', 'empty'],
		['broken', 'invalid'],
	] as const) {
		const again = done({ kind });
		if (again.kind !== 'again') throw new Error(again.kind);
		expect(decideTurn(again.turn, { kind }, settings)).toMatchObject({ kind: 'failed', failure: { code } });
	}
});

test('FLT-13 silence on a digest is an empty list of calls and nothing more', () => {
	expect(done(read('{"say":"","calls":[]}'))).toEqual({ kind: 'done', say: '', answer: undefined });
	expect(done(read('{"say":"all fine","calls":[]}'))).toMatchObject({ kind: 'done', answer: undefined });
});

test('FLT-14 the words for a person are handed back by code; one more try when there are none', () => {
	expect(done(read('Only api-fix waits.'), 'question')).toMatchObject({ kind: 'done', answer: 'Only api-fix waits.' });
	const silent = done(read('{"say":"","calls":[]}'), 'question');
	if (silent.kind !== 'again') throw new Error(silent.kind);
	expect(decideTurn(silent.turn, read('{"say":"","calls":[]}'), settings)).toMatchObject({
		kind: 'failed',
		failure: { code: 'empty' },
	});
});

test('FLT-18 rounds are bounded: the last one ends with words or not at all', () => {
	const asking = read(JSON.stringify({ say: '', calls: [call] }));
	let turn = freshTurn('question');
	for (let round = 0; round < settings.maxRounds; round += 1) {
		const step = decideTurn(turn, asking, settings);
		if (step.kind !== 'run') throw new Error(step.kind);
		turn = withResults(turn, step.say, step.calls, [{ tool: 'hub_read', ok: true, code: 'done', text: 'x' }]);
	}
	const last = decideTurn(turn, asking, settings);
	expect(last).toMatchObject({ kind: 'again', note: 'rounds_spent' });
	expect(decideTurn({ ...turn, why: 'events' }, asking, settings)).toMatchObject({
		kind: 'done',
		note: 'rounds_spent',
	});
	const many = read(JSON.stringify({ say: '', calls: Array(30).fill(call) }));
	expect(many.kind === 'turn' && many.calls.length).toBe(8);
});

test('FLT-19 a turn that told somebody counts as delivered even if it fails afterwards', () => {
	const result = { tool: 'hub_notify', ok: true, code: 'done', text: 'Told.' };
	const turn = freshTurn('events');
	expect(hasActed(withResults(turn, '', [call], [{ ...result, tool: 'hub_read' }]))).toBe(false);
	expect(hasActed(withResults(turn, '', [call], [{ ...result, ok: false }]))).toBe(false);
	expect(hasActed(withResults(turn, '', [call], [result]))).toBe(true);
});

test('A01 an overload is the provider’s state, a prompt too long is ours', () => {
	const error = (code: ConstructorParameters<typeof ModelError>[0], transient: boolean) =>
		failureOf(new ModelError(code, 'x', { transient, hint: 'wait', retryAfterMs: 5_000 }));
	expect(error('overloaded', true)).toEqual({ code: 'overloaded', text: 'wait', isPoison: false, retryAfterMs: 5_000 });
	expect(error('truncated', false).isPoison).toBe(true);
	expect(error('invalid', false).isPoison).toBe(true);
	expect(error('invalid', true).isPoison).toBe(false);
});
