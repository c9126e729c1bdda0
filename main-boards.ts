import type { Board } from './adapters/http/deps.ts';
import type { Stores } from './adapters/redis/stores.ts';
import { conciergeModel } from './config/fleet-model.ts';
import type { Settings } from './config/schema.ts';
import { auditBoard } from './core/admin/audit-board.ts';
import { fleetBoard } from './core/admin/fleet-board.ts';
import { intakeBoard } from './core/admin/intake-board.ts';
import { spendingBoard } from './core/admin/spending-board.ts';
import { spendOn } from './core/fleet/budget.ts';
import type { StatusInput } from './core/fleet/status-line.ts';
import type { Clock } from './core/ports.ts';
import { usageDays } from './core/usage/usage-days.ts';
import type { composeFleet } from './main-fleet.ts';
import type { composeIntake } from './main-intake.ts';

/** A call has up to four rows, of which the page shows one. */
const AUDIT_ROWS = 160;
const INTAKES = 50;
const SESSIONS = 1_000;

export interface BoardsComposition {
	settings(): Settings;
	readonly stores: Pick<Stores<unknown>, 'audit' | 'usage'>;
	readonly fleet: ReturnType<typeof composeFleet>;
	readonly intake: ReturnType<typeof composeIntake>;
	readonly clock: Clock;
}

/** What the admin page shows besides the rooms. */
export function composeBoards({ settings, stores, fleet, intake, clock }: BoardsComposition): readonly Board[] {
	const timeZone = () => settings().fleet.timeZone;
	return [
		...(fleet === undefined
			? []
			: [{ name: 'fleet', read: async () => fleetBoard(await fleetNow(fleet, settings(), clock.now())) }]),
		...(intake === undefined
			? []
			: [{ name: 'intake', read: async () => intakeBoard(await intake.surface.store.list({ limit: INTAKES })) }]),
		{
			name: 'spending',
			async read() {
				const now = clock.now();
				const [today] = await stores.usage.read(usageDays(now, 1, timeZone()));
				const state = fleet && (await fleet.surface.concierge.read()).state;
				return spendingBoard(
					today ?? { day: '', amounts: {} },
					timeZone(),
					state && {
						usd: spendOn(state.spend, now, timeZone()).usd,
						budgetUsd: settings().fleet.concierge.dailyBudgetUsd,
					},
				);
			},
		},
		{ name: 'audit', read: async () => auditBoard(await stores.audit.query({ limit: AUDIT_ROWS })) },
	];
}

type Fleet = NonNullable<BoardsComposition['fleet']>;

async function fleetNow({ surface }: Fleet, settings: Settings, now: number): Promise<StatusInput> {
	const { state } = await surface.concierge.read();
	const [facts, sessions, questions] = await Promise.all([
		surface.feed.facts(state.cursor, state.id),
		surface.sessions.list(SESSIONS),
		surface.questions.unsettled(SESSIONS),
	]);
	const { concierge, timeZone } = settings.fleet;
	const model = conciergeModel(concierge, settings.model);
	return { state, model, settings: concierge, timeZone, behind: facts.foreign, sessions, questions, now };
}
