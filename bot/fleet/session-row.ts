import type { Question } from '../../core/fleet/question.ts';
import { bare } from '../../core/fleet/quote.ts';
import { longCall } from '../../core/fleet/running-call.ts';
import { type FleetSession, hasEnded } from '../../core/fleet/session.ts';
import { costOn } from '../../core/fleet/session-cost.ts';
import { wordingOf } from '../../core/fleet/wording/wording-of.ts';
import type { Language } from '../catalogue.ts';
import { plainText, stamp } from './plain-text.ts';

export interface RowContext {
	/** Its open questions, oldest first. */
	readonly questions: readonly Question[];
	/** Epoch ms. */
	readonly now: number;
	/** Calendar date of the budget's zone. */
	readonly day: string;
	readonly threadId: string | undefined;
	readonly language: Language;
}

/** One session on one line for people, with the way to its thread. */
export function sessionRow(session: FleetSession, { questions, day, threadId, now, language }: RowContext): string {
	const words = wordingOf(language);
	const ended = hasEnded(session) && session.state !== 'stopped' ? ` (${words.endedMark})` : '';
	const [asked] = questions;
	const told = asked?.text ?? (session.state === 'failed' ? session.runReason : session.summary);
	const cost = costOn(session.cost, day);
	const call = longCall(session, now);
	const parts = [
		`**${plainText(bare(session.name, 60), 80)}** ${words.state(session.state)}${ended} ${stamp(session.stateAt)}`,
		...(session.staleSince === undefined ? [] : [`⚠ ${words.silentSince(stamp(session.reportedAt))}`]),
		...(call === undefined ? [] : [words.runs(plainText(bare(call.what, 60), 80), stamp(call.since))]),
		...(session.muted === true ? ['🔇'] : []),
		...(told === undefined ? [] : [plainText(bare(told, 100), 140)]),
		...(cost > 0 ? [words.costToday(cost)] : []),
		...(threadId === undefined ? [] : [`<#${threadId}>`]),
	];
	return parts.join(' · ');
}
