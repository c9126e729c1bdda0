import { OUTBOUND_ADDRESSES } from '../addresses.ts';
import { findQuote } from '../facts/find-quote.ts';
import type { Finding } from '../governance-port.ts';
import type { HandoffPacket } from '../handoff-packet.ts';
import { sha256 } from '../hash.ts';
import { MAX_QA_ROUNDS, MAX_QUESTION_SETS } from '../rounds.ts';
import type { IntakeSession } from '../session.ts';
import { speechOf } from '../speech/speech.ts';
import { secretKinds } from './secrets.ts';

const deny = (article: string, reason: string): Finding => ({ article, severity: 'deny', reason, origin: 'guard' });

/**
 * The articles that hold whatever any rule file says, and also when no rule engine runs. Each looks at session and packet by
 * itself and trusts no other check.
 */
export function guardFindings(session: IntakeSession, packet: HandoffPacket): Finding[] {
	return [
		...askedFirst(session),
		...withinRounds(session, packet),
		...onlyToAnalyst(packet),
		...factsGrounded(session, packet),
		...noSecrets(packet),
		...intentUnchanged(session, packet),
	];
}

function askedFirst({ history, questionSets }: IntakeSession): Finding[] {
	const asked = history.findIndex(({ kind }) => kind === 'questions');
	const replied = history.some(({ role, kind }, at) => role === 'user' && kind !== 'intent' && at > asked);
	const closed = questionSets.some(({ state }) => state !== 'open');
	return asked >= 0 && replied && closed
		? []
		: [deny('first_call_asks', 'No question was asked and answered before the requirements were compiled.')];
}

function withinRounds(session: IntakeSession, packet: HandoffPacket): Finding[] {
	const isWithin =
		session.roundCount <= MAX_QA_ROUNDS &&
		packet.body.round_count <= MAX_QA_ROUNDS &&
		session.questionSets.length <= MAX_QUESTION_SETS;
	return isWithin ? [] : [deny('rounds_within_limit', `More than ${MAX_QUESTION_SETS} sets of questions were asked.`)];
}

function onlyToAnalyst(packet: HandoffPacket): Finding[] {
	// Types say so already; this looks at what is really there.
	const to: string = packet.to;
	const isAllowed = to === 'U:BA' && (OUTBOUND_ADDRESSES as readonly string[]).includes(to) && packet.from === 'U:Cx';
	return isAllowed ? [] : [deny('only_to_analyst', 'The packet is addressed to somebody else than U:BA.')];
}

function factsGrounded(session: IntakeSession, packet: HandoffPacket): Finding[] {
	const speech = speechOf(session);
	const ungrounded = session.facts.filter(
		({ evidence }) =>
			!evidence.some(({ turnId, quote }) =>
				speech.some((piece) => piece.turnId === turnId && findQuote(piece.text, quote) !== undefined),
			),
	);
	const lines = new Set(packet.body.PROLOG_FACTS.split('\n').filter((line) => line !== ''));
	const known = new Set(session.facts.map(({ text }) => text));
	const stray = [...lines].some((line) => !known.has(line));
	return ungrounded.length === 0 && !stray
		? []
		: [deny('facts_grounded', 'A fact does not rest on anything that was said.')];
}

function noSecrets(packet: HandoffPacket): Finding[] {
	const kinds = secretKinds(
		packet.body.CONVERSATION_HISTORY.map(({ content }) => content).join('\n') + packet.body.TASK_SUMMARY,
	);
	return kinds.length === 0
		? []
		: [deny('no_secrets', `The conversation seems to hold a secret (${kinds.join(', ')}). Edit that answer.`)];
}

function intentUnchanged(session: IntakeSession, packet: HandoffPacket): Finding[] {
	const first = session.history.find(({ kind }) => kind === 'intent');
	const isSame = first?.content === session.originalIntent && packet.body.intent_hash === sha256(first.content);
	return isSame ? [] : [deny('intent_unchanged', 'The original intent is not what was first said.')];
}
