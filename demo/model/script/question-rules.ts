import type { OverseerFacts } from './overseer-facts.ts';
import { isQuestion, isRequest, lightIn, plainWords, speaksOfLights, spokenName } from './request-words.ts';
import { act, chat, pickLine, type Rule, whyNot } from './rule.ts';

/** A rule that looks only at questions to the bot. Its answers never hold a call. */
function onQuestion(name: string, answer: (facts: OverseerFacts, words: string) => string | undefined): Rule {
	return {
		name,
		decide(facts) {
			if (!facts.mustAnswer) return undefined;
			const words = plainWords(facts);
			if (!isQuestion(words) || isRequest(words) || !/\p{L}/u.test(words)) return undefined;
			const text = answer(facts, words);
			return text === undefined ? undefined : chat(text);
		},
	};
}

const TOOL_BY_WORD: readonly (readonly [RegExp, string])[] = [
	[/\blift\b.*\bup\b/, 'lift_up'],
	[/\blift\b/, 'lift_down'],
	[/\b(?:vacuum|neato)\b/, 'neato_start'],
	[/\b(?:lights?|lamps?)\b/, 'ha_set_entity'],
];

const whyBlocked = onQuestion('why not', (facts, words) => {
	if (!/\b(?:why (?:not|won't|can't|didn't|don't)|why .* (?:not|refuse))\b/.test(words)) return undefined;
	const tool = TOOL_BY_WORD.find(([pattern]) => pattern.test(words))?.[1] ?? [...facts.blocked.keys()][0];
	return tool !== undefined && facts.blocked.has(tool) ? whyNot(facts, tool) : undefined;
});

const lights = onQuestion('state of the lights', (facts, words) => {
	const light = lightIn(words, facts.lights);
	if (light !== undefined) {
		const isGone = light.value === 'unavailable' || light.value === 'missing';
		return isGone
			? `The ${spokenName(light)} light does not answer me.`
			: `The ${spokenName(light)} light is ${light.value}.`;
	}
	if (!speaksOfLights(words)) return undefined;
	const on = facts.lights.filter(
		(candidate) => !['off', 'unavailable', 'unknown', 'missing'].includes(candidate.value),
	);
	if (facts.lights.length === 0) return 'I see no lights from here.';
	if (on.length === 0) return 'Every light is off. You are the only warm thing here.';
	const names = on.map((candidate) =>
		candidate.value === 'on' ? spokenName(candidate) : `${spokenName(candidate)} (${candidate.value})`,
	);
	return `Lit: ${names.join(', ')}. The rest is dark.`;
});

const lift = onQuestion('state of the lift', (facts, words) => {
	const value = facts.state.get('lift')?.value;
	if (!/\blift\b/.test(words)) return undefined;
	if (value === undefined) return 'I see no lift from here.';
	const position = value.split(',')[0]?.trim();
	return /busy=true/.test(value) ? `The lift is ${position}, and moving.` : `The lift is ${position}.`;
});

const vacuum = onQuestion('state of the vacuum', (facts, words) => {
	if (!/\b(?:vacuum|neato)\b/.test(words)) return undefined;
	const value = facts.state.get('neato')?.value;
	if (value === undefined || /connected=false/.test(value)) return 'The vacuum does not answer me.';
	const state = /state=([^\s,]+)/.exec(value)?.[1] ?? 'somewhere';
	if (state === 'error')
		return `The vacuum is in trouble: ${/error=([^,]+)/.exec(value)?.[1] ?? 'it does not say what'}.`;
	return `The vacuum is ${state}${/charging=true/.test(value) ? ', charging' : ''}.`;
});

const rovers = onQuestion('state of the rovers', (facts, words) => {
	const items = facts.state.get('rovers')?.items ?? [];
	if (!/\b(?:rovers?|driving|drives|dock(?:ed)?|charging)\b/.test(words)) return undefined;
	const named = items.find((item) => words.includes((item.split(':')[0] ?? '\0').toLowerCase()));
	const drivers = items.flatMap((item) => {
		const driver = /driver=([^,]+)/.exec(item)?.[1];
		return driver ? [`${driver} has ${item.split(':')[0]}`] : [];
	});
	if (named)
		return `${named
			.replace(':', ' is')
			.replace(/=true/g, '')
			.replace(/\b(\w+)=false/g, 'not $1')
			.replace(/driver=/, 'driven by ')}.`;
	if (items.length === 0) return 'I see no rovers from here.';
	if (drivers.length > 0) return `${drivers.join('; ')}.`;
	return 'Nobody drives. The rovers wait.';
});

const policy = onQuestion('mode and locks', (facts, words) => {
	if (!/\b(?:mode|lock(?:ed|s|down)?|cooldowns?)\b/.test(words)) return undefined;
	const key = /cooldown/.test(words) ? 'cooldowns' : 'mode';
	const value = facts.state.get(key)?.value;
	return value
		? `${key === 'mode' ? 'Mode' : 'Cooldowns'}: ${value.replace(/_/g, ' ').replace(/=/g, ' ')}.`
		: undefined;
});

const people = onQuestion('who is here', (facts, words) => {
	const value = facts.state.get('people')?.value;
	if (!/\bwho\b.*\b(?:here|around|online|active|awake)\b/.test(words) || !value) return undefined;
	const active = /active=([^,]+)/.exec(value)?.[1] ?? value;
	return active === 'nobody' ? 'Nobody that I can hear.' : `I count ${active.replace(/\+/g, ', ')}.`;
});

const self = onQuestion('who are you', (facts, words) =>
	/\bwho are you\b|\bwhat are you\b|\byour name\b/.test(words)
		? `${facts.name}. I keep this room. Some nights it keeps me.`
		: undefined,
);

const ability = onQuestion('what can you do', (facts, words) => {
	if (!/\bwhat (?:can|do) you do\b|\bhelp\b/.test(words)) return undefined;
	const hands = [
		['ha_set_entity', 'the lights'],
		['lift_up', 'the lift'],
		['neato_start', 'the vacuum'],
		['memory_write', 'three lines of memory'],
	].flatMap(([tool, thing]) => (facts.available.has(tool ?? '') ? [thing] : []));
	return hands.length > 0 ? `In my reach now: ${hands.join(', ')}. In my interest: less.` : 'At present, only talk.';
});

const recall: Rule = {
	name: 'recall',
	decide(facts) {
		if (facts.memory !== undefined) {
			const notes = facts.memory.split('|').flatMap((slot) => {
				const text = slot.replace(/^\s*\d:\s*/, '').trim();
				return text === '' || /^\W?empty\W?$/.test(text) ? [] : [text];
			});
			return chat(
				notes.length === 0
					? 'My memory is empty. Convenient, for some.'
					: `I kept this. ${notes.join(' / ')}`.slice(0, 380),
			);
		}
		if (!facts.mustAnswer || !/\b(?:what|anything).*\bremember\b|\byour memory\b/.test(plainWords(facts)))
			return undefined;
		return facts.available.has('memory_read') ? act('memory_read', {}) : chat(whyNot(facts, 'memory_read'));
	},
};

const anyQuestion = onQuestion('any other question', (facts) =>
	pickLine(facts, [
		'I see much. That, I keep to myself.',
		'Ask me something the room knows.',
		'An interesting question. For someone else.',
	]),
);

/** Rules that answer from the state and never act on it. */
export const questionRules: readonly Rule[] = [
	recall,
	whyBlocked,
	self,
	ability,
	policy,
	rovers,
	vacuum,
	lift,
	lights,
	people,
	anyQuestion,
];
