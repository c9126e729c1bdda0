import type { IntakeSettings } from '../../../config/intake.ts';
import type { ExcludedFact, Fact } from '../fact.ts';
import { READ_LIMITS, readFacts } from '../prolog/read-facts.ts';
import { factBlock } from '../prolog/term.ts';
import { cleanFactBlock } from '../reply/fact-block.ts';
import type { Speech } from '../speech/speech.ts';
import { groundFacts } from './ground-facts.ts';

export interface CheckedFacts {
	readonly facts: readonly Fact[];
	readonly excluded: readonly ExcludedFact[];
	/** Canonical text of the kept ones. */
	readonly block: string;
	/** Codes of the reader and notes of the clean-up; empty for a block that was right as it came. */
	readonly notes: readonly string[];
}

/** From the model's block to facts that may go on: read strictly, known kinds only, each resting on what was said. */
export function checkFacts(given: string, speech: readonly Speech[], settings: IntakeSettings): CheckedFacts {
	const clean = cleanFactBlock(given);
	const read = readFacts(clean.text, { ...READ_LIMITS, facts: settings.facts.maxFacts });
	const { kept, excluded } = groundFacts(read.facts, speech, settings);
	const unread = read.errors.map(({ code, line, column, text }) => ({ text, reason: code, line, column }));
	return {
		facts: kept,
		excluded: [...unread, ...excluded].sort((left, right) => (left.line ?? 0) - (right.line ?? 0)),
		block: factBlock(kept),
		notes: [...clean.notes, ...new Set(read.errors.map(({ code }) => code))],
	};
}
