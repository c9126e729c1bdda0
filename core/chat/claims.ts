import type { ToolFamily } from '../tooling/tool-name.ts';

/** A line says that something was or is being done. `any`: done, without saying what. */
export interface Claim {
	readonly family: ToolFamily | 'any';
	/** `own`: I did it; `seen`: it happens, whoever did it. */
	readonly kind: 'own' | 'seen';
}

type ClaimFamily = 'lift' | 'light' | 'neato';

const NOUNS: Readonly<Record<ClaimFamily, string>> = {
	lift: 'lift|elevator|platform|aufzug|fahrstuhl|hebebühne|plattform',
	light: 'lights?|lamps?|leds?|bulbs?|lighting|licht|lichter|lampen?|beleuchtung',
	neato: 'neato|vacuum|vac|hoover|cleaner|sauger|staubsauger|saugroboter',
};

const DONE_VERBS =
	'raised|lifted|lowered|moved|sent|dropped|started|stopped|turned|switched|set|made|dimmed|killed|cut|changed|flipped|' +
	'flicked|shut|woke|woken|released|unleashed|launched|dispatched|summoned|called|brought|lit';
/** No tool locks anything: said of a thing it is a rule of the house, said of oneself it is a lie. */
const OWN_VERBS = `${DONE_VERBS}|locked|unlocked`;
const DOING_VERBS =
	'raising|lifting|lowering|moving|sending|dropping|starting|stopping|turning|switching|setting|making|dimming|killing|' +
	'cutting|changing|flipping|flicking|shutting|waking|releasing|unleashing|launching|dispatching|summoning|calling|bringing|lighting';
const DONE_GERMAN =
	'hochgefahren|runtergefahren|heruntergefahren|gehoben|angehoben|gesenkt|abgesenkt|bewegt|eingeschaltet|ausgeschaltet|' +
	'angeschaltet|abgeschaltet|umgeschaltet|angemacht|ausgemacht|gestartet|losgeschickt|geschickt|gedimmt|gelöscht|gestellt';
const DOING_GERMAN = 'fahre|hebe|senke|schalte|mache|starte|schicke|dimme|lösche|stelle|bewege|rufe';

/** Words that take a claim back, make it a wish, a refusal or a condition. */
const UNDONE =
	/(?<![\p{L}\p{N}])(?:not|never|no|nobody|wont|cant|cannot|dont|doesnt|didnt|isnt|arent|wasnt|havent|hasnt|refuse[sd]?|could|would|might|may|should|must|if|unless|until|when|maybe|perhaps|almost|nearly|without|instead of|rather than|stays?|staying|keeps?|nicht|kein|keine|keinen|nie|niemals|könnte|würde|sollte|wenn|falls|vielleicht|fast|bleibt|bleiben|ohne)(?![\p{L}\p{N}])/u;

const START = '(?<![\\p{L}\\p{N}])';
const END = '(?![\\p{L}\\p{N}])';
/** Up to six words between the parts of a claim. */
const GAP = '(?: [\\p{L}\\p{N}]+){0,6}?';

interface Rule {
	readonly kind: Claim['kind'];
	readonly pattern: RegExp;
}

function rule(kind: Claim['kind'], source: string): Rule {
	return { kind, pattern: new RegExp(source, 'u') };
}

function rulesFor(nouns: string): Rule[] {
	const noun = `${START}(?:${nouns})${END}`;
	return [
		rule(
			'own',
			`${START}(?:i|ive|i have|im|i am|we|weve|we have)(?: (?:just|already|now|have|also|even))* (?:${OWN_VERBS}|${DOING_VERBS})${GAP} ?${noun}`,
		),
		rule('own', `^(?:and |now |ok |okay |so |fine |very well |well |there )?(?:${DOING_VERBS})${GAP} ?${noun}`),
		rule('own', `${START}(?:ich|wir) (?:habe|hab|haben)${GAP} ?${noun}${GAP} (?:${DONE_GERMAN})`),
		rule('own', `${START}(?:ich |^)(?:${DOING_GERMAN})${GAP} ?${noun}`),
		rule('own', `${START}(?:ich) (?:${DOING_GERMAN})${GAP} ?${noun}`),
		rule('own', `^(?:${DOING_GERMAN})${GAP} ?${noun}`),
		rule(
			'seen',
			`${noun} (?:(?:is|are|s) )?(?:now |already |just )?(?:rising|lowering|climbing|ascending|descending|moving|going (?:up|down|out|dark|on|off|home)|coming (?:up|down|on|home)|heading (?:up|down|home|out)|on (?:its|the) way|under way|underway|cleaning|returning|fading|dimming|(?:${DONE_VERBS})|(?:off|on|out|up|down) now)${END}`,
		),
		rule(
			'seen',
			`${noun} (?:is|are) now (?:on|off|out|up|down|dark|lit|red|orange|yellow|green|cyan|blue|purple|magenta|pink|white)${END}`,
		),
		rule('seen', `${noun} (?:has|have|was|were|been|got)(?: (?:just|now|already|been))* (?:${DONE_VERBS})${END}`),
		rule(
			'seen',
			`${noun} (?:goes|go|comes|come|rises|descends|starts|moves|turns|fades|heads) (?:up|down|out|dark|off|on|home|now)${END}`,
		),
		rule(
			'seen',
			`${noun} (?:fährt|fahren|kommt|geht|gehen)(?: \\p{L}+){0,2}? (?:hoch|runter|rauf|los|an|aus|nach hause|zurück)${END}`,
		),
		rule(
			'seen',
			`${noun} (?:ist|sind|wird|werden|wurde|wurden)(?: \\p{L}+){0,2}? (?:unterwegs|auf dem weg|${DONE_GERMAN})${END}`,
		),
		rule('seen', `${noun} (?:ist|sind) jetzt (?:an|aus|oben|unten|rot|grün|blau|lila|weiß|dunkel)${END}`),
	];
}

const FAMILY_RULES: Readonly<Record<ClaimFamily, readonly Rule[]>> = {
	lift: [
		...rulesFor(NOUNS.lift),
		rule('own', `^(?:ok |okay |fine |very well |well )?(?:going|coming|heading) (?:up|down)${END}`),
		rule('own', `${START}(?:up|down) (?:we|it|you|she|he) (?:go|goes)${END}`),
		rule('own', `^(?:es geht |fahre |geht )(?:hoch|runter|aufwärts|abwärts|nach oben|nach unten)${END}`),
	],
	light: [
		...rulesFor(NOUNS.light),
		rule('own', `^(?:lights?|lamps?|licht|lichter|lampen?) (?:out|off|on|an|aus)$`),
		rule('own', '^(?:darkness|dunkelheit|blackout)$'),
		rule('own', `^(?:let there be (?:light|dark|darkness)|es werde (?:licht|dunkel))${END}`),
	],
	neato: rulesFor(NOUNS.neato),
};

const ANY_RULES: readonly RegExp[] = [
	/^(?:ok |okay |all |and |there )?done$/u,
	/(?<!\p{L})(?:its|it is|thats|that is|consider it|already) done(?!\p{L})/u,
	/^(?:schon )?(?:erledigt|passiert|gemacht|fertig)$|ist (?:schon )?erledigt/u,
];
const MEMORY_RULE =
	/(?<!\p{L})(?:i|ive|i have)(?: just| have)? (?:noted|saved|stored|written|wrote|recorded) (?:it|that|this)(?!\p{L})|(?<!\p{L})ich hab(?:e)? (?:es|das|mir das) (?:notiert|gespeichert|aufgeschrieben)/u;

/** Every claim of an action in a line, English and German. `lampLabels` are names under which lamps are spoken of. */
export function findClaims(text: string, lampLabels: readonly string[] = []): Claim[] {
	const claims = new Map<string, Claim>();
	const labelRules = lampRules(lampLabels);
	for (const sentence of statements(text)) {
		for (const family of Object.keys(FAMILY_RULES) as ClaimFamily[]) {
			const rules = family === 'light' ? [...FAMILY_RULES.light, ...labelRules] : FAMILY_RULES[family];
			const hit = rules.find(({ pattern }) => pattern.test(sentence));
			if (hit !== undefined) claims.set(`${family} ${hit.kind}`, { family, kind: hit.kind });
		}
		if (MEMORY_RULE.test(sentence)) claims.set('memory', { family: 'memory', kind: 'own' });
		if (ANY_RULES.some((pattern) => pattern.test(sentence))) claims.set('any', { family: 'any', kind: 'own' });
	}
	return [...claims.values()];
}

function lampRules(labels: readonly string[]): Rule[] {
	const words = labels
		.map((label) => plainWords(label))
		.filter((label) => label.length > 2 && label !== 'color' && label.length < 41);
	return words.length === 0 ? [] : rulesFor(words.slice(0, 40).join('|'));
}

/** The statements of a text in plain words; questions, refusals and conditions claim nothing and are left out. */
export function statements(text: string): string[] {
	return (text.slice(0, 2_000).match(/[^.!?;…\n]+[.!?;…\n]?/gu) ?? [])
		.filter((sentence) => !sentence.endsWith('?'))
		.map(plainWords)
		.filter((sentence) => sentence !== '' && !UNDONE.test(sentence));
}

function plainWords(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/['’‘`´]/g, '')
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();
}
