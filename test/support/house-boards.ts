import { settingsSchema } from '../../config/schema.ts';
import { auditBoard } from '../../core/admin/audit-board.ts';
import { fleetBoard } from '../../core/admin/fleet-board.ts';
import { intakeBoard } from '../../core/admin/intake-board.ts';
import { spendingBoard } from '../../core/admin/spending-board.ts';
import { FRESH_CONCIERGE } from '../../core/fleet/concierge-state.ts';
import { question } from '../../core/fleet/question.ts';
import { fleetSession } from '../../core/fleet/session.ts';

const cost = { totalUsd: 0.3, day: '2026-05-01', dayBaseUsd: 0.1 };
const session = (name: string, state: string, at: number) =>
	fleetSession.parse({
		id: `s-${name}`,
		name,
		source: 'script',
		host: 'laptop',
		nativeId: name,
		state,
		run: 'working',
		summary: `${name} is at it`,
		cost,
		order: { run: 0, end: 0, name: 0, place: 0, summary: 0, screen: 0, close: 0 },
		tail: [],
		lastReport: 1,
		startedAt: at,
		updatedAt: at,
		closings: [],
		wantedName: name,
		openQuestions: state === 'waiting' ? ['q1'] : [],
		reportedAt: at,
		stateAt: at,
		lastAt: at,
	});

/** Documents of a busy house for the admin page, made as the house makes them. */
export function houseBoards(now: number): Record<string, unknown> {
	const open = question.parse({
		id: 'q1',
		sessionId: 's-api-fix',
		sessionName: 'api-fix',
		ref: 'ask-1',
		kind: 'choice',
		text: 'Which schema <b>now</b>?',
		choices: [],
		multi: false,
		freeText: true,
		state: 'open',
		delivery: 'none',
		openedAt: now - 120_000,
		order: 1,
		deliveryTries: 0,
		revision: 1,
		reminders: 0,
	});
	return {
		fleet: fleetBoard({
			state: { ...FRESH_CONCIERGE, on: true, id: 'c1' },
			model: { id: 'ollama/scripted', isLocal: true, price: undefined },
			settings: settingsSchema.parse({}).fleet.concierge,
			timeZone: 'UTC',
			behind: 3,
			sessions: [session('docs', 'working', now - 5_000), session('api-fix', 'waiting', now - 120_000)],
			questions: [open],
			now,
		}),
		intake: intakeBoard([
			{
				id: 'in-42',
				requesterId: '1',
				state: 'QUESTIONING',
				roundCount: 2,
				createdAt: now,
				updatedAt: now,
				deleteAt: undefined,
				threadId: undefined,
			},
		]),
		spending: spendingBoard(
			{ day: '2026-05-01', amounts: { 'cost:rooms': 0.4, 'calls:rooms': 12, 'calls:fleet': 1 } },
			'UTC',
			{ usd: 0.25, budgetUsd: 1 },
		),
		audit: auditBoard([
			{
				id: 'r1',
				at: now - 9_000,
				room: 'living',
				decisionId: 'd1',
				callId: 'c1',
				tool: 'lift_up',
				step: 'blocked',
				trigger: 'direct_address',
				reasons: [{ code: 'policy_lock:site_mode_lockdown' }],
			},
		]),
	};
}
