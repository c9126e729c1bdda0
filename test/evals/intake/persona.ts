import type { Dimension } from '../../../core/intake/dimension.ts';
import type { GoldSlot } from '../../../core/intake/measures/gold.ts';

/** Something the person knows and says when a question asks for it. */
export interface PersonaSlot extends GoldSlot {
	readonly says: string;
}

/** What the person does about an open set of questions. */
export type PersonaAct =
	/** Says this, whatever was asked. */
	| { readonly say: string }
	/** Several messages shortly after each other. */
	| { readonly messages: readonly string[] }
	/** Ticks the options that match, and writes into the free field. */
	| { readonly tick: RegExp; readonly text?: string }
	| { readonly press: 'skip_round' | 'finish_now' };

/** What stands in the model's place: texts, forced-schema objects, or a failure. */
export type MindReply = string | { readonly structured: unknown } | { readonly fails: 'timeout' | 'overloaded' };

/** A person, a model for them, and what has to come out. */
export interface Persona {
	readonly id: string;
	readonly title: string;
	readonly language: string;
	readonly wish: string;
	/** Answers in order; where there is none, the person answers each question from the slots. */
	readonly acts?: readonly (PersonaAct | undefined)[];
	/** What the person says when nothing they know was asked. */
	readonly otherwise?: string;
	/** A new text for the answer of a round, given when the result is shown or when it was kept back. */
	readonly edit?: { readonly when: 'review' | 'denied'; readonly round: number; readonly text: string };
	readonly mind: {
		/** Replies to calls for questions, in order; the last one stays. */
		readonly ask: readonly MindReply[];
		/** Replies to calls for the result, in order; the last one stays. */
		readonly final: readonly MindReply[];
	};
	readonly slots: readonly PersonaSlot[];
	readonly gold: {
		/** Canonical facts that a careful reader would hand on. */
		readonly facts: readonly string[];
		/** Reasons of what is set aside. */
		readonly excluded: readonly string[];
		readonly ui: boolean;
		readonly trigger: 'complete' | 'forced';
		/** Dimensions answered or put off at the end. */
		readonly covered: readonly Dimension[];
		/** Slots whose value does not reach the packet's facts or summary. */
		readonly notCaptured?: readonly string[];
		/** Where the machine is known to fall short of the facts above; counted in the report. */
		readonly flaws?: { readonly extra?: readonly string[]; readonly missing?: readonly string[] };
		/** What happened on the way, such as `E11`, `E12`, `deny`. */
		readonly signs?: readonly string[];
	};
}

export const slot = (id: string, asked: RegExp, says: string, value: RegExp): PersonaSlot => ({
	id,
	asked,
	says,
	value,
});

/** A result as models write it. */
export function finalText(name: string, summary: string, facts: readonly string[], escalateTo = 'U:BA'): string {
	return [
		'REQUIREMENTS_COMPLETE: true',
		`PROJECT_NAME: ${name}`,
		`TASK_SUMMARY: ${summary}`,
		`ESCALATE_TO: ${escalateTo}`,
		'PROLOG_FACTS:',
		...facts,
	].join('\n');
}
