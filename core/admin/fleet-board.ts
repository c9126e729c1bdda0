import { cutText } from '../chat/sanitise.ts';
import { costOn } from '../fleet/session-cost.ts';
import { type StatusInput, statusText } from '../fleet/status-line.ts';
import { localDay } from '../local-day.ts';

const MAX_SESSIONS = 50;

/** The fleet as the admin page shows it. Texts come from sessions and are shown as text only. */
export interface FleetBoard {
	/** The concierge's line. */
	readonly line: string;
	readonly sessions: readonly {
		readonly name: string;
		readonly source: string;
		readonly host: string;
		readonly state: string;
		/** Its open question, else what it last told. */
		readonly words?: string;
		readonly costTodayUsd: number;
		readonly updatedAt: number;
	}[];
	/** Sessions that are left out. */
	readonly more: number;
}

export function fleetBoard(input: StatusInput): FleetBoard {
	const { sessions, questions, now, timeZone } = input;
	const asks = new Map(questions.filter(({ state }) => state === 'open').map((one) => [one.sessionId, one.text]));
	const today = localDay(now, timeZone);
	const order = [...sessions].sort(
		(left, right) => Number(asks.has(right.id)) - Number(asks.has(left.id)) || right.updatedAt - left.updatedAt,
	);
	return {
		line: statusText(input).line,
		sessions: order.slice(0, MAX_SESSIONS).map((session) => {
			const words = asks.get(session.id) ?? session.summary;
			return {
				name: session.name,
				source: session.source,
				host: session.host,
				state: session.state,
				...(words === undefined ? {} : { words: cutText(words, 200) }),
				costTodayUsd: costOn(session.cost, today),
				updatedAt: session.updatedAt,
			};
		}),
		more: Math.max(0, order.length - MAX_SESSIONS),
	};
}
