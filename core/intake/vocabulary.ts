import type { IntakeSettings } from '../../config/intake.ts';
import { DEFAULT_PREDICATES } from '../../config/intake-predicates.ts';
import { DEFAULT_WORDS, type LanguageWords } from '../../config/intake-words.ts';

export type PredicateRule = IntakeSettings['facts']['predicates'][string];

/** Built-in kinds of facts together with those of the settings, which win. A map: no name can reach a prototype. */
export function predicateRules(settings: IntakeSettings): ReadonlyMap<string, PredicateRule> {
	return new Map([...Object.entries(DEFAULT_PREDICATES), ...Object.entries(settings.facts.predicates)]);
}

/** Word lists of all languages: people mix them, and a wrong guess of the language must not change a verdict. */
export function allWords(settings: IntakeSettings): readonly LanguageWords[] {
	return [...new Map([...Object.entries(DEFAULT_WORDS), ...Object.entries(settings.words)]).values()];
}
