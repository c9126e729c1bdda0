import type { ScriptedAnswer, ScriptedPrompt } from '../model-script.ts';
import { actionRules } from './action-rules.ts';
import { underSchema } from './answer-schema.ts';
import { commentaryRules } from './commentary-rules.ts';
import { fleetRules, fleetSummaryRules } from './fleet/fleet-rules.ts';
import { germanRules } from './german-rules.ts';
import { intakeRules } from './intake-rules.ts';
import { isOverseerPrompt, readOverseerFacts } from './overseer-facts.ts';
import { questionRules } from './question-rules.ts';
import { type Rule, SKIP } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import type { ScriptedDecision } from './scripted-decision.ts';
import { talkRules } from './talk-rules.ts';

const OVERSEER_RULES: readonly Rule[] = [...germanRules, ...questionRules, ...actionRules, ...talkRules];

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
			return { text: JSON.stringify(underSchema(decision, prompt.schema)) };
		}
		const calls = decision.calls.map(({ tool, args }) => ({ name: tool, arguments: args }));
		return { text: decision.chat ?? (calls.length === 0 ? 'SKIP' : ''), calls };
	},
};

/** Says so, in plain words, when no set knows the prompt: an honest stand-in does not pretend. */
const unknownPrompt: RuleSet = {
	name: 'unknown',
	knows: () => true,
	answer: () => ({ text: 'This is the scripted model, and it has no rule for this kind of prompt.' }),
};

/** A script over rule sets; add further sets for further kinds of prompt. */
export function createScript(
	sets: readonly RuleSet[] = [intakeRules, fleetRules, fleetSummaryRules, overseerRules, commentaryRules],
): (prompt: ScriptedPrompt) => ScriptedAnswer {
	return (prompt) => ([...sets, unknownPrompt].find((set) => set.knows(prompt)) ?? unknownPrompt).answer(prompt);
}
