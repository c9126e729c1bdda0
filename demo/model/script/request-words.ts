import type { LightFact, OverseerFacts } from './overseer-facts.ts';
import { wholeWord } from './overseer-facts.ts';

const VERBS =
	'turn|switch|set|make|put|play|do|lift|raise|lower|start|stop|send|dock|locate|find|clear|remember|run|light|kill|dim|brighten|bring|move|vacuum|clean|park';
const QUESTION_START =
	/^(?:is|are|am|was|were|what|what's|whats|which|who|who's|where|where's|when|why|how|how's|does|do|did|has|have|had|should|shall|if)\b/;
const POLITE = new RegExp(`\\b(?:can|could|would|will|won't) you (?:please |kindly |just )*(?:${VERBS})\\b`);
const WISH = new RegExp(`\\b(?:please|i want you to|i need you to|go and|let's|now) (?:${VERBS})\\b`);
/** What a sentence that is no order may begin with; any other first word before a verb is taken for a name. */
const NOT_A_NAME =
	'(?!(?:i|you|we|he|she|it|they|to|who|what|that|this|if|when|lets|people|all|some|my|the|a|an|no|not)\\b)';
const IMPERATIVE = new RegExp(
	`^(?:${NOT_A_NAME}[\\p{L}'.-]+[,:]? )?(?:please |just |now |go |ok |okay |and |then )*(?:${VERBS})\\b`,
	'u',
);
const NEGATION = /\b(?:don'?t|do not|never|dont|stop turning|leave .* alone|without)\b/;

/** Longer names first, so that "warm white" is not read as "white". */
export const COLORS = [
	...['warm white', 'cool white', 'turquoise', 'lavender', 'magenta', 'purple', 'violet', 'yellow', 'orange', 'white'],
	...['amber', 'green', 'blue', 'pink', 'cyan', 'teal', 'gold', 'red'],
];

/** The words without the bot's name, greeting and marks at the edges, in lower case. */
export function plainWords(facts: OverseerFacts): string {
	const text = (facts.asked?.text ?? '').replace(new RegExp(wholeWord(facts.name).source, 'giu'), ' ');
	return text
		.toLowerCase()
		.replace(/[’]/g, "'")
		.replace(/<@!?\d+>|@[\w-]+/g, ' ')
		.replace(/^[\s,.:;!?-]*(?:(?:hey|hi|hello|yo|ok|okay|bot|oi)\b[\s,.:;!-]*)*/u, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Somebody wants something done, as opposed to told. A question about the room is never a request. */
export function isRequest(words: string): boolean {
	if (NEGATION.test(words)) return false;
	if (POLITE.test(words)) return true;
	if (QUESTION_START.test(words)) return false;
	if (WISH.test(words) || words.split(/[,.;:!]+ /).some((clause) => IMPERATIVE.test(clause))) return true;
	if (words.endsWith('?')) return false;
	// "lights purple", "lift up", "shelf lamp off": a thing and a state, and hardly a word more.
	const tail = new RegExp(`\\b(?:on|off|up|down|home|${COLORS.join('|')})[.! ]*(?:please)?[.!]*$`);
	return words.split(' ').length <= 5 && tail.test(words);
}

export function isQuestion(words: string): boolean {
	return words.endsWith('?') || QUESTION_START.test(words);
}

const GENERIC = new Set([
	'light',
	'lights',
	'lamp',
	'lamps',
	'switch',
	'bulb',
	'strip',
	'rgb',
	'outlet',
	'plug',
	'led',
]);

/** The light a text means: the one whose own words all stand in it, the most specific first. */
export function lightIn(words: string, lights: readonly LightFact[]): LightFact | undefined {
	const spoken = new Set(words.replace(/([a-z])(\d)/g, '$1 $2').split(/[^\p{L}\p{N}]+/u));
	const matches = lights
		.map((light) => ({ light, own: ownWords(light.key) }))
		.filter(({ own }) => own.length > 0 && own.every((word) => spoken.has(word)))
		.sort((left, right) => right.own.length - left.own.length);
	return matches[0]?.light;
}

/** Lights of which a text names a part and none whole: "corner lamp" where there are two corners. */
export function lightsAlike(words: string, lights: readonly LightFact[]): readonly LightFact[] {
	if (lightIn(words, lights) !== undefined) return [];
	const spoken = new Set(words.split(/[^\p{L}\p{N}]+/u));
	const alike = lights.filter(({ key }) => ownWords(key).some((word) => word.length > 2 && spoken.has(word)));
	return alike.length > 1 ? alike : [];
}

export function speaksOfLights(words: string): boolean {
	return /\b(?:lights?|lamps?|bulbs?|dark|darkness)\b/.test(words);
}

/** The id to call the light by: the full one when the prompt holds it, else the name it goes by. */
export function entityOf(light: LightFact, entityIds: readonly string[]): string {
	if (light.key.includes('.')) return light.key;
	const key = light.key.toLowerCase().replace(/[^a-z0-9]+/g, '_');
	const own = (id: string) => id.slice(id.indexOf('.') + 1);
	return (
		entityIds.find((id) => own(id) === key) ??
		entityIds.find((id) => own(id).startsWith(`${key}_`) || own(id).endsWith(`_${key}`)) ??
		light.key
	);
}

export function spokenName(light: LightFact): string {
	return light.key.slice(light.key.indexOf('.') + 1).replace(/_/g, ' ');
}

function ownWords(key: string): string[] {
	const words = key
		.slice(key.indexOf('.') + 1)
		.toLowerCase()
		.replace(/([a-z])(\d)/g, '$1 $2')
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== '');
	const specific = words.filter((word) => !GENERIC.has(word));
	return specific.length > 0 ? specific : words;
}
