import type { IntakeSettings } from '../../../config/intake.ts';
import { cutText, visible } from '../../chat/sanitise.ts';
import type { Evidence, ExcludedFact, Fact } from '../fact.ts';
import type { ReadFact } from '../prolog/read-facts.ts';
import { leaves } from '../prolog/term.ts';
import { type Negators, negatorsOf } from '../speech/negation.ts';
import type { Speech } from '../speech/speech.ts';
import { uiSignal } from '../speech/ui-signal.ts';
import { allWords, predicateRules } from '../vocabulary.ts';
import { contentWords } from './content-words.ts';
import { quotesIn } from './find-quote.ts';
import { numbersIn, numbersSaid } from './spoken-numbers.ts';
import { indexSpeech, isDenied, lexicalSupport, quotedSupport, type SpeechIndex } from './support.ts';

export interface Grounded {
	readonly kept: readonly Fact[];
	readonly excluded: readonly ExcludedFact[];
}

/** Kinds of fact whose arguments are names of things that exist: a translation of the name is another thing. */
const NAMED = new Set(['uses_technology', 'programming_language', 'integrates_with', 'hosting']);
/** Kinds of fact that say what is not wanted. */
const NEGATIVE = new Set(['out_of_scope', 'constraint']);

/** Keeps the facts that rest on what people said, each with the words; sets aside the others, each with the reason. */
export function groundFacts(read: readonly ReadFact[], speech: readonly Speech[], settings: IntakeSettings): Grounded {
	const rules = predicateRules(settings);
	const languages = allWords(settings);
	const context: Context = {
		index: indexSpeech(speech),
		negators: negatorsOf(languages),
		ui: uiSignal(speech, languages),
	};
	const kept: Fact[] = [];
	const excluded: ExcludedFact[] = [];
	for (const one of read) {
		const arity = one.term.kind === 'compound' ? one.term.args.length : 0;
		const rule = rules.get(one.term.name);
		const known = rule === undefined ? 'unknown_predicate' : rule.arities.includes(arity) ? undefined : 'unknown_arity';
		const verdict: Verdict = known === undefined ? ground(one, context) : { reason: known };
		if ('reason' in verdict) {
			const text = cutText(visible(one.text), 200);
			excluded.push({ text, reason: verdict.reason, line: one.line, column: one.column });
		} else if (!kept.some(({ text }) => text === one.text)) {
			kept.push({ text: one.text, predicate: one.term.name, arity, ...verdict });
		}
	}
	return { kept, excluded };
}

interface Context {
	readonly index: SpeechIndex;
	readonly negators: Negators;
	readonly ui: ReturnType<typeof uiSignal>;
}

type Verdict = { readonly reason: string } | Pick<Fact, 'evidence' | 'support'>;

function ground(one: ReadFact, context: Context): Verdict {
	const values = leaves(one.term).map((leaf) =>
		leaf.kind === 'atom' ? leaf.name : leaf.kind === 'string' ? leaf.value : leaf.lexeme,
	);
	if (one.term.name === 'requires_ui') return groundUi(values[0] ?? '', context);
	const tokens = values.flatMap((value) => contentWords(value.replace(/\d+(?:\.\d+)?/g, ' ')));
	const found = evidenceFor(one, values, tokens, context);
	if ('reason' in found) return found;
	return withExactParts(one, values, tokens, found, context);
}

/** The flag must say what the word lists say; it rests on the words they found. */
function groundUi(value: string, { ui }: Context): Verdict {
	const wanted = value === 'true' || value === 'yes';
	if (!wanted && value !== 'false' && value !== 'no') return { reason: 'ungrounded' };
	if (wanted !== ui.required) return { reason: ui.hits.length > 0 ? 'negated' : 'ungrounded' };
	const hits = ui.hits.filter(({ denied }) => denied !== wanted).slice(0, 3);
	if (hits.length === 0) return { reason: 'ungrounded' };
	return {
		support: 'found',
		evidence: hits.map(({ turnId, messageId, quote }) => ({ turnId, messageId, quote })),
	};
}

function evidenceFor(
	one: ReadFact,
	values: readonly string[],
	tokens: readonly string[],
	{ index, negators }: Context,
): Verdict {
	const isNegative = NEGATIVE.has(one.term.name);
	const quotes = one.comment === undefined ? [] : quotesIn(one.comment);
	const quoted = quotedSupport(quotes, index);
	const affirmed = isNegative ? quoted : quoted.filter(({ quote }) => !isDenied(quote, tokens, negators));
	const lexical = lexicalSupport(tokens, index, isNegative ? negatorsOf([]) : negators);
	if (affirmed.length > 0 && !(lexical.denied && !isNegative)) return { support: 'quoted', evidence: affirmed };
	if (lexical.evidence.length > 0) return { support: 'found', evidence: [...lexical.evidence] };
	if (quoted.length > 0 || lexical.denied) return { reason: 'negated' };
	// A fact of numbers alone rests on the words of its kind.
	if (tokens.length === 0) {
		const byKind = lexicalSupport(contentWords(one.term.name), index, negators).evidence;
		const evidence = byKind.length > 0 ? byKind : tellingNumbers(values, index);
		if (evidence.length > 0) return { support: 'found', evidence: [...evidence] };
	}
	return { reason: 'ungrounded' };
}

/** A sentence that says all the numbers, where they are telling enough: a date, or a figure of three digits and more. */
function tellingNumbers(values: readonly string[], { said }: SpeechIndex): Evidence[] {
	const numbers = values.flatMap(numbersIn);
	if (numbers.length === 0 || (numbers.length < 3 && !numbers.some((number) => number >= 100))) return [];
	const found = said.find(({ sentence }) => {
		const spoken = numbersSaid(sentence.text);
		return numbers.every((number) => spoken.has(number));
	});
	if (found === undefined) return [];
	const { turnId, messageId } = found.speech;
	return [{ turnId, messageId, quote: cutText(found.sentence.text, 300) }];
}

/** Numbers, addresses and names must have been said just so; where they were said elsewhere, that place is added. */
function withExactParts(
	one: ReadFact,
	values: readonly string[],
	tokens: readonly string[],
	found: Pick<Fact, 'evidence' | 'support'>,
	{ index }: Context,
): Verdict {
	const extra: Evidence[] = [];
	const messages = (evidence: readonly Evidence[]) =>
		index.pieces.filter(({ turnId, messageId }) =>
			evidence.some((e) => e.turnId === turnId && e.messageId === messageId),
		);
	const near = messages(found.evidence);
	const needs: { reason: string; holds: (text: string) => boolean }[] = [];
	for (const value of values) {
		for (const number of numbersIn(value))
			needs.push({ reason: 'number_not_said', holds: (text) => numbersSaid(text).has(number) });
		if (/^(?:https?:\/\/|www\.)|@[\w-]+\.\w/i.test(value))
			needs.push({ reason: 'url_not_said', holds: (text) => text.toLowerCase().includes(value.toLowerCase()) });
		else if (/\p{Lu}\p{Ll}/u.test(value)) {
			for (const name of value.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? [])
				needs.push({ reason: 'name_not_said', holds: (text) => text.toLowerCase().includes(name.toLowerCase()) });
		}
	}
	if (NAMED.has(one.term.name))
		for (const token of tokens)
			needs.push({ reason: 'name_not_said', holds: (text) => contentWords(text).includes(token) });
	for (const need of needs) {
		if (near.some(({ text }) => need.holds(text))) continue;
		const said = index.said.find(({ sentence }) => need.holds(sentence.text));
		if (said === undefined) return { reason: need.reason };
		extra.push({
			turnId: said.speech.turnId,
			messageId: said.speech.messageId,
			quote: cutText(said.sentence.text, 300),
		});
	}
	return { ...found, evidence: unique([...found.evidence, ...extra]) };
}

function unique(evidence: readonly Evidence[]): Evidence[] {
	return evidence.filter(
		(one, at) => evidence.findIndex((other) => other.turnId === one.turnId && other.quote === one.quote) === at,
	);
}
