import type { ConciergeSettings } from '../../config/fleet.ts';
import { cutText } from '../chat/sanitise.ts';
import { type ConciergeModel, isOverBudget, lacksPrice, spendOn } from './budget.ts';
import type { ConciergeState } from './concierge-state.ts';
import { type Need, needsOf } from './needs.ts';
import type { Question } from './question.ts';
import { bare } from './quote.ts';
import { type FleetSession, isBusy } from './session.ts';
import { ENGLISH } from './wording/english.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

export interface StatusInput {
	readonly state: ConciergeState;
	readonly model: ConciergeModel;
	readonly settings: ConciergeSettings;
	readonly timeZone: string;
	/** Events it has not been told of: `FeedFacts.foreign`. */
	readonly behind: number;
	readonly sessions: readonly FleetSession[];
	readonly questions: readonly Question[];
	readonly now: number;
	/** How a moment is told; the edge may put a stamp that counts by itself. */
	readonly ago?: (at: number) => string;
	/** English when absent. */
	readonly words?: FleetWording;
}

export interface StatusText {
	/** The line in the fleet channel. */
	readonly line: string;
	/** For the bot's presence, at most 100 characters, without changing times. */
	readonly short: string;
}

const WORDS_MAX = 140;

/**
 * `concierge · needs you: api-fix asks which schema to use (2m ago) · $0.02 today · 3 new`, and whatever stands in its way.
 * Who needs somebody is read from the questions themselves, so it is true also when the concierge is off or broken.
 */
export function statusText(input: StatusInput): StatusText {
	const { state, now, sessions, words = ENGLISH } = input;
	const needs = needsOf(sessions, input.questions);
	const [first] = needs;
	const busy = sessions.filter(isBusy).length;
	const ago = input.ago ?? ((at: number) => words.ago(at, now));
	const parts = ['concierge'];
	const trouble = troubleText(input, words);
	if (trouble !== undefined) parts.push(trouble);
	if (first !== undefined) parts.push(needText(first, needs.length, state, ago, words));
	else if (trouble === undefined || !state.on) parts.push(quietText(input, busy, ago, words));
	const spent = spendOn(state.spend, now, input.timeZone).usd;
	if (state.on || spent > 0) parts.push(words.costToday(spent));
	if (state.on && input.behind > 0) parts.push(words.fresh(input.behind));
	const short =
		first === undefined
			? `${words.shortWorks(busy)}${trouble === undefined ? '' : ` · ${trouble}`}`
			: words.shortNeed(first.session.name, needs.length - 1);
	return { line: parts.join(' · '), short: cutText(short, 100) };
}

function needText(
	first: Need,
	count: number,
	state: ConciergeState,
	ago: (at: number) => string,
	words: FleetWording,
): string {
	const name = bare(first.session.name, 60);
	const said = state.lastSaid;
	// Its own words, as long as they are about this need.
	const isSaid = said?.level === 'need' && said.sessionId === first.session.id && said.at >= first.since;
	const question = first.question === undefined ? undefined : bare(first.question.text, WORDS_MAX);
	const failed = words.failed(name, bare(first.session.runReason ?? words.noReason, WORDS_MAX));
	const own = question === undefined ? failed : words.asks(name, question);
	return words.needsYou(isSaid ? bare(said.text, WORDS_MAX) : own, ago(first.since), count - 1);
}

function quietText(
	{ state, now }: StatusInput,
	busy: number,
	ago: (at: number) => string,
	words: FleetWording,
): string {
	const said = state.lastSaid;
	const isRecent = said !== undefined && said.level === 'info' && now - said.at < 3_600_000;
	return isRecent ? `${bare(said.text, WORDS_MAX)} (${ago(said.at)})` : words.works(busy);
}

/** What stands in its way, most lasting first. */
function troubleText(
	{ state, model, settings, now, timeZone, behind }: StatusInput,
	words: FleetWording,
): string | undefined {
	if (!state.on) return words.off;
	if (model.id === undefined) return words.noModel;
	if (lacksPrice(model, settings.dailyBudgetUsd)) return words.noPrice(model.id);
	if (isOverBudget(spendOn(state.spend, now, timeZone), settings.dailyBudgetUsd)) {
		return words.overBudget(settings.dailyBudgetUsd);
	}
	if (state.failures > 0) return words.modelFailed(state.lastError?.code ?? 'unknown', state.failures);
	return state.retryFor === 'cap' && state.retryAt > now && behind > 0 ? words.held(settings.wakesPerHour) : undefined;
}
