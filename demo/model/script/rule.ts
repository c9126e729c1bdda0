import type { OverseerFacts } from './overseer-facts.ts';
import type { ScriptedDecision } from './scripted-decision.ts';

/** One small reason to do one thing. The first rule that decides wins. */
export interface Rule {
	name: string;
	/** Undefined: not this rule's business. */
	decide(facts: OverseerFacts): ScriptedDecision | undefined;
}

export const SKIP: ScriptedDecision = { mode: 'SKIP', calls: [] };

export function chat(text: string): ScriptedDecision {
	return { mode: 'CHAT', chat: text, calls: [] };
}

export function act(tool: string, args: Record<string, unknown>, text?: string): ScriptedDecision {
	const calls = [{ tool, args }];
	return text === undefined ? { mode: 'ACTION', calls } : { mode: 'ACTION+CHAT', chat: text, calls };
}

/** Picks a line by the words at hand, so that the same prompt gets the same line; lines already said are passed over. */
export function pickLine(facts: OverseerFacts, lines: readonly string[]): string {
	const said = new Set(facts.turns.filter((turn) => turn.bot).map((turn) => turn.text));
	const fresh = lines.filter((line) => !said.has(line));
	const choice = fresh.length > 0 ? fresh : lines;
	return choice[seedOf(facts) % choice.length] ?? '';
}

/** A number that the same prompt always yields. */
export function seedOf(facts: OverseerFacts): number {
	let hash = 7;
	for (const character of `${facts.state.get('time')?.value ?? ''}|${facts.asked?.text ?? ''}`) {
		hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
	}
	return hash;
}

/** Calls the tool when the prompt offers it, else says why not, in the prompt's own reason. */
export function actOrExplain(
	facts: OverseerFacts,
	tool: string,
	args: Record<string, unknown>,
	lines: readonly string[],
): ScriptedDecision {
	if (facts.available.has(tool)) return act(tool, args, pickLine(facts, lines));
	return chat(whyNot(facts, tool));
}

export function whyNot(facts: OverseerFacts, tool: string): string {
	const blocked = facts.blocked.get(tool);
	const seconds = blocked?.remainingSeconds;
	const wait = seconds === undefined ? 'a little while' : `${seconds} second${seconds === 1 ? '' : 's'}`;
	const thing = /^lift/.test(tool) ? 'The lift' : /^neato/.test(tool) ? 'The vacuum' : 'That';
	// Some reasons carry a detail behind a colon, as in `unavailable:conflict`.
	const reason = blocked?.reason.startsWith('unavailable') ? 'unavailable' : blocked?.reason;
	switch (reason) {
		case undefined:
			return 'That is not mine to move. I have no hand for it.';
		case 'cooldown':
			return `${thing} is resting. Ask again in ${wait}.`;
		case 'rate_limit':
			return `I have moved enough for now. Ask again in ${wait}.`;
		case 'busy':
			return `${thing} is already moving. Patience.`;
		case 'unavailable':
			return `${thing} does not answer me. It seems to be offline.`;
		case 'stage':
			return 'I may only talk, for now. Ask whoever holds the keys.';
		case 'vote':
			return 'You voted me quiet. I keep my hands to myself.';
		case 'already':
			return `${thing} is there already. Look again.`;
		case 'policy_lock:site_mode_admin':
			return 'The house is in admin mode. My hands are tied, for now.';
		case 'policy_lock:site_mode_lockdown':
			return 'Lockdown. Nothing moves until it lifts.';
		case 'policy_lock:lights_locked_on':
			return 'The lights are locked on. Not even I may have the dark.';
		case 'policy_lock:lights_locked_off':
			return 'The lights are locked off. Enjoy the dark.';
		default:
			return `Not now: ${reason.replace(/[_:]/g, ' ')}.`;
	}
}
