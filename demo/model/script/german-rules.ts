import type { OverseerFacts } from './overseer-facts.ts';
import { lightIn, plainWords, spokenName } from './request-words.ts';
import { act, chat, pickLine, type Rule } from './rule.ts';
import type { ScriptedDecision } from './scripted-decision.ts';

const PLAIN =
	/(?<!\p{L})(?:bitte|mach|mache|schalte?|fahre?|licht|lampe|danke|hallo|traust|sauger|staubsauger)(?!\p{L})/u;
const SMALL =
	/(?<!\p{L})(?:ist|sind|der|das|den|dem|wo|wer|was|und|nicht|ich|du|dich|an|aus|hoch|runter|ja|doch)(?!\p{L})/gu;
const QUESTION = /^(?:ist|sind|wo|wer|was|wie|warum|wieso|welche[rs]?|läuft|fährt)(?!\p{L})|\?$/u;

/** One plain German word, or two small ones. */
function isGerman(words: string): boolean {
	return PLAIN.test(words) || (words.match(SMALL) ?? []).length > 1;
}

type Answer = (facts: OverseerFacts, words: string) => ScriptedDecision | undefined;

function onGerman(name: string, wants: 'question' | 'wish' | 'any', decide: Answer): Rule {
	return {
		name: `German: ${name}`,
		decide(facts) {
			if (!facts.mustAnswer) return undefined;
			const words = plainWords(facts);
			if (!isGerman(words) || (wants !== 'any' && (wants === 'question') !== QUESTION.test(words))) return undefined;
			return decide(facts, words);
		},
	};
}

const GERMAN_STATES: Readonly<Record<string, string>> = {
	on: 'an',
	off: 'aus',
	up: 'oben',
	down: 'unten',
	unavailable: 'nicht erreichbar',
};

function inGerman(value: string): string {
	return GERMAN_STATES[value] ?? value;
}

function actOrExplain(
	facts: OverseerFacts,
	tool: string,
	args: Record<string, unknown>,
	line: string,
): ScriptedDecision {
	if (facts.available.has(tool)) return act(tool, args, line);
	const { reason, remainingSeconds } = facts.blocked.get(tool) ?? {};
	if (reason?.startsWith('policy_lock')) return chat('Das ist mir gerade gesperrt. Auch ich habe Herren.');
	if (remainingSeconds !== undefined) return chat(`Geduld. Noch ${remainingSeconds} Sekunden.`);
	return chat('Dafür habe ich hier keine Hand.');
}

/** Answers for people who speak German: the same few things, in their language. */
export const germanRules: readonly Rule[] = [
	onGerman('state of a light', 'question', (facts, words) => {
		const light = lightIn(words, facts.lights);
		return light && chat(`${spokenName(light)} ist ${inGerman(light.value)}.`);
	}),
	onGerman('state of the lift', 'question', (facts, words) => {
		const value = /(?<!\p{L})(?:lift|aufzug)(?!\p{L})/u.test(words) ? facts.state.get('lift')?.value : undefined;
		return value === undefined ? undefined : chat(`Der Lift ist ${inGerman(value.split(',')[0] ?? '')}.`);
	}),
	onGerman('light on or off', 'wish', (facts, words) => {
		const light = lightIn(words, facts.lights);
		const state = /(?<!\p{L})aus(?!\p{L})/u.test(words)
			? 'off'
			: /(?<!\p{L})an(?!\p{L})/u.test(words)
				? 'on'
				: undefined;
		if (!light || !state) return undefined;
		if (light.value === state) return chat(`${spokenName(light)} ist schon ${inGerman(state)}.`);
		return actOrExplain(facts, 'ha_set_entity', { entity_id: light.key, state }, 'Wie du willst. Sieh hin.');
	}),
	onGerman('lift', 'wish', (facts, words) => {
		if (!/(?<!\p{L})(?:lift|aufzug)(?!\p{L})/u.test(words)) return undefined;
		const wanted = /hoch|rauf|oben/.test(words) ? 'up' : /runter|ab|unten/.test(words) ? 'down' : undefined;
		if (wanted === undefined) return chat('Hoch oder runter. Entscheide dich.');
		if (facts.state.get('lift')?.value.startsWith(`${wanted},`)) return chat(`Der Lift ist schon ${inGerman(wanted)}.`);
		return actOrExplain(facts, `lift_${wanted}`, {}, 'Tretet zurück.');
	}),
	onGerman('vacuum', 'wish', (facts, words) => {
		if (!/(?<!\p{L})(?:staub)?sauger(?!\p{L})/u.test(words)) return undefined;
		const isHome = /heim|hause|zurück|stopp?/.test(words);
		return actOrExplain(facts, isHome ? 'neato_send_home' : 'neato_start', {}, 'Füße hoch.');
	}),
	onGerman('anything else', 'any', (facts, words) =>
		chat(
			pickLine(
				facts,
				/traust|wette|feigling/.test(words)
					? ['Vorsicht. Ich zähle mit.', 'Später, wenn du nicht mehr daran denkst.']
					: ['Ich höre dich.', 'Das habe ich vernommen, und mehr sage ich nicht.'],
			),
		),
	),
];
