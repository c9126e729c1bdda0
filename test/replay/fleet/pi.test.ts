import { expect, test } from 'vitest';
import {
	FRESH_PI,
	mapPiEvent,
	type PiInput,
	type PiState,
	type ReportDraft,
} from '../../../adapters/fleet/pi/map-pi-event.ts';
import { readPiEvent } from '../../../adapters/fleet/pi/pi-event.ts';
import { sessionReport } from '../../../core/fleet/report.ts';
import { recorded } from './replay.ts';

function play(inputs: readonly PiInput[], state: PiState = FRESH_PI): { drafts: ReportDraft[]; state: PiState } {
	const drafts: ReportDraft[] = [];
	let now = state;
	for (const input of inputs) {
		const mapped = mapPiEvent(now, input);
		now = mapped.state;
		drafts.push(...mapped.drafts);
	}
	return { drafts, state: now };
}

/** Recorded lines, with what only the keeper knows among them as it is. */
const inputs = (name: string) =>
	recorded(name).flatMap((line): PiInput[] => {
		if ((line as { type: string }).type === 'settled') return [line as PiInput];
		const event = readPiEvent(line);
		return event === undefined ? [] : [event];
	});

test('FLT-3 a recorded pi run with a question becomes reports, the dialog with what the tool said about it', () => {
	const { drafts, state } = play([...inputs('pi-question'), { type: 'settled', totalUsd: 0.002 }]);
	expect(drafts.map(({ kind }) => kind)).toEqual([
		'working',
		'text',
		'alive',
		'text',
		'question',
		'question_closed',
		'text',
		'finished',
	]);
	const question = drafts.find(({ kind }) => kind === 'question')?.data.question;
	expect(question).toMatchObject({
		kind: 'choice',
		text: 'Which schema should I use?',
		context: 'v2 changes every table.',
		choices: [{ label: 'v1', description: 'keep it' }, { label: 'v2' }],
		freeText: true,
	});
	expect(drafts.find(({ kind }) => kind === 'question_closed')?.data).toEqual({ ref: question?.ref, how: 'closed' });
	expect(drafts.at(-1)?.data).toEqual({ text: 'v2 it is.', totalUsd: 0.002 });
	expect(state).toMatchObject({ isRunning: false, calls: [], dialogs: [] });
	for (const [index, { kind, data }] of drafts.entries()) {
		const report = { eventId: `e${index}`, at: 1, session: { nativeId: 'x' }, kind, data };
		expect(sessionReport.safeParse(report).success).toBe(true);
	}
});

test('FLT-13 an answer of ours closes the question as answered, and only once', () => {
	const all = inputs('pi-question');
	const at = all.findIndex(({ type }) => type === 'extension_ui_request');
	const ref = (all[at] as { id: string }).id;
	const { drafts } = play([...all.slice(0, at + 1), { type: 'answered', ref }, ...all.slice(at + 1)]);
	expect(drafts.filter(({ kind }) => kind === 'question_closed').map(({ data }) => data)).toEqual([
		{ ref, how: 'answered' },
	]);
});

test('FLT-3 a retry is neither a failure nor a new run', () => {
	expect(play(inputs('pi-retry-then-done')).drafts.map(({ kind }) => kind)).toEqual([
		'working',
		'text',
		'text',
		'finished',
	]);
});

test('FLT-3 a run fails once, when its retries are used up', () => {
	const { drafts } = play(inputs('pi-retries-exhausted'));
	expect(drafts.map(({ kind }) => kind)).toEqual(['working', 'failed']);
	expect(drafts.at(-1)?.data.reason).toBe('500 overloaded');
});

test('FLT-3 a retry that was called off while it waited is an abort', () => {
	const start = inputs('pi-retries-exhausted').slice(0, 3);
	const { drafts } = play([
		...start,
		{ type: 'abort_asked' },
		{ type: 'auto_retry_end', success: false, finalError: 'Retry cancelled' },
		{ type: 'settled' },
	]);
	expect(drafts.map(({ kind }) => kind)).toEqual(['working', 'aborted']);
});

test('FLT-3 an abort closes the open permission; notices of extensions are no questions', () => {
	const { drafts } = play(inputs('pi-abort-in-question'), { ...FRESH_PI, estimatedUsd: 0.25 });
	expect(drafts.map(({ kind }) => kind)).toEqual(['working', 'text', 'question', 'question_closed', 'aborted']);
	expect(drafts[2]?.data.question).toMatchObject({ kind: 'permission', text: 'Run this?', context: 'rm -r build' });
	expect(drafts.at(-1)?.data).toEqual({ totalUsd: 0.75 });
});

test('FLT-3 lines that pi never wrote are left out', () => {
	for (const line of [null, 1, 'x', [], {}, { type: 'agent_endd' }, { type: 'extension_ui_request', id: '' }]) {
		expect(readPiEvent(line)).toBeUndefined();
	}
});
