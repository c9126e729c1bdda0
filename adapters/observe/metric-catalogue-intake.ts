import { counter, gauge, histogram } from './metric-spec.ts';

export const intakeMetrics = {
	intake_events_total: counter('Events that intakes used up.', 'kind'),
	intake_transitions_total: counter('State changes of intakes, by the new state.', 'to'),
	intake_errors_total: counter('Expected failures of intakes, by their code.', 'code'),
	intake_unavailable_total: counter('Times that people were told that the assistant is unavailable.', 'reason'),
	intake_model_calls_total: counter('Model calls of intakes, by how they ended.', 'outcome'),
	intake_deliveries_total: counter('Tries to bring a packet to a place, by what became of it.', 'outcome'),
	intake_sessions: gauge('Intakes that are not over, by state.', 'state'),
	intake_inbox_packets: gauge('Packets with a delivery that waits or was given up; at most 200 are counted.', 'state'),
	intake_rounds: histogram('Rounds that an intake took until it was compiled; 4 is the most.', [1, 2, 3, 4]),
	intake_finalizations_total: counter('Intakes that were compiled, by what led to it.', 'trigger', 'cause'),
	intake_facts_total: counter('Facts of compiled intakes, kept or excluded.', 'verdict'),
	intake_verdicts_total: counter('Verdicts of governance.', 'outcome'),
	intake_replies_noted_total: counter('Replies of the model that broke a rule, by which.', 'note'),
	intake_edits_total: counter('Answers that were changed before the end.'),
	intake_histories_cut_total: counter('Prompts that could not hold the whole history.'),
	cxp_answers_total: counter('Answers of the machine interface, by subject or error code.', 'subject'),
} as const;
