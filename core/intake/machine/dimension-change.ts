import { DIMENSIONS, type Dimension, type DimensionStates, type DimensionStatus } from '../dimension.ts';
import { LATER, type QuestionSet } from '../question.ts';
import { wordsOf } from '../speech/words.ts';
import type { Turn } from '../turn.ts';
import { turnContent } from './turns.ts';

export function markAsked(states: DimensionStates, set: QuestionSet): DimensionStates {
	const asked = new Set(set.questions.map(({ dimension }) => dimension));
	return update(states, (dimension, status) => (asked.has(dimension) && status !== 'answered' ? 'asked' : status));
}

export function markSkipped(states: DimensionStates, set: QuestionSet): DimensionStates {
	const asked = new Set(set.questions.map(({ dimension }) => dimension));
	return update(states, (dimension, status) => (asked.has(dimension) && status !== 'answered' ? 'deferred' : status));
}

/**
 * What an answer settles. A form says it question by question; free text counts for everything that was asked, unless it only
 * says that nothing is decided yet.
 */
export function markAnswered(
	states: DimensionStates,
	set: QuestionSet,
	turn: Pick<Turn, 'parts' | 'choices'>,
	unknownWords: ReadonlySet<string>,
): DimensionStates {
	const free = turnContent(turn.parts, []);
	const hasFree = free.trim() !== '' && !isUnknown(free, unknownWords);
	const verdicts = new Map<Dimension, DimensionStatus>();
	for (const question of set.questions) {
		const choice = turn.choices.find(({ questionId }) => questionId === question.id);
		const said = [...(choice?.labels ?? []), choice?.text ?? ''].filter((text) => text.trim() !== '');
		const later = question.options.find(({ value }) => value === LATER)?.label;
		const isAnswered = said.some((text) => text !== later && !isUnknown(text, unknownWords)) || hasFree;
		const before = verdicts.get(question.dimension);
		verdicts.set(question.dimension, isAnswered || before === 'answered' ? 'answered' : 'deferred');
	}
	return update(states, (dimension, status) => {
		const verdict = verdicts.get(dimension);
		return verdict === undefined || status === 'answered' ? status : verdict;
	});
}

function update(
	states: DimensionStates,
	next: (dimension: Dimension, status: DimensionStatus) => DimensionStatus,
): DimensionStates {
	return Object.fromEntries(DIMENSIONS.map((one) => [one, next(one, states[one])])) as DimensionStates;
}

/** Is the whole answer one of the phrases for "not decided"? */
function isUnknown(text: string, unknownWords: ReadonlySet<string>): boolean {
	const plain = wordsOf(text)
		.map((word) => word.text)
		.join(' ');
	return plain === '' || unknownWords.has(plain) || unknownWords.has(text.trim().toLowerCase());
}
