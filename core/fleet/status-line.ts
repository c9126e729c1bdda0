import type { ConciergeSettings } from '../../config/fleet.ts';
import { cutText } from '../chat/sanitise.ts';
import { ago as agoWords } from './age.ts';
import { type ConciergeModel, isOverBudget, lacksPrice, spendOn } from './budget.ts';
import type { ConciergeState } from './concierge-state.ts';
import { type Need, needsOf } from './needs.ts';
import type { Question } from './question.ts';
import { bare } from './quote.ts';
import { type FleetSession, isBusy } from './session.ts';

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
	const { state, now, sessions } = input;
	const needs = needsOf(sessions, input.questions);
	const [first] = needs;
	const busy = sessions.filter(isBusy).length;
	const ago = input.ago ?? ((at: number) => agoWords(at, now));
	const parts = ['concierge'];
	const trouble = troubleText(input);
	if (trouble !== undefined) parts.push(trouble);
	if (first !== undefined) parts.push(needText(first, needs.length, state, ago));
	else if (trouble === undefined || !state.on) parts.push(quietText(input, busy, ago));
	const spent = spendOn(state.spend, now, input.timeZone).usd;
	if (state.on || spent > 0) parts.push(`$${spent.toFixed(2)} today`);
	if (state.on && input.behind > 0) parts.push(`${input.behind} new`);
	const short =
		first === undefined
			? `${busy === 0 ? 'fleet quiet' : `${busy} working`}${trouble === undefined ? '' : ` · ${trouble}`}`
			: `needs you: ${first.session.name}${needs.length > 1 ? ` +${needs.length - 1}` : ''}`;
	return { line: parts.join(' · '), short: cutText(short, 100) };
}

function needText(first: Need, count: number, state: ConciergeState, ago: (at: number) => string): string {
	const name = bare(first.session.name, 60);
	const said = state.lastSaid;
	// Its own words, as long as they are about this need.
	const isSaid = said?.level === 'need' && said.sessionId === first.session.id && said.at >= first.since;
	const question = first.question === undefined ? undefined : bare(first.question.text, WORDS_MAX);
	const failed = `${name} failed: ${bare(first.session.runReason ?? 'no reason given', WORDS_MAX)}`;
	const words = isSaid ? bare(said.text, WORDS_MAX) : question === undefined ? failed : `${name} asks: ${question}`;
	const more = count > 1 ? ` and ${count - 1} more` : '';
	return `needs you: ${words} (${ago(first.since)})${more}`;
}

function quietText({ state, now }: StatusInput, busy: number, ago: (at: number) => string): string {
	const said = state.lastSaid;
	const fleet = busy === 0 ? 'nothing runs' : `${busy} ${busy === 1 ? 'session works' : 'sessions work'}`;
	const isRecent = said !== undefined && said.level === 'info' && now - said.at < 3_600_000;
	return isRecent ? `${bare(said.text, WORDS_MAX)} (${ago(said.at)})` : fleet;
}

/** What stands in its way, most lasting first. */
function troubleText({ state, model, settings, now, timeZone, behind }: StatusInput): string | undefined {
	if (!state.on) return 'off';
	if (model.id === undefined) return 'no model: needs are reported by code';
	if (lacksPrice(model, settings.dailyBudgetUsd)) return `no price for ${model.id}: set model.prices or a budget of 0`;
	if (isOverBudget(spendOn(state.spend, now, timeZone), settings.dailyBudgetUsd)) {
		return `over today's budget of $${settings.dailyBudgetUsd.toFixed(2)}, not woken until tomorrow`;
	}
	if (state.failures > 0) {
		const times = state.failures === 1 ? '' : ` (${state.failures} times)`;
		return `model failed: ${state.lastError?.code ?? 'unknown'}${times}`;
	}
	if (state.retryFor === 'cap' && state.retryAt > now && behind > 0) {
		return `held: ${settings.wakesPerHour} wakes this hour`;
	}
	return undefined;
}
