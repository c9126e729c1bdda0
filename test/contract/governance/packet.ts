import type { GovernanceInput } from '../../../core/intake/governance-port.ts';

/** One line each; a test changes the ones it is about. */
const METADATA: readonly string[] = [
	"packet_from('U:Cx').",
	"packet_to('U:BA').",
	'packet_subject(requirements).',
	'trigger(complete).',
	'cause(signal).',
	'round_count(3).',
	'question_sets(2).',
	'max_rounds(4).',
	'ui_requirements(true).',
	'dimension_status(d1, answered).',
	'dimension_status(d2, answered).',
	'dimension_status(d3, deferred).',
	'dimension_status(d4, answered).',
	'dimension_status(d5, answered).',
	'dimension_status(d6, answered).',
	'dimension_status(d7, deferred).',
	'excluded_count(0).',
	'requires_escalation(false).',
];

interface PacketChange {
	/** Canonical facts without full stops, each with one piece of evidence unless `metadata` says otherwise. */
	readonly facts?: readonly string[];
	/** Lines that stand in for those of the same predicate and first argument, or are added. */
	readonly metadata?: readonly string[];
	/** Predicates left out. */
	readonly without?: readonly string[];
}

/** Predicate, and first argument where a predicate stands once for each value of it. */
function keyOf(line: string): string {
	const [name = '', rest = ''] = line.split('(', 2);
	return /^(dimension_status|fact_at|fact_evidence|fact_dimension)$/.test(name)
		? `${name} ${rest.split(',')[0]}`
		: name;
}

/** A packet that all articles let pass, with what a test changed in it. */
export function packetOf({
	facts = ['has_feature(inventory)'],
	metadata = [],
	without = [],
}: PacketChange = {}): GovernanceInput {
	const lines = [
		...METADATA,
		`fact_count(${facts.length}).`,
		...facts.flatMap((fact, place) => [
			`fact_at(${place + 1}, ${fact}).`,
			`fact_evidence(${place + 1}, 1).`,
			`fact_dimension(${place + 1}, d1).`,
		]),
	];
	const changed = new Set(metadata.map(keyOf));
	const kept = lines.filter((line) => !changed.has(keyOf(line)) && !without.includes(keyOf(line)));
	return {
		packetId: 'p1',
		facts: facts.map((fact) => `${fact}.\n`).join(''),
		metadata: `${[...kept, ...metadata].join('\n')}\n`,
	};
}
