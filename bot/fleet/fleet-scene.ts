import type { ConciergeState } from '../../core/fleet/concierge-state.ts';
import { type Need, needsOf } from '../../core/fleet/needs.ts';
import type { Question } from '../../core/fleet/question.ts';
import type { CardRecord } from '../../core/fleet/records.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import type { FleetPorts } from './fleet-ports.ts';

/** The fleet as it stands, and what of it people have been shown. */
export interface FleetScene {
	readonly sessions: ReadonlyMap<string, FleetSession>;
	/** Those that are open or whose answer is on its way. */
	readonly questions: ReadonlyMap<string, Question>;
	readonly needs: readonly Need[];
	/** Every card of the last days. */
	readonly cards: readonly CardRecord[];
	readonly concierge: ConciergeState;
}

const SESSIONS_MAX = 1_000;
const QUESTIONS_MAX = 500;
const CARDS_MAX = 1_000;

export async function readFleetScene(
	ports: Pick<FleetPorts, 'sessions' | 'questions' | 'places' | 'concierge'>,
): Promise<FleetScene> {
	const [sessions, questions, cards, { state }] = await Promise.all([
		ports.sessions.list(SESSIONS_MAX),
		ports.questions.unsettled(QUESTIONS_MAX),
		ports.places.cards(CARDS_MAX),
		ports.concierge.read(),
	]);
	return {
		sessions: new Map(sessions.map((session) => [session.id, session])),
		questions: new Map(questions.map((question) => [question.id, question])),
		needs: needsOf(sessions, questions),
		cards,
		concierge: state,
	};
}
