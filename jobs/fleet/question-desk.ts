import type { Question, QuestionAnswer } from '../../core/fleet/question.ts';
import type { Pressed, QuestionDesk } from '../../core/fleet/question-desk.ts';
import {
	answerFromWords,
	answerQuestion,
	type Presser,
	retriedEvent,
	retryDelivery,
} from '../../core/fleet/settle-question.ts';
import type { QuestionStore } from '../../core/fleet/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';

export interface QuestionDeskDeps {
	readonly questions: QuestionStore;
	/** Has a worker bring what is on its way into the session. */
	deliver(sessionId: string): Promise<void>;
	readonly clock: Clock;
	readonly log: Log;
}

const TRIES = 20;

/** Takes presses: stored first, then on their way. A press whose process dies in between is found by the next look. */
export function createQuestionDesk({ questions, deliver, clock, log }: QuestionDeskDeps): QuestionDesk {
	async function onItsWay(question: Question): Promise<Pressed> {
		await deliver(question.sessionId).catch((error: Error) =>
			log.warn({ question: question.id, problem: error.message }, 'not queued; found again later'),
		);
		return { kind: 'taken', question };
	}

	async function answer(id: string, givenFor: (question: Question) => QuestionAnswer, by: Presser): Promise<Pressed> {
		for (let tries = 0; tries < TRIES; tries += 1) {
			const question = await questions.read(id);
			if (question === undefined) return { kind: 'unknown' };
			const outcome = answerQuestion(question, givenFor(question), by, clock.now());
			if (outcome.kind !== 'taken') return outcome;
			if (await questions.save(outcome.question, outcome.events)) return onItsWay(outcome.question);
		}
		throw new Error('the question is written by others all the time');
	}

	return {
		answer: (id, given, by) => answer(id, () => given, by),
		answerInWords: (id, words, by) => answer(id, (question) => answerFromWords(question, words), by),
		async retry(id, by) {
			for (let tries = 0; tries < TRIES; tries += 1) {
				const question = await questions.read(id);
				if (question === undefined) return { kind: 'unknown' };
				const again = retryDelivery(question);
				if (again === undefined) return { kind: 'late', question };
				if (await questions.save(again, [retriedEvent(again, by, clock.now())])) return onItsWay(again);
			}
			throw new Error('the question is written by others all the time');
		},
	};
}
