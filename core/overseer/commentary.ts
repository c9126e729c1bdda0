import type { OverseerSettings } from '../../config/overseer.ts';
import { promptText } from '../chat/sanitise.ts';
import type { ModelReply } from '../model/model-port.ts';
import { normaliseDecision } from './normalise.ts';
import type { PeopleView } from './people.ts';
import { peopleText, roverLine } from './state-update.ts';
import type { PendingDecision } from './trigger.ts';
import type { WorldView } from './world.ts';
import { zonedTime } from './zoned-time.ts';

/**
 * The chat-only commentator on rovers, kept from before the overseer. It uses the same gate with `role: 'commentary'` (rover
 * events and addresses only), has no tools and speaks under this `source`.
 */
export const COMMENTARY_SOURCE = 'commentary';

/** Longest line of the commentator; the room's own limit when that is shorter. */
export const COMMENTARY_MAX_CHARS = 200;

export function commentaryState(input: {
	readonly now: number;
	readonly settings: OverseerSettings;
	readonly decision: Pick<PendingDecision, 'trigger' | 'addresses'>;
	readonly world: WorldView;
	readonly people: PeopleView;
	readonly eventTexts: readonly string[];
}): string {
	const { now, settings, decision, world, people, eventTexts } = input;
	return [
		'ROVERS',
		`time: ${zonedTime(now, settings.timeZone)}`,
		`trigger: ${decision.trigger}`,
		...world.rovers.map(roverLine),
		`people: ${peopleText(people, decision.addresses, settings)}`,
		...(eventTexts.length > 0
			? ['just happened:', ...eventTexts.slice(-6).map((text) => `- ${promptText(text, 120)}`)]
			: []),
	].join('\n');
}

/** What the commentator says, if anything. Calls are never run; `notes` are counted. */
export function readCommentary(
	reply: Pick<ModelReply, 'text' | 'structured' | 'calls' | 'stop'> & { readonly truncated?: boolean },
	settings: OverseerSettings,
): { readonly chat?: string; readonly notes: readonly string[] } {
	const decision = normaliseDecision({ ...reply, calls: [] }, settings);
	const notes =
		reply.calls.length > 0 || decision.calls.length > 0 ? [...decision.notes, 'calls_refused'] : decision.notes;
	return decision.chat === undefined ? { notes } : { chat: decision.chat, notes };
}
