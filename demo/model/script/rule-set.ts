import type { ScriptedAnswer, ScriptedPrompt } from '../model-script.ts';

/** The rules for one kind of prompt. The first set that knows the prompt answers it. */
export interface RuleSet {
	name: string;
	knows(prompt: ScriptedPrompt): boolean;
	answer(prompt: ScriptedPrompt): ScriptedAnswer;
}
