import type { Question } from './question.ts';
import { quoted } from './quote.ts';
import { ENGLISH } from './wording/english.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

/** Reminders of one question at most; after them only the status line shows it. */
const MAX_REMINDERS = 3;

export interface ReminderSettings {
	/** Gaps before the first, second and third reminder. */
	readonly reminderAfterMs: readonly number[];
}

/**
 * When an open question is next brought up again, epoch ms; undefined when never. `shownAt` is when its card was posted: a
 * question that nobody has been shown is not repeated. Gaps never shrink, whatever the settings say.
 */
export function reminderAt(
	question: Question,
	shownAt: number | undefined,
	muted: boolean,
	settings: ReminderSettings,
): number | undefined {
	if (question.state !== 'open' || muted || shownAt === undefined) return undefined;
	if (question.reminders >= Math.min(MAX_REMINDERS, settings.reminderAfterMs.length)) return undefined;
	const gap = Math.max(...settings.reminderAfterMs.slice(0, question.reminders + 1));
	return (question.lastRemindedAt ?? shownAt) + gap;
}

/** The question with one reminder more. Save it before the reminder is posted, so that a crash loses one, not repeats it. */
export function withReminder(question: Question, now: number): Question {
	return { ...question, reminders: question.reminders + 1, lastRemindedAt: now, revision: question.revision + 1 };
}

export function reminderText(question: Question, now: number, words: FleetWording = ENGLISH): string {
	return words.stillWaits(question.sessionName, words.time(now - question.openedAt), quoted(question.text, 200));
}
