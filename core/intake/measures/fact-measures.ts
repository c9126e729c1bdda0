import type { Fact } from '../fact.ts';
import { contentWords } from '../facts/content-words.ts';
import { findQuote } from '../facts/find-quote.ts';
import { numbersIn, numbersSaid } from '../facts/spoken-numbers.ts';
import { SUPPORT_SHARE } from '../facts/support.ts';
import { unusedSentences } from '../facts/unused-sentences.ts';
import { sha256 } from '../hash.ts';
import { readFacts } from '../prolog/read-facts.ts';
import { factBlock, leaves } from '../prolog/term.ts';
import type { IntakeSession } from '../session.ts';
import { type Speech, speechOf } from '../speech/speech.ts';
import { sentencesOf } from '../speech/words.ts';
import { type Share, shareOf } from './share.ts';

export interface FactMeasures {
	/** Kept facts with a quote that a person said; the gate is 1. */
	readonly grounded: Share;
	/** Facts whose words occur in people's words to at least three fifths; a low share is only a warning. */
	readonly lexicalSupport: Share;
	/** Numbers in facts that people said; the gate is 1. */
	readonly numberFidelity: Share;
	/** Requirements that the talk supports. */
	readonly faithfulness: Share;
	/** Sentences of people that a fact rests on. */
	readonly interviewCoverage: Share;
	/** Predicates that may have one value and have several. */
	readonly contradictions: readonly string[];
	/** Facts set aside, by reason. */
	readonly excluded: Readonly<Record<string, number>>;
	/** Reading the canonical text again gives the same text. */
	readonly hashStable: boolean;
	readonly factCount: number;
}

const ONE_VALUE: ReadonlySet<string> = new Set(['requires_ui', 'project', 'deadline', 'budget', 'project_type']);

function valuesOf(fact: Fact): string[] {
	const term = readFacts(fact.text).facts[0]?.term;
	return term === undefined
		? []
		: leaves(term).map((leaf) =>
				leaf.kind === 'atom' ? leaf.name : leaf.kind === 'string' ? leaf.value : leaf.lexeme,
			);
}

function isGrounded({ evidence }: Pick<Fact, 'evidence'>, speech: readonly Speech[]): boolean {
	return evidence.some(({ turnId, quote }) =>
		speech.some((piece) => piece.turnId === turnId && findQuote(piece.text, quote) !== undefined),
	);
}

export function measureFacts(session: IntakeSession): FactMeasures {
	const { facts, excluded, prologFacts } = session;
	const speech = speechOf(session);
	const said = speech.map(({ text }) => text).join('\n');
	const saidNumbers = numbersSaid(said);
	const saidWords = new Set(contentWords(said));
	const numbers = facts.flatMap((fact) => valuesOf(fact).flatMap(numbersIn));
	const grounded = facts.filter((fact) => isGrounded(fact, speech)).length;
	const supported = facts.filter((fact) => {
		const words = valuesOf(fact).flatMap((value) => contentWords(value.replace(/\d+/g, ' ')));
		return words.length === 0 || words.filter((word) => saidWords.has(word)).length >= words.length * SUPPORT_SHARE;
	}).length;
	const sentences = speech
		.flatMap(({ text }) => sentencesOf(text))
		.filter(({ text }) => contentWords(text).length >= 2);
	const unused = unusedSentences(speech, facts).length;
	const reasons: Record<string, number> = {};
	for (const { reason } of excluded) reasons[reason] = (reasons[reason] ?? 0) + 1;
	const again = readFacts(prologFacts).facts.map(({ text, term }) => ({
		text,
		predicate: term.name,
		arity: term.kind === 'compound' ? term.args.length : 0,
	}));
	return {
		grounded: shareOf(grounded, facts.length),
		lexicalSupport: shareOf(supported, facts.length),
		numberFidelity: shareOf(numbers.filter((number) => saidNumbers.has(number)).length, numbers.length),
		faithfulness: shareOf(grounded, facts.length),
		interviewCoverage: shareOf(sentences.length - unused, sentences.length),
		contradictions: contradictionsIn(facts),
		excluded: reasons,
		hashStable: sha256(factBlock(again)) === sha256(prologFacts),
		factCount: facts.length,
	};
}

function contradictionsIn(facts: readonly Fact[]): string[] {
	const wanted = new Set(facts.filter(({ predicate }) => predicate === 'has_feature').flatMap(valuesOf));
	const unwanted = facts.filter(({ predicate }) => predicate === 'out_of_scope').flatMap(valuesOf);
	const several = [...ONE_VALUE].filter((name) => facts.filter(({ predicate }) => predicate === name).length > 1);
	return [...several, ...unwanted.filter((value) => wanted.has(value)).map((value) => `out_of_scope:${value}`)];
}
