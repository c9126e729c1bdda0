import type { FactPredicate } from './policy-engine.ts';

const fact = (name: string, arity: number): FactPredicate => ({ name, arity });

/** What a policy can ask about a packet. */
export const FACT_PREDICATES: readonly FactPredicate[] = [
	/** Each requirement as a term, such as `requirement(has_feature(inventory))`. */
	fact('requirement', 1),
	fact('packet_from', 1),
	fact('packet_to', 1),
	fact('packet_subject', 1),
	fact('trigger', 1),
	fact('cause', 1),
	fact('round_count', 1),
	fact('question_sets', 1),
	fact('max_rounds', 1),
	fact('ui_requirements', 1),
	fact('dimension_status', 2),
	fact('fact_count', 1),
	fact('excluded_count', 1),
	fact('fact_evidence', 2),
	fact('fact_at', 2),
	fact('fact_dimension', 2),
	fact('requires_escalation', 1),
	fact('stand_in', 1),
];
