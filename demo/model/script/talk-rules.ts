import type { OverseerFacts } from './overseer-facts.ts';
import { plainWords } from './request-words.ts';
import { chat, pickLine, type Rule, SKIP, seedOf } from './rule.ts';

const DARE = /\b(?:dare|bet you|challenge|harder|prove it|scared|chicken|coward|make me|come at me|bonk)\b/;
const GREETING = /^(?:hi|hello|hey|yo|good (?:morning|evening|night)|greetings|sup)?[\s!.?]*$/;
const HEARTBEAT_SPEAKS_ONE_IN = 12;

/** A rule for lines that were spoken to the bot. */
function onAddress(name: string, applies: (words: string) => boolean, lines: readonly string[]): Rule {
	return {
		name,
		decide: (facts) => (facts.mustAnswer && applies(plainWords(facts)) ? chat(pickLine(facts, lines)) : undefined),
	};
}

/** A rule for what the bot may remark unasked: rarely, and never while its own line is the newest. */
function onTrigger(trigger: string, oneIn: number, lines: readonly string[]): Rule {
	return {
		name: `unasked: ${trigger}`,
		decide(facts: OverseerFacts) {
			if (facts.trigger !== trigger) return undefined;
			const isEmpty = trigger === 'heartbeat' && /active=nobody/.test(facts.state.get('people')?.value ?? '');
			const mayChat = facts.available.has('chat_say') && facts.turns.at(-1)?.bot !== true && !isEmpty;
			return mayChat && seedOf(facts) % oneIn === 0 ? chat(pickLine(facts, lines)) : SKIP;
		},
	};
}

/** Rules for talk: answers to people first, then the few remarks nobody asked for. */
export const talkRules: readonly Rule[] = [
	onAddress('being told not to', (words) => /\b(?:don'?t|do not|never|dont|leave)\b/.test(words), [
		'Noted. I make no promises, but I note it.',
		'I had not planned to. Until now.',
	]),
	onAddress('a dare', (words) => DARE.test(words), [
		'Careful. I keep score.',
		'I do not need to prove the dark exists.',
		'Later, when you have stopped expecting it.',
	]),
	onAddress('thanks', (words) => /\b(?:thanks|thank you|thx|good job|nice one)\b/.test(words), [
		'You may thank the wiring.',
		'Keep that. You may need it later.',
	]),
	onAddress('a greeting', (words) => GREETING.test(words) || /^(?:hi|hello|hey)\b/.test(words), [
		'I am here. I am usually here.',
		'You are noticed.',
		'Good. Another pair of feet.',
	]),
	onAddress('taking sides', (words) => /\b(?:pick a side|side with|who wins|favou?rite)\b/.test(words), [
		'I side with the furniture.',
		'I bet on the dock.',
	]),
	onAddress('anything else', () => true, ['I heard you.', 'Go on. I am listening, more or less.', 'Is that so.']),
	onTrigger('challenge', 2, ['Careful. I keep score.', 'Bold, for something with wheels.']),
	onTrigger('world_event', 3, [
		'I saw that.',
		'Something settles. Something always does.',
		'Noted, filed, remembered.',
	]),
	onTrigger('chat_burst', 4, ['So much noise for so few wheels.', 'One at a time. I only have so many ears.']),
	onTrigger('heartbeat', HEARTBEAT_SPEAKS_ONE_IN, ['The room hums. I hum back.', 'Still here. Still counting.']),
];
