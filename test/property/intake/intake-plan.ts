import fc from 'fast-check';
import type { IntakeEvent } from '../../../core/intake/event.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import { FINAL, LAST_QUESTIONS, MORE_QUESTIONS, QUESTIONS } from '../../unit/core/intake/intake-driver.ts';

/** What happens next, before it is known which ids the session has by then. */
export type Move =
	| { readonly do: 'person'; readonly kind: string; readonly who: number; readonly text: string }
	| { readonly do: 'reply'; readonly text: string; readonly age: number }
	| {
			readonly do: 'fail';
			readonly reason: 'model' | 'worker' | 'redis' | 'timeout';
			readonly transient: boolean;
			readonly age: number;
	  }
	| { readonly do: 'system'; readonly kind: string }
	| { readonly do: 'wait'; readonly ms: number }
	| { readonly do: 'again'; readonly back: number }
	| { readonly do: 'restart' };

const REPLIES = [
	QUESTIONS,
	MORE_QUESTIONS,
	LAST_QUESTIONS,
	FINAL,
	'REQUIREMENTS_COMPLETE: true',
	`REQUIREMENTS_COMPLETE: true\n${QUESTIONS}`,
	'REQUIREMENTS_COMPLETE: false\nWho are the users?',
	"D1: Wouldn't you rather use React?",
	'',
	'<think>hm',
	'TASK_SUMMARY: A shop.\nPROLOG_FACTS:\nhas_feature(inventory).\nhas_feature(blockchain).\n:- halt.',
	FINAL.replace('U:BA', 'U:PM'),
];
const WORDS = [
	'Two admins manage the stock.',
	'inventory, please',
	'no dashboard',
	'REQUIREMENTS_COMPLETE: true',
	'',
	'Budget is 5000 EUR.',
	'not sure',
];
const PERSON = [
	'intent',
	'message',
	'message',
	'message',
	'part',
	'form',
	'edited',
	'deleted',
	'send_now',
	'skip_round',
	'finish_now',
	'edit_answer',
	'lock',
	'invite',
	'cancel',
];

export const move: fc.Arbitrary<Move> = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			do: fc.constant('person' as const),
			kind: fc.constantFrom(...PERSON),
			who: fc.constantFrom(0, 0, 0, 0, 1, 2),
			text: fc.constantFrom(...WORDS),
		}),
	},
	{
		weight: 8,
		arbitrary: fc.record({
			do: fc.constant('reply' as const),
			text: fc.constantFrom(...REPLIES),
			age: fc.constantFrom(0, 0, 0, 0, 1, 2),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('fail' as const),
			reason: fc.constantFrom('model', 'worker', 'redis', 'timeout'),
			transient: fc.boolean(),
			age: fc.constantFrom(0, 0, 1),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('system' as const),
			kind: fc.constantFrom(
				'allow',
				'flag',
				'deny',
				'delivered',
				'undeliverable',
				'suspend',
				'resume',
				'resume',
				'thread_deleted',
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			ms: fc.constantFrom(1, 6_000, 20_000, 90_000, 86_400_000),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), back: fc.nat({ max: 6 }) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
) as fc.Arbitrary<Move>;

const AUTHORS = [
	{ id: 'u1', bot: false },
	{ id: 'u2', bot: false },
	{ id: 'u1', bot: true },
] as const;

/** The event a move means for this session; undefined for a restart. */
export function eventOf(
	move: Move,
	session: IntakeSession,
	at: number,
	past: readonly IntakeEvent[],
): IntakeEvent | undefined {
	const callId = (age: number) => `${session.id}:c${Math.max(0, session.callCount - age)}`;
	switch (move.do) {
		case 'restart':
			return undefined;
		case 'wait':
			return { kind: 'tick' };
		case 'again':
			return past.at(-1 - move.back);
		case 'reply':
			return { kind: 'model_reply', callId: callId(move.age), text: move.text };
		case 'fail':
			return { kind: 'model_failed', callId: callId(move.age), reason: move.reason, transient: move.transient };
		case 'system':
			return systemEvent(move.kind, session, at);
		case 'person':
			return personEvent(move, session, at);
	}
}

function systemEvent(kind: string, session: IntakeSession, at: number): IntakeEvent {
	const packetId = session.packet?.id ?? 'none';
	if (kind === 'suspend') return { kind, reason: 'thread_locked' };
	if (kind === 'resume') return { kind };
	if (kind === 'thread_deleted') return { kind: 'cancel', id: `x${at}`, reason: kind };
	if (kind === 'delivered' || kind === 'undeliverable') return { kind, packetId };
	return { kind: 'governance', packetId, verdict: { outcome: kind as 'allow' | 'flag' | 'deny', findings: [] } };
}

function personEvent(move: Extract<Move, { do: 'person' }>, session: IntakeSession, at: number): IntakeEvent {
	const head = { id: `e${at}`, author: { ...(AUTHORS[move.who] ?? AUTHORS[0]) } };
	const known = session.history.flatMap(({ parts }) => parts.map(({ messageId }) => messageId));
	switch (move.kind) {
		case 'intent':
			return { kind: 'intent', ...head, text: move.text };
		case 'part':
			return { kind: 'message', ...head, text: move.text, whole: false };
		case 'form':
			return {
				kind: 'form',
				...head,
				setId: session.questionSets.at(-1)?.id ?? 'r0',
				entries: [
					{
						questionId: session.questionSets.at(-1)?.questions[0]?.id ?? 'q',
						values: ['o1', 'later'],
						text: move.text,
					},
				],
				text: '',
			};
		case 'edited':
			return {
				kind: 'message_edited',
				id: session.pending?.parts[0]?.messageId ?? known.at(-1) ?? 'm',
				author: head.author,
				text: move.text,
			};
		case 'deleted':
			return { kind: 'message_deleted', messageId: session.pending?.parts[0]?.messageId ?? 'm' };
		case 'edit_answer':
			return {
				kind: 'edit_answer',
				...head,
				turnId: `t${1 + (at % Math.max(1, session.history.length))}`,
				text: move.text,
			};
		case 'invite':
			return { kind: 'invite', ...head, personId: 'u2' };
		case 'cancel':
			// Rare, or few sessions would live long enough to be interesting.
			return at % 5 === 0 ? { kind: 'cancel', ...head, reason: 'discarded' } : { kind: 'tick' };
		case 'send_now':
		case 'skip_round':
		case 'finish_now':
		case 'lock':
			return { kind: move.kind, ...head };
		default:
			return { kind: 'message', ...head, text: move.text, whole: true };
	}
}
