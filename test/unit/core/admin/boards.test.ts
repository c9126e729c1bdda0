import { describe, expect, test } from 'vitest';
import { auditBoard } from '../../../../core/admin/audit-board.ts';
import type { FleetBoard } from '../../../../core/admin/fleet-board.ts';
import { intakeBoard } from '../../../../core/admin/intake-board.ts';
import { spendingBoard } from '../../../../core/admin/spending-board.ts';
import { houseBoards } from '../../../support/house-boards.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');

describe('parts of the admin page', () => {
	test('OPS-6 the fleet begins with who waits, with its question, and what each cost today', () => {
		const { sessions, line, more } = houseBoards(NOW)['fleet'] as FleetBoard;
		expect(sessions.map(({ name }) => name)).toEqual(['api-fix', 'docs']);
		expect(sessions.map(({ words }) => words)).toEqual(['Which schema <b>now</b>?', 'docs is at it']);
		expect(sessions[0]?.costTodayUsd).toBeCloseTo(0.2);
		expect(line).toContain('needs you: api-fix');
		expect(more).toBe(0);
	});

	test('OPS-6 OPS-8 intakes tell neither who asked nor what for', () => {
		const summary = {
			id: 'in-1',
			requesterId: '100000000000000001',
			state: 'REVIEW',
			roundCount: 3,
			createdAt: 1,
			updatedAt: 2,
			deleteAt: 3,
			threadId: '200000000000000002',
		} as const;
		const board = intakeBoard([summary, { ...summary, id: 'in-2', updatedAt: 9 }]);
		expect(board.sessions.map(({ id }) => id)).toEqual(['in-2', 'in-1']);
		expect(JSON.stringify(board)).not.toMatch(/100000000000000001|200000000000000002/);
	});

	test('OPS-6 spending names every part of the house, also one that this version does not know', () => {
		const board = spendingBoard(
			{ day: '2026-05-01', amounts: { 'cost:fleet': 0.5, 'calls:garden': 2 } },
			'UTC',
			undefined,
		);
		expect(board.parts).toEqual([
			{ part: 'rooms', usd: 0, calls: 0 },
			{ part: 'intakes', usd: 0, calls: 0 },
			{ part: 'fleet', usd: 0.5, calls: 0 },
			{ part: 'garden', usd: 0, calls: 2 },
		]);
		expect(board.concierge).toBeUndefined();
	});

	test('OPS-6 OPS-8 the audit shows each call as it stands, without arguments and causes', () => {
		const row = {
			id: 'r',
			at: 1,
			room: 'lab',
			decisionId: 'd',
			callId: 'c',
			tool: 'chat_say',
			step: 'blocked',
			trigger: 'vote',
			cause: 'alex',
			args: { text: 'a private word' },
			reasons: [{ code: 'cooldown', remainingMs: 5 }],
		} as const;
		const older = { ...row, id: 'r0', step: 'proposed' } as const;
		expect(auditBoard([row, older]).rows).toEqual([
			{ at: 1, room: 'lab', tool: 'chat_say', step: 'blocked', trigger: 'vote', reasons: ['cooldown'] },
		]);
	});
});
