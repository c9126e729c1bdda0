import { MAX_QUESTIONS } from '../question.ts';
import { MAX_QA_ROUNDS, MAX_QUESTION_SETS } from '../rounds.ts';
import type { IntakeSession } from '../session.ts';

/** Names of the rules of the machine that a stored session breaks; empty for a sound one. */
export function brokenInvariants(session: IntakeSession): string[] {
	const { history, packet, roundCount, questionSets, state, finalization, originalIntent } = session;
	const broken: string[] = [];
	const check = (name: string, holds: boolean) => {
		if (!holds) broken.push(name);
	};
	const first = history[0];
	check('intent_first', first === undefined || (first.kind === 'intent' && first.content === originalIntent));
	check('one_intent', history.filter(({ kind }) => kind === 'intent').length <= 1);
	check('rounds_within_limit', roundCount <= MAX_QA_ROUNDS && questionSets.length <= MAX_QUESTION_SETS);
	check(
		'questions_within_limit',
		questionSets.every(({ questions }) => questions.length >= 1 && questions.length <= MAX_QUESTIONS),
	);
	check(
		'one_open_set',
		questionSets.filter((set) => set.state === 'open').length <=
			(state === 'QUESTIONING' || state === 'SUSPENDED' || state === 'CANCELLED' ? 1 : 0),
	);
	check('asked_before_final', finalization === undefined || questionSets.some((set) => set.state !== 'open'));
	check(
		'no_question_after_final',
		finalization === undefined || questionSets.every(({ askedAt }) => askedAt <= finalization.at),
	);
	check('only_to_analyst', packet === undefined || (packet.to as string) === 'U:BA');
	check(
		'sent_only_when_allowed',
		state !== 'COMPLETE' || session.verdict?.outcome === 'allow' || session.verdict?.outcome === 'flag',
	);
	check('packet_rounds', packet === undefined || packet.body.round_count <= MAX_QA_ROUNDS);
	return broken;
}
