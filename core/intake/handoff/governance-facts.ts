import type { GovernanceInput } from '../governance-port.ts';
import type { HandoffPacket } from '../handoff-packet.ts';
import { type FactTerm, factText, type Term, termText } from '../prolog/term.ts';
import { MAX_QA_ROUNDS } from '../rounds.ts';

const atom = (name: string): Term => ({ kind: 'atom', name });
const number = (value: number): Term => ({ kind: 'number', lexeme: String(value) });
const line = (name: string, ...args: Term[]): string => factText({ kind: 'compound', name, args } satisfies FactTerm);

/** What the rule files are asked about: the requirements as facts, and the packet as facts. All of it is our own text. */
export function governanceInput(packet: HandoffPacket, questionSets: number): GovernanceInput {
	const { body } = packet;
	const metadata = [
		line('packet_from', atom(packet.from)),
		line('packet_to', atom(packet.to)),
		line('packet_subject', atom(packet.subject)),
		line('trigger', atom(body.trigger)),
		line('cause', atom(body.cause)),
		line('round_count', number(body.round_count)),
		line('max_rounds', number(MAX_QA_ROUNDS)),
		line('question_sets', number(questionSets)),
		line('ui_requirements', atom(String(body.UI_REQUIREMENTS))),
		line('requires_escalation', atom(String(body.requires_escalation))),
		line('fact_count', number(body.requirements.length)),
		line('excluded_count', number(body.excluded_facts.length)),
		...Object.entries(body.dimensions).map(([dimension, status]) =>
			line('dimension_status', atom(dimension.toLowerCase()), atom(status)),
		),
		...body.stand_ins.map((what) => line('stand_in', atom(what))),
		...body.requirements.flatMap((requirement, at) => [
			// The fact's own canonical text is a term already.
			`fact_at(${termText(number(at + 1))},${requirement.fact.replace(/\.$/, '')}).`,
			line('fact_evidence', number(at + 1), number(requirement.evidence.length)),
			line('fact_dimension', number(at + 1), atom(requirement.dimension.toLowerCase())),
		]),
	];
	return { packetId: packet.id, facts: body.PROLOG_FACTS, metadata: `${metadata.join('\n')}\n` };
}
