import type { FleetLine } from './fleet-facts.ts';

export type Language = 'en' | 'de';

/** The sentences that a person is answered with. */
export interface Phrases {
	readonly nobody: string;
	readonly nothingBlocked: string;
	readonly noNews: string;
	readonly noRelay: string;
	readonly noWatch: string;
	readonly control: string;
	readonly who: string;
	readonly thanks: string;
	readonly unclear: string;
	asks(line: FleetLine, context: string | undefined): string;
	asksNothing(line: FleetLine): string;
	failed(line: FleetLine): string;
	doing(line: FleetLine): string;
	found(name: string, what: string): string;
	foundNothing(name: string): string;
	pressCard(name: string): string;
	sent(names: string, text: string): string;
	saysPerson(text: string): string;
	refused(why: string): string;
	watching(name: string, when: string, relayTo: string | undefined, language: Language): string;
	several(word: string, names: readonly string[]): string;
	unknown(word: string, names: readonly string[]): string;
	none(state: string): string;
	cost(total: string, each: string): string;
	event(kind: string): string;
}

const GERMAN =
	/\b(?:ist|sind|sage?|macht|machen|gefunden|hat|bitte|wer|wartet|fertig|kostet|danke|wenn|passiert|blockiert|braucht)\b/i;

/** The language of a person's words. */
export function languageOf(text: string): Language {
	return GERMAN.test(text) ? 'de' : 'en';
}

const choicesOf = ({ asks }: FleetLine) =>
	asks === undefined || asks.choices.length === 0 ? '' : ` (${asks.choices.join(' | ')})`;
const quoteOf = (text: string | undefined) => (text === undefined ? '' : `: "${text}"`);

const en: Phrases = {
	nobody: 'No sessions are running.',
	nothingBlocked: 'Nothing is blocked: no session waits for anybody, and none has failed.',
	noNews: 'Nothing happened lately.',
	noRelay: 'I cannot send messages now.',
	noWatch: 'I cannot watch sessions now.',
	control:
		'I only look and pass on. Sessions are started and stopped by people, with /session start and /session stop.',
	who: 'I watch the coding sessions, tell you who needs you, answer questions about them, and pass findings from one to another when you ask. I never answer a session in your place.',
	thanks: 'You are welcome.',
	unclear: 'I am not sure what you mean. The fleet:',
	asks(line, context) {
		const why = context === undefined ? '' : ` Context: "${context}".`;
		return `${line.name} asks "${line.asks?.text}"${choicesOf(line)}, for ${line.asks?.openFor} now.${why}`;
	},
	asksNothing: (line) => `${line.name} asks nothing; it is ${line.state}.`,
	failed: (line) => `${line.name} failed ${line.since} ago${quoteOf(line.reason)}.`,
	doing(line) {
		if (line.asks !== undefined) return en.asks(line, undefined);
		if (line.state === 'failed') return en.failed(line);
		const ended = line.hasEnded ? ' and has ended' : line.isStale ? ', and does not report any more' : '';
		return `${line.name} is ${line.state} for ${line.since}${ended}${line.last === undefined ? '' : `, last "${line.last}"`}.`;
	},
	found: (name, what) => `${name} reports: "${what}"`,
	foundNothing: (name) => `${name} has not reported any finding yet.`,
	pressCard: (name) => `I cannot answer ${name} in your place. You can press the answer on its card, or reply there.`,
	sent: (names, text) => `I sent ${names} this: ${text}`,
	saysPerson: (text) => `the person who asked me wants you to know: ${text}`,
	refused: (why) => `That did not go through. ${why}`,
	watching: (name, when, relayTo) =>
		`I am watching ${name} (${when}) and will ${relayTo === undefined ? 'tell you' : `pass it on to ${relayTo}`} then.`,
	several: (word, names) => `"${word}" could be ${names.join(' or ')}. Which one do you mean?`,
	unknown: (word, names) =>
		`No session is called "${word}". There ${names.length === 1 ? 'is' : 'are'}: ${names.join(', ') || 'none'}.`,
	none: (state) => `No session is ${state}.`,
	cost: (total, each) => `${total} today${each === '' ? '' : `: ${each}`}.`,
	event: (kind) =>
		({ question: 'asked', answered: 'got an answer', question_closed: 'went on:', message: 'said' })[kind] ??
		kind.replaceAll('_', ' '),
};

const STATES_DE: Readonly<Record<string, string>> = {
	starting: 'beginnt',
	working: 'arbeitet',
	waiting: 'wartet',
	idle: 'ruht',
	finished: 'ist fertig',
	failed: 'ist gescheitert',
	stopped: 'ist beendet',
};

const de: Phrases = {
	nobody: 'Es läuft keine Sitzung.',
	nothingBlocked: 'Nichts ist blockiert: keine Sitzung wartet, keine ist gescheitert.',
	noNews: 'In letzter Zeit ist nichts passiert.',
	noRelay: 'Ich kann gerade nichts weitergeben.',
	noWatch: 'Ich kann gerade nichts beobachten.',
	control: 'Ich schaue nur und gebe weiter. Starten und beenden könnt ihr mit /session start und /session stop.',
	who: 'Ich behalte die Sitzungen im Auge, sage, wer euch braucht, beantworte Fragen und gebe auf Wunsch Funde weiter. Für euch antworten darf ich nicht.',
	thanks: 'Gern.',
	unclear: 'Ich bin nicht sicher, was gemeint ist. Die Sitzungen:',
	asks(line, context) {
		const why = context === undefined ? '' : ` Dazu: "${context}".`;
		return `${line.name} fragt "${line.asks?.text}"${choicesOf(line)}, seit ${line.asks?.openFor}.${why}`;
	},
	asksNothing: (line) => `${line.name} fragt nichts und ${STATES_DE[line.state] ?? line.state}.`,
	failed: (line) => `${line.name} ist vor ${line.since} gescheitert${quoteOf(line.reason)}.`,
	doing(line) {
		if (line.asks !== undefined) return de.asks(line, undefined);
		if (line.state === 'failed') return de.failed(line);
		const last = line.last === undefined ? '' : `, zuletzt "${line.last}"`;
		return `${line.name} ${STATES_DE[line.state] ?? line.state} seit ${line.since}${last}.`;
	},
	found: (name, what) => `${name} meldet: "${what}"`,
	foundNothing: (name) => `${name} hat noch nichts gemeldet.`,
	pressCard: (name) => `Für euch antworten kann ich nicht. Auf der Karte von ${name} lässt sich die Antwort drücken.`,
	sent: (names, text) => `An ${names} ging: ${text}`,
	saysPerson: (text) => `die Person, die mich bat, lässt ausrichten: ${text}`,
	refused: (why) => `Das ging nicht durch. ${why}`,
	watching: (name, when, relayTo) =>
		`Ich beobachte ${name} (${when}) und ${relayTo === undefined ? 'sage dann Bescheid' : `gebe es dann an ${relayTo} weiter`}.`,
	several: (word, names) => `"${word}" kann ${names.join(' oder ')} sein. Welche Sitzung ist gemeint?`,
	unknown: (word, names) => `Keine Sitzung heißt "${word}". Es gibt: ${names.join(', ') || 'keine'}.`,
	none: (state) => `Keine Sitzung ${STATES_DE[state] ?? state}.`,
	cost: (total, each) => `${total} heute${each === '' ? '' : `: ${each}`}.`,
	event: (kind) => en.event(kind),
};

export const PHRASES: Readonly<Record<Language, Phrases>> = { en, de };
