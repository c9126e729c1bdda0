import type { OverseerSettings } from '../../../config/overseer.ts';
import type { NumberedMessage } from '../../chat/message.ts';
import type { Address, Evidence, NumberedEvent, Trigger } from '../trigger.ts';

/** What a rule looks at: only things that no decision has consumed yet, oldest first. */
export interface TriggerInput {
	readonly now: number;
	readonly settings: OverseerSettings;
	/** Lines of people after the cursor. */
	readonly fresh: readonly NumberedMessage[];
	/** Lines of people up to the cursor, as far back as the snapshot reaches. */
	readonly past: readonly NumberedMessage[];
	/** Events after the cursor that we did not cause ourselves. */
	readonly events: readonly NumberedEvent[];
	/** When the last decision began or ended; the first look at the room when there was none. */
	readonly lastDecisionAt: number;
	/** When the topic was last told to have changed; 0 = never. */
	readonly topicAt: number;
	/** Somebody is active or present. */
	readonly inhabited: boolean;
}

/** A rule that fired. */
export interface Finding {
	readonly trigger: Trigger;
	readonly evidence: Evidence;
	readonly addresses?: readonly Address[];
	/** Epoch ms of the oldest and the newest thing that made it fire. */
	readonly since: number;
	readonly newestAt: number;
	/** Trace context of the first message behind it that has one. */
	readonly trace?: string | undefined;
}

export type TriggerRule = (input: TriggerInput) => Finding | undefined;
