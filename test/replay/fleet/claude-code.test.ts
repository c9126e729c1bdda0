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

/* Recorded with Claude Code 2.1.332 in a terminal, its hooks as in claude-hooks.json, its model a stand-in. */
test('FLT-3 the recorded hooks of a Claude Code session become transitions', () => {
	const { reports } = play(hooks.length);
	expect(reports.map(({ kind }) => kind)).toEqual([
		...['started', 'idle'],
		...['working', 'text', 'text', 'question', 'question_closed', 'alive', 'finished'],
		...['working', 'text', 'text', 'question', 'question', 'question_closed', 'question_closed', 'finished'],
		...['working', 'text', 'failed', 'ended'],
	]);
	expect(reports[5]?.data.question).toMatchObject({ ref: 'r3', kind: 'permission', context: 'mkdir db' });
	expect(reports[8]?.data).toEqual({ text: 'The folder is there.' });
	expect(reports[13]?.data.question).toMatchObject({ ref: 'r8#1', kind: 'choice', multi: true, freeText: true });
	expect(reports[16]?.data).toEqual({ text: 'Both tables are on v2.' });
	expect(reports[19]?.data).toEqual({ reason: 'Credit balance is too low (billing_error)' });
	expect(reports[20]?.data).toEqual({ reason: 'prompt_input_exit' });
	for (const [index, { kind, data }] of reports.entries()) {
		const report = { eventId: `e${index}`, at: 1, session: { nativeId: 'x' }, kind, data };
		expect(sessionReport.safeParse(report).success).toBe(true);
	}
});

test('FLT-4 while a recorded command runs the house is told which, and with its end that it is over', () => {
	const running = (count: number) => play(count).reports.flatMap(({ data }) => data.running ?? []);
	expect(running(2)).toEqual([]);
	expect(running(3)).toEqual(['Bash: mkdir db']);
	expect(running(5)).toEqual(['Bash: mkdir db', '']);
	expect(running(hooks.length), 'its asking tool waits for a person and runs nothing').toEqual(['Bash: mkdir db', '']);

	// Two at once: the older one is told until it ends, then the other.
	const hook = (hook_event_name: string, id: string, command: string) =>
		claudeHook.parse({
			session_id: 's',
			hook_event_name,
			tool_name: 'Bash',
			tool_use_id: id,
			tool_input: { command },
		});
	const steps = [
		hook('PreToolUse', 'a', 'npm test'),
		hook('PreToolUse', 'b', 'make'),
		hook('PostToolUse', 'a', 'npm test'),
	];
	let state = FRESH_CLAUDE;
	const told = steps.map((step) => {
		const mapped = mapClaudeHook(state, step, 'r');
		state = mapped.state;
		return mapped.reports.map(({ data }) => data.running);
	});
	expect(told).toEqual([[undefined, 'Bash: npm test'], [undefined], ['Bash: make']]);

	// One that was refused never began, though Claude Code says nothing of its end.
	const asked = play(4);
	expect(asked.state.running).toHaveLength(1);
	expect(answerClaude(asked.state, 'r3', { values: ['deny'] })?.state.running).toEqual([]);
	expect(answerClaude(asked.state, 'r3', { values: ['allow'] })?.state.running).toHaveLength(1);
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
	const { state } = play(9);
	const first = answerClaude(state, 'r8#0', { values: ['v2'] });
	expect(first?.response).toBeUndefined();
	const both = answerClaude(first?.state as ClaudeState, 'r8#1', { values: ['users', 'orders'], text: 'and carts' });
	expect(both).toMatchObject({
		requestId: 'r8',
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
