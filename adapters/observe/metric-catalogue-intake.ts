import { counter } from './metric-spec.ts';

export const intakeMetrics = {
	intake_events_total: counter('Events that intakes used up.', 'kind'),
	intake_transitions_total: counter('State changes of intakes, by the new state.', 'to'),
	intake_errors_total: counter('Expected failures of intakes, by their code.', 'code'),
	intake_unavailable_total: counter('Times that people were told that the assistant is unavailable.', 'reason'),
	intake_model_calls_total: counter('Model calls of intakes, by how they ended.', 'outcome'),
	intake_deliveries_total: counter('Tries to bring a packet to a place, by what became of it.', 'outcome'),
	cxp_answers_total: counter('Answers of the machine interface, by subject or error code.', 'subject'),
} as const;
