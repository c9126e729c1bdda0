import { isRecord } from '../loopback-http.ts';
import type { ScriptedAnswer, ScriptedPrompt } from '../model-script.ts';
import { actionRules } from './action-rules.ts';
import { isOverseerPrompt, readOverseerFacts } from './overseer-facts.ts';
import { questionRules } from './question-rules.ts';
import { type Rule, type ScriptedDecision, SKIP } from './rule.ts';
import { talkRules } from './talk-rules.ts';

/** The rules for one kind of prompt. The first set that knows the prompt answers it. */
export interface RuleSet {
	name: string;
	knows(prompt: ScriptedPrompt): boolean;
	answer(prompt: ScriptedPrompt): ScriptedAnswer;
}

const OVERSEER_RULES: readonly Rule[] = [...questionRules, ...actionRules, ...talkRules];

/** Decides on an Overseer prompt by the first rule that applies. */
export function decideByRules(prompt: ScriptedPrompt): { rule: string; decision: ScriptedDecision } {
	const facts = readOverseerFacts(prompt);
	for (const rule of OVERSEER_RULES) {
		const decision = rule.decide(facts);
		if (decision) return { rule: rule.name, decision };
	}
	return { rule: 'nothing to do', decision: SKIP };
}

const overseerRules: RuleSet = {
	name: 'overseer',
	knows: isOverseerPrompt,
	answer(prompt) {
		const { decision } = decideByRules(prompt);
		if (prompt.schema !== undefined || prompt.tools.length === 0) {
			return { text: JSON.stringify({ ...blanksFor(prompt.schema), ...decision }) };
		}
		const calls = decision.calls.map(({ tool, args }) => ({ name: tool, arguments: args }));
		return { text: decision.chat ?? (calls.length === 0 ? 'SKIP' : ''), calls };
	},
};

/** A grammar would force every required text field to be there, so a script that has nothing to say says it in them. */
function blanksFor(schema: unknown): Record<string, string> {
	const required = isRecord(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
	return required.includes('chat') ? { chat: '' } : {};
}

/** Says so, in plain words, when no set knows the prompt: an honest stand-in does not pretend. */
const unknownPrompt: RuleSet = {
	name: 'unknown',
	knows: () => true,
	answer: () => ({ text: 'This is the scripted model, and it has no rule for this kind of prompt.' }),
};

/** A script over rule sets; add further sets for further kinds of prompt. */
export function createScript(sets: readonly RuleSet[] = [overseerRules]): (prompt: ScriptedPrompt) => ScriptedAnswer {
	return (prompt) => ([...sets, unknownPrompt].find((set) => set.knows(prompt)) ?? unknownPrompt).answer(prompt);
}
