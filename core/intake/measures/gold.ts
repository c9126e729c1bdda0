import type { LanguageWords } from '../../../config/intake-words.ts';
import type { IntakeSession } from '../session.ts';
import { speechOf } from '../speech/speech.ts';
import { uiSignal } from '../speech/ui-signal.ts';
import { type Share, shareOf } from './share.ts';

/** Something that has to be found out from a persona. */
export interface GoldSlot {
	readonly id: string;
	/** A question that asks for it. */
	readonly asked: RegExp;
	/** The value, as it shows in a fact or the summary. */
	readonly value: RegExp;
}

export interface GoldMeasures {
	/** Slots that some question asked for. */
	readonly keyQuestionCoverage: Share;
	/** Slots whose value is in the packet's facts or summary. */
	readonly captured: Share;
	/** Sets of questions until every slot that was said at all had been said; undefined when one never was. */
	readonly turnsToClarify: number | undefined;
}

/** How well a session found out what a persona's slots say there is to find out. */
export function measureGold(session: IntakeSession, slots: readonly GoldSlot[]): GoldMeasures {
	const questions = session.questionSets.flatMap(({ questions: all }) => all.map(({ text }) => text));
	const result = `${session.prologFacts.replaceAll('_', ' ')}\n${session.packet?.body.TASK_SUMMARY ?? ''}`;
	const speech = speechOf(session);
	const turns = session.history.filter(({ role }) => role === 'user').map(({ id }) => id);
	const firstSaid = slots.map(({ value }) =>
		turns.findIndex((id) => speech.some((piece) => piece.turnId === id && value.test(piece.text))),
	);
	return {
		keyQuestionCoverage: shareOf(
			slots.filter(({ asked }) => questions.some((text) => asked.test(text))).length,
			slots.length,
		),
		captured: shareOf(slots.filter(({ value }) => value.test(result)).length, slots.length),
		turnsToClarify: firstSaid.some((at) => at < 0) ? undefined : Math.max(0, ...firstSaid),
	};
}

export interface FlagMeasures {
	readonly precision: number;
	readonly recall: number;
	/** Texts that were judged wrongly. */
	readonly wrong: readonly string[];
}

/** Precision and recall of the user-interface flag on labelled texts. */
export function measureUiFlag(
	labelled: readonly { readonly text: string; readonly ui: boolean }[],
	languages: readonly LanguageWords[],
): FlagMeasures {
	const judged = labelled.map((one) => ({
		...one,
		said: uiSignal([{ turnId: 't1', messageId: '', text: one.text, chosen: false }], languages).required,
	}));
	const right = judged.filter(({ ui, said }) => ui && said).length;
	return {
		precision: shareOf(right, judged.filter(({ said }) => said).length).rate,
		recall: shareOf(right, judged.filter(({ ui }) => ui).length).rate,
		wrong: judged.filter(({ ui, said }) => ui !== said).map(({ text }) => text),
	};
}
