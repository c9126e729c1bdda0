import { isRecord } from '../../loopback-http.ts';
import type { ScriptedPrompt } from '../../model-script.ts';

/** One session as its line in the prompt tells it. */
export interface FleetLine {
	readonly name: string;
	readonly id: string;
	readonly state: string;
	readonly hasEnded: boolean;
	/** As written: `4m`. */
	readonly since: string;
	readonly isStale: boolean;
	readonly asks: { readonly text: string; readonly choices: readonly string[]; readonly openFor: string } | undefined;
	readonly reason: string | undefined;
	/** Its last summary. */
	readonly last: string | undefined;
	readonly todayUsd: number;
}

/** One event as its line in the digest tells it. */
export interface FleetNews {
	readonly name: string;
	readonly kind: string;
	/** The person who caused it. */
	readonly by: string | undefined;
	readonly text: string;
}

export interface HubCall {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
}

export interface HubAnswer {
	readonly tool: string;
	readonly ok: boolean;
	readonly lines: readonly string[];
}

/** What a concierge's prompt says, and nothing that it does not. */
export interface FleetFacts {
	readonly why: 'digest' | 'question';
	readonly question: string;
	readonly news: readonly FleetNews[];
	readonly fleet: readonly FleetLine[];
	/** Tools that can be called now. */
	readonly tools: ReadonlySet<string>;
	/** This turn so far. */
	readonly calls: readonly HubCall[];
	readonly answers: readonly HubAnswer[];
	/** Words of earlier notices, and what is remembered. */
	readonly told: readonly string[];
	/** No further tools in this turn. */
	readonly isLastRound: boolean;
}

const INPUT = /^(?:<roost-digest |\[question of )/;
const SESSION = /^- (\S+) · id (s[0-9a-f]{15}) · (\w+)( \(ended\))? for (\S+?)(?: · (.*))?$/;
const EVENT = /^- \d+ · [^·]+ · (\S+) · (\w+)(?: by (.+?) \(person\))? · (.*)$/;
const RESULT = /^\d+\. (\w+) (?:(ok)|refused \(\w+\)):$/;

/** Text in double quotes holds none, so that nothing quoted is taken for a part of the line. */
const QUOTED = '"([^"]*)"';
const ASKS = new RegExp(`(?:^| · )asks ${QUOTED}(?: choices: (.*?))?(?: \\(and \\d+ more\\))?, open for (\\S+)`);

export function isConciergePrompt(prompt: ScriptedPrompt): boolean {
	return /^You are [^\n]{1,60}, the concierge of a fleet\b/.test(prompt.system.trim());
}

export function readFleetFacts(prompt: ScriptedPrompt): FleetFacts {
	const { messages } = prompt;
	// What came before is memory; what comes after are the rounds of this turn.
	const at = messages.findLastIndex(({ role, content }) => role === 'user' && INPUT.test(content));
	const input = messages[at]?.content ?? '';
	const lines = input.split('\n');
	const isQuestion = input.startsWith('[question of ');
	const later = messages.slice(at + 1);
	return {
		why: isQuestion ? 'question' : 'digest',
		question: isQuestion ? (lines[1] ?? '') : '',
		news: isQuestion ? [] : readNews(lines),
		fleet: lines.flatMap((line) => readSession(line) ?? []),
		tools: new Set([...prompt.system.matchAll(/^- (hub_\w+)\(/gm)].map(([, tool = '']) => tool)),
		calls: later.filter(({ role }) => role === 'assistant').flatMap(({ content }) => readCalls(content)),
		answers: later
			.filter(({ content }) => content.startsWith('[results of'))
			.flatMap(({ content }) => readAnswers(content)),
		told: messages.slice(0, Math.max(0, at)).flatMap(({ role, content }) => {
			if (role !== 'assistant') return content.startsWith('[what you remember]') ? content.split('\n') : [];
			return readCalls(content).flatMap(({ tool, args }) => (tool === 'hub_notify' ? [String(args['text'])] : []));
		}),
		isLastRound: later.some(({ role, content }) => role === 'user' && content.startsWith('No further tools')),
	};
}

function readNews(lines: readonly string[]): FleetNews[] {
	const end = lines.findIndex((line) => line.startsWith('fleet ('));
	return lines.slice(0, end < 0 ? lines.length : end).flatMap((line) => {
		const [, name = '', kind = '', by, text = ''] = EVENT.exec(line) ?? [];
		return name === '' ? [] : [{ name, kind, by, text }];
	});
}

function readSession(line: string): FleetLine | undefined {
	const [, name, id, state, ended, since, rest = ''] = SESSION.exec(line) ?? [];
	if (name === undefined || id === undefined || state === undefined || since === undefined) return undefined;
	const asked = ASKS.exec(rest);
	return {
		name,
		id,
		state,
		hasEnded: ended !== undefined,
		since,
		isStale: /^STALE, /.test(rest),
		asks:
			asked === null
				? undefined
				: { text: asked[1] ?? '', choices: quotedIn(asked[2] ?? ''), openFor: asked[3]?.replace(/,$/, '') ?? '' },
		reason: part(rest, 'reason'),
		last: part(rest, 'last'),
		todayUsd: Number(/ · \$(\d+(?:\.\d+)?) today$/.exec(rest)?.[1] ?? 0),
	};
}

/** A quoted part of a line by the word before it, found outside of everything else that is quoted. */
function part(rest: string, word: string): string | undefined {
	const outside = rest.replace(new RegExp(QUOTED, 'g'), (whole) => `"${'x'.repeat(whole.length - 2)}"`);
	const found = new RegExp(`(?:^| · )${word} "`).exec(outside);
	if (found === null) return undefined;
	const start = found.index + found[0].length;
	return rest.slice(start, rest.indexOf('"', start));
}

/** Every quoted text of a piece. */
export function quotedIn(text: string): string[] {
	return [...text.matchAll(new RegExp(QUOTED, 'g'))].map(([, inner = '']) => inner);
}

function readCalls(content: string): HubCall[] {
	try {
		const turn: unknown = JSON.parse(content);
		const calls = isRecord(turn) ? turn['calls'] : undefined;
		if (!Array.isArray(calls)) return [];
		return calls
			.filter(isRecord)
			.map((call) => ({ tool: String(call['tool']), args: isRecord(call['args']) ? call['args'] : {} }));
	} catch {
		return [];
	}
}

function readAnswers(content: string): HubAnswer[] {
	const answers: { tool: string; ok: boolean; lines: string[] }[] = [];
	for (const line of content.split('\n')) {
		const head = RESULT.exec(line);
		if (head !== null) answers.push({ tool: head[1] ?? '', ok: head[2] === 'ok', lines: [] });
		else if (line.startsWith('  ')) answers.at(-1)?.lines.push(line.slice(2));
	}
	return answers;
}
