import type { IntakeEvent } from '../../../core/intake/event.ts';

/**
 * Name under which an event is known as handed in; empty for events that may come again with another meaning. It holds ids
 * only, never what was said.
 */
export function eventName(event: IntakeEvent): string {
	switch (event.kind) {
		case 'intent':
		case 'message':
		case 'form':
		case 'send_now':
		case 'skip_round':
		case 'finish_now':
		case 'edit_answer':
		case 'lock':
		case 'invite':
		case 'cancel':
			return `${event.kind} ${event.id}`;
		case 'model_reply':
			return `${event.kind} ${event.callId}`;
		default:
			return '';
	}
}
