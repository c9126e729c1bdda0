import type { RawQuestion } from '../reply/raw-question.ts';
import { isUnspaced, wordsOf } from '../speech/words.ts';
import { isSameQuestion } from './likeness.ts';
import { COMPOUND, EVALUATIVE, LEADING, MAX_UNSPACED, MAX_WORDS, PRESUPPOSING, PRODUCTS } from './lint-words.ts';

export type LintRule =
	| 'leading'
	| 'presupposing'
	| 'named_product'
	| 'evaluative'
	| 'compound'
	| 'too_long'
	| 'no_question'
	| 'repeated'
	| 'repeated_now';

export interface LintContext {
	/** Everything people said, as one text. */
	readonly said: string;
	/** Texts of all questions of earlier rounds. */
	readonly earlier: readonly string[];
}

/** The rules a question breaks; empty for a neutral one. Options are judged only for a question that has a single one. */
export function lintQuestion(question: Pick<RawQuestion, 'text'>, context: LintContext): LintRule[] {
	const { text } = question;
	const rules: LintRule[] = [];
	if (LEADING.test(text)) rules.push('leading');
	if (PRESUPPOSING.test(text)) rules.push('presupposing');
	if (namesProduct(text, context.said)) rules.push('named_product');
	if (EVALUATIVE.test(text)) rules.push('evaluative');
	if (COMPOUND.test(text)) rules.push('compound');
	if (isTooLong(text)) rules.push('too_long');
	if (!/[?？]["')\]]*$/.test(text.trim())) rules.push('no_question');
	if (context.earlier.some((earlier) => isSameQuestion(earlier, text))) rules.push('repeated');
	return rules;
}

function namesProduct(text: string, said: string): boolean {
	const words = new Set(wordsOf(text).map((word) => word.text));
	const named = PRODUCTS.filter((product) => words.has(product));
	if (named.length === 0) return false;
	const spoken = new Set(wordsOf(said).map((word) => word.text));
	return named.some((product) => !spoken.has(product));
}

function isTooLong(text: string): boolean {
	return isUnspaced(text) ? Array.from(text).length > MAX_UNSPACED : wordsOf(text).length > MAX_WORDS;
}

export interface Linted {
	readonly question: RawQuestion;
	readonly rules: readonly LintRule[];
}

/** All questions of a reply, each with what it breaks; one that repeats another of the same reply is marked too. */
export function lintQuestions(questions: readonly RawQuestion[], context: LintContext): Linted[] {
	return questions.map((question, at) => {
		const rules = lintQuestion(question, context);
		const isDouble = questions.slice(0, at).some((other) => isSameQuestion(other.text, question.text));
		return { question, rules: isDouble ? [...rules, 'repeated_now' as const] : rules };
	});
}
