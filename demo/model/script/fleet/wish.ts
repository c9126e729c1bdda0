import type { FleetLine } from './fleet-facts.ts';
import { bareWord, matchName, type NameMatch, namesIn } from './name-match.ts';

type Named = Exclude<NameMatch, { kind: 'none' }>;

/** What a person wants of the concierge. */
export type Wish =
	| { readonly kind: 'blocked' | 'everyone' | 'failed' | 'finished' | 'cost' | 'news' | 'who' | 'thanks' | 'unclear' }
	/** A session could be meant that does not exist, or several. */
	| { readonly kind: 'which'; readonly match: NameMatch }
	| {
			readonly kind: 'relay';
			readonly to: FleetLine | 'all';
			readonly from: FleetLine | undefined;
			readonly text: string;
	  }
	| { readonly kind: 'watch'; readonly line: FleetLine; readonly when: string; readonly relayTo: FleetLine | undefined }
	/** It should answer a session's question, or steer it, in a person's place. */
	| { readonly kind: 'decide'; readonly line: FleetLine }
	| { readonly kind: 'control' }
	| { readonly kind: 'found' | 'doing' | 'question'; readonly line: FleetLine };

const TELL =
	/\b(?:tell|let|inform|warn|notify|remind|sage?|informiere?)\s+@?((?!me\b|us\b|mir\b|uns\b)[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*)[,:]?\s*(.*)$/iu;
const PASS_ON =
	/\b(?:send|pass|forward|relay|give|report)\b(.*)\b(?:on\s+)?to\s+@?([\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*)\s*[.!?]*$/iu;
const ALL = /^(?:everyone|everybody|all|each|every|alle[nm]?)$/i;
const WATCH =
	/\b(?:watch|keep an eye on|(?:tell|let|notify|wake|warn) (?:me|us)(?: know)? (?:when|once|if|as soon as)|sag mir,? (?:wenn|sobald))\b/i;
const WHEN_FIRST = /^(?:when|once|as soon as|wenn|sobald)\s+@?(\S+)\b/i;
const FOUND =
	/\b(?:f[io]und|finds?|finding|learn(?:ed|t)?|discover(?:ed)?|result|conclu\w+|gefunden|rausgefunden|herausgefunden)\b/i;
const STEERS =
	/^(?:to\s+)?(?:use|pick|take|choose|go|do|proceed|continue|allow|approve|accept|run|migrate|keep|yes|no)\b/i;
const ANSWERS = /\b(?:answer|approve|allow|deny|accept|reply to|confirm|beantworte|erlaube)\b/i;
const CONTROLS =
	/^(?:please\s+|can you\s+|could you\s+)?(?:stop|kill|start|restart|abort|delete|remove|launch|cancel)\b/i;

/** Reads a wish from a person's words and the fleet; nothing else has any say in it. */
export function readWish(words: string, fleet: readonly FleetLine[]): Wish {
	const text = words.trim();
	const named = namesIn(text, fleet);
	const watch = readWatch(text, fleet);
	if (watch !== undefined) return watch;
	if (CONTROLS.test(text)) return { kind: 'control' };
	if (ANSWERS.test(text)) {
		const decided = oneOf(named.filter((match) => match.kind === 'one' && match.line.asks !== undefined));
		const waiting = fleet.filter(({ asks }) => asks !== undefined);
		const line = decided ?? (named.length === 0 ? waiting[0] : undefined);
		if (line !== undefined) return { kind: 'decide', line };
	}
	const relay = readRelay(text, fleet);
	if (relay !== undefined) return relay;
	return readLook(text, named);
}

function readWatch(text: string, fleet: readonly FleetLine[]): Wish | undefined {
	const first = WHEN_FIRST.exec(text);
	if (first === null && !WATCH.test(text)) return undefined;
	const tell = TELL.exec(text);
	const told = first === null || tell === null ? undefined : matchName(tell[1] ?? '', fleet);
	const about = first === null ? namesIn(text, fleet)[0] : matchName(first[1] ?? '', fleet);
	if (about === undefined) return undefined;
	if (about.kind !== 'one') return { kind: 'which', match: about };
	const relayTo = told?.kind === 'one' ? told.line : undefined;
	return { kind: 'watch', line: about.line, when: whenOf(text), relayTo };
}

function whenOf(text: string): string {
	if (/\b(?:fail|breaks?|scheitert)/i.test(text)) return 'failed';
	if (/\b(?:finish|done|ready|complete|fertig)/i.test(text)) return 'finished';
	if (/\b(?:ask|question|wait|fragt)/i.test(text)) return 'question';
	if (/\b(?:stops?|ends?|gone)\b/i.test(text)) return 'ended';
	return /\bidle\b/i.test(text) ? 'idle' : 'any';
}

function readRelay(text: string, fleet: readonly FleetLine[]): Wish | undefined {
	const tell = TELL.exec(text);
	const passed = tell === null ? PASS_ON.exec(text) : null;
	const word = tell?.[1] ?? passed?.[2];
	if (word === undefined) return undefined;
	const body = (tell?.[2] ?? passed?.[1] ?? '').replace(/^know[,:]?\s+/i, '').trim();
	const from = oneOf(namesIn(body, fleet));
	const isFinding = from !== undefined && FOUND.test(body);
	const message = body.replace(/^(?:that|dass|about)\s+/i, '').replace(/[.!?]+$/, '');
	if (ALL.test(word))
		return message === '' ? undefined : { kind: 'relay', to: 'all', from: isFinding ? from : undefined, text: message };
	const match = matchName(word, fleet);
	if (match.kind !== 'one') return { kind: 'which', match };
	if (!isFinding && match.line.asks !== undefined && STEERS.test(body)) return { kind: 'decide', line: match.line };
	if (message === '') return { kind: 'unclear' };
	return { kind: 'relay', to: match.line, from: isFinding ? from : undefined, text: message };
}

function readLook(text: string, named: readonly Named[] | readonly NameMatch[]): Wish {
	const [first] = named;
	if (first !== undefined && first.kind === 'several') return { kind: 'which', match: first };
	if (first !== undefined && first.kind === 'one') {
		const { line } = first;
		if (FOUND.test(text)) return { kind: 'found', line };
		return /\b(?:ask(?:s|ing)?|question|want|need|fragt|frage|will)\b/i.test(text)
			? { kind: 'question', line }
			: { kind: 'doing', line };
	}
	const unknown = /\b(?:is|does|did|has|was (?:macht|hat)|about|of)\s+@?([a-z][\w.]*-[\w.-]*)/i.exec(text)?.[1];
	if (unknown !== undefined) return { kind: 'which', match: { kind: 'none', word: bareWord(unknown) } };
	if (/\b(?:thanks?|thank you|danke|cheers)\b/i.test(text)) return { kind: 'thanks' };
	if (/\b(?:who are you|what can you|help|wer bist)\b/i.test(text)) return { kind: 'who' };
	if (/\b(?:costs?|spent|spend|expensive|dollars?|money|budget|kosten|kostet)\b|\$/i.test(text))
		return { kind: 'cost' };
	if (/\b(?:fail(?:ed|s|ures?)?|broken?|red|scheiter\w+|kaputt)\b/i.test(text)) return { kind: 'failed' };
	if (/\b(?:finish(?:ed)?|done|complete[d]?|fertig)\b/i.test(text)) return { kind: 'finished' };
	if (/\b(?:block\w*|stuck|waits?|waiting|needs?|attention|questions?|hängt|wartet)\b/i.test(text))
		return { kind: 'blocked' };
	if (/\b(?:happened|news|lately|new|passiert)\b/i.test(text)) return { kind: 'news' };
	if (
		/\b(?:everyone|everybody|all|alle|fleet|sessions?|going on|status|doing|overview|up to|macht|machen)\b/i.test(text)
	) {
		return { kind: 'everyone' };
	}
	return { kind: 'unclear' };
}

function oneOf(named: readonly NameMatch[]): FleetLine | undefined {
	const [first] = named;
	return first?.kind === 'one' ? first.line : undefined;
}
