import type { LightFact, OverseerFacts } from './overseer-facts.ts';
import {
	COLORS,
	entityOf,
	isRequest,
	lightIn,
	lightsAlike,
	plainWords,
	speaksOfLights,
	spokenName,
} from './request-words.ts';
import { actOrExplain, chat, pickLine, type Rule } from './rule.ts';

/** A rule that looks only at requests to the bot, with the words already cleaned. */
function onRequest(name: string, decide: (facts: OverseerFacts, words: string) => ReturnType<Rule['decide']>): Rule {
	return {
		name,
		decide(facts) {
			if (!facts.mustAnswer) return undefined;
			const words = plainWords(facts);
			return isRequest(words) ? decide(facts, words) : undefined;
		},
	};
}

/** May colour and brightness of this light be set at all? Where nothing says otherwise, yes. */
function isAdjustable(facts: OverseerFacts, light: LightFact): boolean {
	const names = facts.choices.get('ha_set_light');
	return names === undefined || names.includes(light.key) || names.includes(entityOf(light, facts.entityIds));
}

const whichLight = onRequest('which light', (facts, words) => {
	const names = lightsAlike(words, facts.lights).map(spokenName);
	return names.length === 0 ? undefined : chat(`There is more than one: ${names.join(' or ')}. Say which.`);
});

const lightColor = onRequest('light colour', (facts, words) => {
	const color = COLORS.find((candidate) => new RegExp(`\\b${candidate}\\b`).test(words));
	const light = lightIn(words, facts.lights);
	if (color === undefined || (light === undefined && !speaksOfLights(words))) return undefined;
	const colored = facts.lights.find((candidate) => !['on', 'off', 'unavailable', 'unknown'].includes(candidate.value));
	const target = light ?? colored ?? facts.lights.find((candidate) => isAdjustable(facts, candidate));
	if (target === undefined) return chat('I see no light here that could wear a colour.');
	if (light?.value === 'unavailable' || light?.value === 'missing')
		return chat(`The ${spokenName(light)} light does not answer me.`);
	if (!isAdjustable(facts, target)) return chat(`The ${spokenName(target)} knows on and off, and no colours.`);
	return actOrExplain(facts, 'ha_set_light', { entity_id: entityOf(target, facts.entityIds), color }, [
		`${color}, then. It suits the room less than you think.`,
		`Very well. ${color}, and mind the shadows.`,
		`${color}. A warning, or a welcome.`,
	]);
});

const lightSwitch = onRequest('light on or off', (facts, words) => {
	const state = /\b(?:off|out|kill|dark)\b/.test(words) ? 'off' : /\b(?:on|light up)\b/.test(words) ? 'on' : undefined;
	const named = lightIn(words, facts.lights);
	if (state === undefined || (named === undefined && !speaksOfLights(words))) return undefined;
	if (named?.value === state) return chat(`The ${spokenName(named)} light is already ${state}. Look again.`);
	const stranger = named === undefined ? /\b(?:the|my) (\p{L}+) (?:light|lamp)\b/u.exec(words)?.[1] : undefined;
	if (stranger !== undefined) return chat(`There is no ${stranger} light within my reach.`);
	if (named?.value === 'unavailable' || named?.value === 'missing')
		return chat(`The ${spokenName(named)} light does not answer me.`);
	const opposite = state === 'on' ? 'off' : 'on';
	const target = named ?? facts.lights.find((light) => light.value === opposite) ?? facts.lights[0];
	if (target === undefined) return chat('There is no light here that I could reach.');
	const lines = named
		? [
				`As you wish. Watch the ${spokenName(target)}.`,
				`The ${spokenName(target)} hears you. So do I.`,
				`One small mercy for the ${spokenName(target)}.`,
			]
		: [`One at a time. The ${spokenName(target)} goes first.`, `Patience. I begin with the ${spokenName(target)}.`];
	return actOrExplain(facts, 'ha_set_entity', { entity_id: entityOf(target, facts.entityIds), state }, lines);
});

const DIMMED_PERCENT = 25;

const lightBrightness = onRequest('light brightness', (facts, words) => {
	const percent = /\b(\d{1,3})\s?(?:%|percent)/.exec(words)?.[1];
	const wanted = percent
		? Number(percent)
		: /\bdim\b/.test(words)
			? DIMMED_PERCENT
			: /\bbrighten\b/.test(words)
				? 100
				: 0;
	const named = lightIn(words, facts.lights);
	if (wanted < 1 || wanted > 100 || (named === undefined && !speaksOfLights(words))) return undefined;
	const target = named ?? facts.lights.find((light) => light.value !== 'off' && light.value !== 'unavailable');
	if (target === undefined) return chat('There is no lit lamp that I could dim.');
	if (!isAdjustable(facts, target)) return chat(`The ${spokenName(target)} knows on and off, and nothing between.`);
	return actOrExplain(facts, 'ha_set_light', { entity_id: entityOf(target, facts.entityIds), brightness: wanted }, [
		`The ${spokenName(target)}, at ${wanted} percent. Enough to see what is coming.`,
	]);
});

const lift = onRequest('lift', (facts, words) => {
	if (!/\blift\b|\belevator\b|\bplatform\b/.test(words)) return undefined;
	const up = /\b(?:up|raise|higher)\b/.test(words);
	const down = /\b(?:down|lower)\b/.test(words);
	if (up === down) return chat('Up or down. Choose, and mean it.');
	const wanted = up ? 'up' : 'down';
	if (facts.state.get('lift')?.value.startsWith(`${wanted},`)) return chat(`The lift is ${wanted} already.`);
	return actOrExplain(facts, `lift_${wanted}`, {}, [
		`Stand clear. The lift goes ${wanted}.`,
		`${wanted === 'up' ? 'Rising' : 'Sinking'}. Mind your wheels.`,
	]);
});

const VACUUM = /\b(?:vacuum|neato|robot vac|hoover|cleaner)\b/;

const vacuum = onRequest('vacuum', (facts, words) => {
	if (!VACUUM.test(words)) return undefined;
	if (/\b(?:home|stop|back|dock|return|park)\b/.test(words)) {
		return actOrExplain(facts, 'neato_send_home', {}, [
			'Home, little one. The floor has suffered enough.',
			'I call it back.',
		]);
	}
	if (/\b(?:locate|find|where)\b/.test(words)) {
		return actOrExplain(facts, 'neato_locate', {}, ['Listen. It will answer.', 'Let it sing.']);
	}
	if (/\bclear\b/.test(words))
		return actOrExplain(facts, 'neato_clear_errors', {}, ['I will have it forget what hurt it.']);
	if (/\b(?:start|run|go|clean|vacuum|send|release)\b/.test(words)) {
		return actOrExplain(facts, 'neato_start', {}, [
			'Lift your feet. It is hungry.',
			'I let it loose. Keep your cables close.',
		]);
	}
	return undefined;
});

const remember: Rule = {
	name: 'remember',
	decide(facts) {
		if (!facts.mustAnswer) return undefined;
		const words = plainWords(facts);
		const match = /(?:^|\b(?:please|you) )remember(?: that)?[:,]? (.{3,})$/.exec(words);
		if (!match?.[1] || /^(?:is|do|did|what|who)\b/.test(words)) return undefined;
		const original = facts.asked?.text ?? '';
		const at = original.toLowerCase().lastIndexOf(match[1].slice(0, 12));
		const text = (at < 0 ? match[1] : original.slice(at)).replace(/\s+/g, ' ').trim();
		return actOrExplain(facts, 'memory_write', { slot: freeSlot(facts), text: [...text].slice(0, 180).join('') }, [
			'I will keep that. I keep most things.',
			'Written where the dust does not reach.',
		]);
	},
};

/** The first slot the state shows as empty; without a view of them, one that the words pick. */
function freeSlot(facts: OverseerFacts): number {
	const slots = facts.state.get('memory')?.items ?? [];
	for (const slot of [1, 2, 3]) {
		const line = slots.find((item) => new RegExp(`^(?:slot ?)?${slot}\\b`).test(item));
		if (line !== undefined && /^(?:slot ?)?\d\s*[:=]?\s*(?:\(?empty\)?|-|—)?$/.test(line)) return slot;
	}
	return 1 + ((facts.asked?.text.length ?? 0) % 3);
}

const script = onRequest('house script', (facts, words) => {
	const labels = facts.choices.get('ha_run_script') ?? facts.state.get('scripts')?.items ?? [];
	const label = labels.find((candidate) => words.includes(candidate.toLowerCase().replace(/_/g, ' ')));
	if (label === undefined || !/\b(?:run|start|set|make|do|play)\b/.test(words)) return undefined;
	return actOrExplain(facts, 'ha_run_script', { script: label }, ['It begins.', 'As rehearsed.']);
});

const unknownRequest = onRequest('a request for something else', (facts) =>
	chat(
		pickLine(facts, [
			'That is beyond my reach. For now.',
			'I have no hand for that. Ask for lights, the lift or the vacuum.',
		]),
	),
);

/** Rules that end in a tool call, or in the reason why there is none. */
export const actionRules: readonly Rule[] = [
	remember,
	whichLight,
	lightColor,
	lightBrightness,
	lift,
	vacuum,
	lightSwitch,
	script,
	unknownRequest,
];
