import { expect, test } from 'vitest';
import { claudeHook } from '../../../adapters/fleet/claude/claude-hook.ts';
import {
	answerClaude,
	type ClaudeState,
	FRESH_CLAUDE,
	mapClaudeHook,
} from '../../../adapters/fleet/claude/map-claude-hook.ts';
import type { QueuedReport } from '../../../adapters/fleet/report-queue.ts';
import { sessionReport } from '../../../core/fleet/report.ts';
import { recorded } from './replay.ts';

const hooks = recorded('claude-code').map((line) => claudeHook.parse(line));

function play(count: number): { reports: QueuedReport[]; state: ClaudeState } {
	const reports: QueuedReport[] = [];
	let state = FRESH_CLAUDE;
	for (const [index, hook] of hooks.slice(0, count).entries()) {
		const mapped = mapClaudeHook(state, hook, `r${index}`);
		state = mapped.state;
		reports.push(...mapped.reports);
	}
	return { reports, state };
}

test('FLT-3 the hooks of a Claude Code session become transitions', () => {
	const { reports } = play(hooks.length);
	expect(reports.map(({ kind }) => kind)).toEqual([
		...['started', 'idle', 'working', 'text', 'text', 'question', 'question_closed'],
		...['question', 'question', 'question_closed', 'question_closed', 'finished', 'ended'],
	]);
	expect(reports[5]?.data.question).toMatchObject({ ref: 'r3', kind: 'permission', context: 'ls db' });
	expect(reports[8]?.data.question).toMatchObject({ ref: 'r6#1', kind: 'choice', multi: true, freeText: true });
	expect(reports[11]?.data).toEqual({ text: 'Both tables are on v2.' });
	for (const [index, { kind, data }] of reports.entries()) {
		const report = { eventId: `e${index}`, at: 1, session: { nativeId: 'x' }, kind, data };
		expect(sessionReport.safeParse(report).success).toBe(true);
	}
});

test('FLT-13 a permission is answered in the form that Claude Code wants', () => {
	const { state } = play(4);
	const decision = (given: { values: string[]; text?: string }) => answerClaude(state, 'r3', given)?.response;
	const wrap = (inner: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: inner } });
	expect(decision({ values: ['allow'] })).toEqual(wrap({ behavior: 'allow' }));
	expect(decision({ values: ['deny'] })).toEqual(wrap({ behavior: 'deny', message: 'A person said no.' }));
	expect(decision({ values: [] }), 'no answer is never taken for consent').toMatchObject(wrap({ behavior: 'deny' }));
	expect(answerClaude(state, 'r9', { values: ['allow'] })).toBeUndefined();
});

test('FLT-13 several questions of one request are answered together, under their own words', () => {
	const { state } = play(7);
	const first = answerClaude(state, 'r6#0', { values: ['v2'] });
	expect(first?.response).toBeUndefined();
	const both = answerClaude(first?.state as ClaudeState, 'r6#1', { values: ['users', 'orders'], text: 'and carts' });
	expect(both).toMatchObject({
		requestId: 'r6',
		response: {
			hookSpecificOutput: {
				decision: {
					behavior: 'allow',
					updatedInput: {
						questions: [{}, {}],
						answers: { 'Which schema should I use?': 'v2', 'Which tables?': 'users, orders, and carts' },
					},
				},
			},
		},
	});
	expect(both?.state.open).toEqual([]);
});
