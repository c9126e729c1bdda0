import type { IntakeSettings } from '../../config/intake.ts';
import type { Effect, EffectOf } from '../../core/intake/effect.ts';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { JsonSchema, ModelMessage } from '../../core/model/model-port.ts';

/** What the model is sent for one call. */
export interface IntakePrompt {
	readonly messages: readonly ModelMessage[];
	readonly schema: { readonly name: string; readonly json: JsonSchema };
	/** Turns that were left out because of the budget; 0 = the whole history. */
	readonly truncatedTurns: number;
}

/** The pure parts of an intake, as the workers use them. */
export interface IntakeMind {
	step(
		session: IntakeSession,
		event: IntakeEvent,
		settings: IntakeSettings,
		now: number,
	): { readonly state: IntakeSession; readonly effects: readonly Effect[] };
	wakeAt(session: IntakeSession, settings: IntakeSettings): number | undefined;
	prompt(session: IntakeSession, call: EffectOf<'call_model'>['call'], settings: IntakeSettings): IntakePrompt;
}
