import type { IntakeSettings } from '../../../config/intake.ts';
import { oneLine } from '../../chat/sanitise.ts';
import type { Fact } from '../fact.ts';
import type { Requirement } from '../handoff-packet.ts';
import { readFacts } from '../prolog/read-facts.ts';
import { leaves, type Term } from '../prolog/term.ts';
import { predicateRules } from '../vocabulary.ts';

function words(leaf: ReturnType<typeof leaves>[number]): string {
	if (leaf.kind === 'number') return leaf.lexeme;
	return leaf.kind === 'string' ? leaf.value : leaf.name.replaceAll('_', ' ');
}

/** The fact in words: its kind's label and what it says. Nothing is added to it. */
function factInWords(term: Term, label: string): string {
	const said = leaves(term).map(words).join(', ');
	return oneLine(said === '' ? label : `${label}: ${said}`, 300);
}

/** One requirement a fact, numbered in the order of dimensions, each with the words it rests on. */
export function requirementsOf(facts: readonly Fact[], settings: IntakeSettings): Requirement[] {
	const rules = predicateRules(settings);
	return facts
		.flatMap((fact) => {
			const term = readFacts(fact.text).facts[0]?.term;
			const rule = rules.get(fact.predicate);
			if (term === undefined || rule === undefined) return [];
			const text = factInWords(term, rule.label);
			return [{ text, dimension: rule.dimension, fact: fact.text, evidence: [...fact.evidence] }];
		})
		.sort((left, right) => (left.dimension < right.dimension ? -1 : left.dimension > right.dimension ? 1 : 0))
		.map((one, at) => ({ id: `R${at + 1}`, ...one }));
}
