import type { IntakeSettings } from '../../config/intake.ts';
import { visible } from '../chat/sanitise.ts';
import { ALIAS, type InboundSource, inboundSource } from './addresses.ts';
import type { IntakeErrorCode } from './error-code.ts';
import type { IntakeEvent } from './event.ts';
import { inboundPacket } from './packet.ts';
import type { IntakeSession } from './session.ts';

export interface RouteContext {
	/** The session the packet names; undefined when it names none, or one that is not there. */
	readonly session: IntakeSession | undefined;
	readonly settings: IntakeSettings;
	/** Stands in for the packet's id when it has none. */
	readonly newId: string;
	/** Whoever is authenticated at the edge; becomes the author of the event. */
	readonly caller: string;
}

export type Routed =
	| {
			readonly ok: true;
			readonly from: InboundSource;
			readonly subject: 'intent' | 'response';
			readonly event: IntakeEvent;
	  }
	| { readonly ok: false; readonly code: IntakeErrorCode; readonly detail: string };

const refused = (code: IntakeErrorCode, detail: string): Routed => ({ ok: false, code, detail });

/**
 * What a packet means. Checks form, addresses, subject and body, in this order, and changes nothing. An intent on a session
 * that has one already is let through: the machine keeps the first.
 */
export function routePacket(raw: unknown, context: RouteContext): Routed {
	const read = inboundPacket.safeParse(raw);
	if (!read.success) {
		const issue = read.error.issues[0];
		const isEmptyBody = issue?.path[0] === 'body' && (raw as { body?: unknown } | null)?.body === null;
		return refused(
			isEmptyBody ? 'E05' : 'E01',
			issue === undefined ? '' : `${issue.path.join('.') || 'packet'}: ${issue.message}`,
		);
	}
	const packet = read.data;
	const from = inboundSource.safeParse(packet.from);
	if (!from.success) return refused('E03', 'from must be HUMAN or gateway');
	if (packet.to !== ALIAS) return refused('E01', `to must be ${ALIAS}`);
	const subject = packet.subject.trim().toLowerCase();
	if (subject !== 'intent' && subject !== 'response') return refused('E02', 'subject must be intent or response');
	if (visible(packet.body).trim() === '') return refused('E05', 'body is empty');
	if (packet.body.length > context.settings.maxTextChars)
		return refused('E06', `body is longer than ${context.settings.maxTextChars} characters`);
	const { session } = context;
	if (session?.state === 'COMPLETE' || session?.state === 'CANCELLED') return refused('E07', session.state);
	if (subject === 'response' && (session === undefined || session.state === 'IDLE'))
		return refused('E04', 'no intent was given in this session');
	const common = {
		id: packet.id ?? context.newId,
		author: { id: context.caller, bot: false },
		text: packet.body,
	};
	const event: IntakeEvent =
		subject === 'intent' ? { kind: 'intent', ...common } : { kind: 'message', whole: true, ...common };
	return { ok: true, from: from.data, subject, event };
}
