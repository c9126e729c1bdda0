import { z } from 'zod';

/** Words of a person that a fact rests on. */
export const evidence = z.strictObject({
	/** Turn of the history. */
	turnId: z.string(),
	/** Message in that turn, for a jump link; the turn's first one when the quote spans several. */
	messageId: z.string(),
	/** Verbatim piece of that turn. */
	quote: z.string(),
});
export type Evidence = z.infer<typeof evidence>;

export const fact = z.strictObject({
	/** Canonical text with its full stop, such as `has_feature(inventory).` */
	text: z.string(),
	predicate: z.string(),
	arity: z.int(),
	/** At least one. */
	evidence: z.array(evidence).min(1),
	/** `quoted`: the model named the words and they are there. `found`: code found the fact's own words in a turn. */
	support: z.enum(['quoted', 'found']),
});
export type Fact = z.infer<typeof fact>;

export const excludedFact = z.strictObject({
	/** As the model wrote it, shortened; for people and logs only, never for an engine. */
	text: z.string(),
	/** Reader code (`bullet`, `variable`, …) or `unknown_predicate`, `ungrounded`, `number_not_said`, `name_not_said`, `url_not_said`, `negated`, `answer_edited`, … */
	reason: z.string(),
	line: z.int().optional(),
	column: z.int().optional(),
});
export type ExcludedFact = z.infer<typeof excludedFact>;
