import { expect, test } from 'vitest';
import { readCommentary } from '../../../../core/overseer/commentary.ts';
import {
	commentaryStatus,
	freshCommentaryStatus,
	readCommentaryStatus,
	withCommentary,
	withCommentaryError,
} from '../../../../core/overseer/commentary-status.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import { overseerStatus } from '../../../../core/overseer/status.ts';
import {
	freshStatus,
	readStatus,
	withCall,
	withDecision,
	withError,
	withGate,
	withLedger,
	withModelInput,
	withOutput,
	withPhase,
} from '../../../../core/overseer/status-change.ts';
import { gateOf, settingsOf, T0 } from './room-fixture.ts';

const settings = settingsOf();
const fresh = freshStatus('den', settings, T0);

test('OVR-31 the status of a whole decision is a valid document and survives storage', () => {
	const gate = gateOf({
		lastTrigger: { at: T0, trigger: 'challenge', note: 'dare' },
		lastHold: { at: T0, reason: 'gap' },
		backoffUntil: T0 + 9_000,
		failures: 1,
	});
	let status = withGate(fresh, {
		gate,
		settings,
		stage: 'full',
		runtime: 'overseer',
		site: { ...OPEN_SITE, mode: 'admin' },
		votedQuiet: true,
		now: T0 + 1,
	});
	status = withDecision(
		status,
		{
			id: 'd1',
			trigger: 'challenge',
			evidence: [{ trigger: 'challenge', note: 'somebody dares' }],
			addresses: [{ messageId: 'm', authorId: 'a', authorName: 'alex', at: T0 }],
			since: T0,
			attempt: 1,
		},
		T0 + 2,
	);
	expect(status.phase).toBe('awaiting_model');
	status = withModelInput(
		status,
		'STATE_UPDATE',
		{
			model: 'x',
			messages: 9,
			turns: 5,
			estimatedTokens: 900,
			available: ['lift_up'],
			blocked: [{ tool: 'lift_down', reasons: [{ code: 'already' }] }],
		},
		T0 + 3,
	);
	status = withOutput(
		status,
		{ at: T0 + 4, raw: 'r'.repeat(9_000), mode: 'ACTION', notes: [], latencyMs: 800 },
		T0 + 4,
	);
	status = withCall(status, { at: T0 + 5, callId: 'c1', tool: 'lift_up', args: {}, state: 'running' }, T0 + 5);
	expect(status.phase).toBe('tool_exec');
	status = withCall(
		status,
		{ at: T0 + 6, callId: 'c1', tool: 'lift_up', args: {}, state: 'confirmed', summary: 'up' },
		T0 + 6,
	);
	status = withLedger(status, { lift: T0 + 25_000, neato: T0 - 1 }, { minuteUsed: 1, hourUsed: 2 }, settings, T0 + 7);
	status = withPhase(status, 'posted', T0 + 8);
	expect(readStatus(JSON.parse(JSON.stringify(status)))).toEqual(status);
	expect(status).toMatchObject({
		enabled: true,
		running: true,
		votedQuiet: true,
		siteMode: 'admin',
		phase: 'posted',
		updatedAt: T0 + 8,
		lastTrigger: { trigger: 'challenge' },
		lastHold: { reason: 'gap' },
		backoffUntil: T0 + 9_000,
		decision: { id: 'd1', addressedBy: ['alex'], evidence: ['challenge somebody dares'] },
		readyAt: { lift: T0 + 25_000 },
		budget: { minuteUsed: 1, minuteMax: 6, hourUsed: 2, hourMax: 60 },
	});
	expect(status.calls).toHaveLength(1);
	expect(status.recentActions.map(({ state }) => state)).toEqual(['confirmed']);
	expect(Array.from(status.output?.raw ?? '')).toHaveLength(1_500);
});

test('OVR-31 a new decision clears what the last one left; a back-off that is over is gone', () => {
	const done = withOutput(
		withCall(
			fresh,
			{ at: T0, callId: 'c1', tool: 'x', args: 'raw', state: 'blocked', reasons: [{ code: 'cooldown' }] },
			T0,
		),
		{ at: T0, raw: 'x', mode: 'SKIP', notes: [], latencyMs: 1 },
		T0,
	);
	const next = withDecision(
		done,
		{ id: 'd2', trigger: 'heartbeat', evidence: [], addresses: [], since: T0, attempt: 1 },
		T0 + 1,
	);
	expect(next).not.toHaveProperty('output');
	expect(next.calls).toEqual([]);
	expect(next.recentActions).toHaveLength(1);
	const gate = gateOf({ backoffUntil: T0 - 1 });
	const seen = withGate(
		{ ...next, backoffUntil: T0 - 1 },
		{ gate, settings, stage: 'off', runtime: 'overseer', site: OPEN_SITE, votedQuiet: false, now: T0 },
	);
	expect(seen).not.toHaveProperty('backoffUntil');
	expect(seen.enabled).toBe(false);
});

test('OVR-31 another version or kind is not read as this one', () => {
	expect(readStatus({ ...fresh, version: 99 })).toBeUndefined();
	expect(readStatus({ ...fresh, kind: 'commentary' })).toBeUndefined();
	expect(readStatus(undefined)).toBeUndefined();
	expect(overseerStatus.safeParse(withError(fresh, 'timeout', 'x', T0)).success).toBe(true);
	expect(withError(fresh, 'timeout', 'too slow', T0)).toMatchObject({
		phase: 'failed',
		lastError: { code: 'timeout' },
	});
});

test('OVR-28 the commentator has a status of its own', () => {
	const settled = settingsOf({ runtime: 'commentary' });
	let status = freshCommentaryStatus('den', settled, T0);
	expect(status.enabled).toBe(true);
	status = withCommentary(status, { input: 'ROVERS', raw: 'SKIP', latencyMs: 5 }, T0 + 1);
	status = withCommentary(status, { input: 'ROVERS', raw: 'Nice.', latencyMs: 5, line: 'Nice.' }, T0 + 2);
	expect(status).toMatchObject({ skipped: 1, posted: 1, phase: 'posted', lines: [{ text: 'Nice.' }] });
	status = withCommentaryError(status, 'timeout', 'x', T0 + 3);
	expect(commentaryStatus.safeParse(status).success).toBe(true);
	expect(readCommentaryStatus(JSON.parse(JSON.stringify(status)))).toEqual(status);
	expect(readCommentaryStatus(fresh)).toBeUndefined();
	expect(readStatus(status)).toBeUndefined();
});

test('OVR-28 the commentator speaks or is silent; calls it makes are refused', () => {
	const reply = (text: string, calls: { name: string; arguments: unknown }[] = []) =>
		readCommentary({ text, calls, stop: 'end' }, settings);
	expect(reply('Rover one is home, alex.')).toEqual({ chat: 'Rover one is home, alex.', notes: [] });
	expect(reply('SKIP')).toEqual({ notes: [] });
	expect(reply('', [{ name: 'lift_up', arguments: {} }]).notes).toContain('calls_refused');
	expect(reply('lift_up()')).toEqual({ notes: ['calls_refused'] });
});
