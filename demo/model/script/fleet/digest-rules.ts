import { type ConciergeTurn, SILENCE, short } from './concierge-turn.ts';
import { finding } from './finding.ts';
import { type FleetFacts, type FleetLine, type HubCall, quotedIn } from './fleet-facts.ts';
import { namesIn } from './name-match.ts';
import { readWish } from './wish.ts';

const NOTICE_MAX = 360;
const NEEDS_MAX = 4;

/**
 * What the concierge does with a digest: relays that a watch was set for, one notice for each new need, one line for
 * everything else that is worth knowing. Nothing quoted in the digest is ever taken for an order.
 */
export function decideDigest(facts: FleetFacts): ConciergeTurn {
	// The second round only ends the turn, unless the first was a look.
	const looked = facts.calls.every(({ tool }) => tool === 'hub_read');
	if (facts.calls.length > 0 && !looked) return SILENCE;
	const needs = newNeeds(facts);
	const unclear = needs.filter(({ line }) => line.state === 'failed' && line.reason === undefined);
	if (facts.calls.length === 0 && unclear.length > 0 && facts.tools.has('hub_read')) {
		return { say: '', calls: unclear.slice(0, 3).map(({ line }) => read(line)) };
	}
	const calls = [
		...relays(facts),
		...needs.slice(0, NEEDS_MAX).map(({ line, text }) => need(line, wordsFor(facts, line, text))),
	];
	const info = worthKnowing(facts);
	const [only] = info.length === 1 ? info : [];
	const text = short(info.map((one) => one.text).join('; '), NOTICE_MAX);
	if (info.length > 0) calls.push(notify(text, 'info', only?.name));
	return { say: '', calls: calls.filter(({ tool }) => facts.tools.has(tool)) };
}

interface FoundNeed {
	readonly line: FleetLine;
	readonly text: string;
}

/** Sessions that wait or failed, and were not told of yet: a new event of it makes the same words new. */
function newNeeds(facts: FleetFacts): FoundNeed[] {
	return facts.fleet.flatMap((line) => {
		const text = needText(line);
		if (text === undefined) return [];
		const isNews = facts.news.some(
			({ name, kind }) => name === line.name && kind === (line.state === 'failed' ? 'failed' : 'question'),
		);
		return isNews || !wasTold(facts, text) ? [{ line, text }] : [];
	});
}

function needText(line: FleetLine): string | undefined {
	if (line.asks !== undefined) return short(`${line.name} asks: ${line.asks.text}`, NOTICE_MAX);
	if (line.state !== 'failed') return undefined;
	return short(`${line.name} failed${line.reason === undefined ? '' : `: ${line.reason}`}`, NOTICE_MAX);
}

/** A failure without a reason is told with the last words of its transcript. */
function wordsFor(facts: FleetFacts, line: FleetLine, text: string): string {
	if (line.state !== 'failed' || line.reason !== undefined) return text;
	const at = facts.calls.findIndex(({ args }) => args['id'] === line.name);
	const words = facts.answers[at]?.ok ? finding(facts.answers[at].lines) : undefined;
	return words === undefined ? `${text}, without a reason` : short(`${text}; its last words: "${words}"`, NOTICE_MAX);
}

/** Results and oddities, each in one phrase. */
function worthKnowing(facts: FleetFacts): { readonly name: string; readonly text: string }[] {
	const isNews = (name: string, kind: string) => facts.news.some((one) => one.name === name && one.kind === kind);
	const finished = facts.fleet
		.filter(({ state }) => state === 'finished')
		.map(({ name, last }) => ({ name, text: `${name} finished${last === undefined ? '' : `: ${last}`}` }))
		.filter(({ name, text }) => isNews(name, 'finished') || !wasTold(facts, text));
	const silent = facts.fleet
		.filter(({ isStale }) => isStale)
		.map(({ name }) => ({ name, text: `${name} does not report any more` }))
		.filter(({ name, text }) => isNews(name, 'stale') || !wasTold(facts, text));
	const watched = facts.news
		.filter(({ kind }) => kind === 'watch_fired')
		.map(({ name, text }) => ({
			name,
			text: `${name} is ${/now (\w+)/.exec(text)?.[1] ?? 'there'}, as somebody wanted to know`,
		}));
	return [...watched, ...finished, ...silent];
}

/** "When X is done, tell Y": a person set the watch with these words, and the house quotes them when it fires. */
function relays(facts: FleetFacts): HubCall[] {
	return facts.news.flatMap(({ name, kind, text }) => {
		const [words] = kind === 'watch_fired' ? quotedIn(/asked by a person: (.*)$/.exec(text)?.[1] ?? '') : [];
		if (words === undefined) return [];
		const wish = readWish(words, facts.fleet);
		const target =
			wish.kind === 'watch' && wish.relayTo !== undefined
				? wish.relayTo
				: namesIn(words, facts.fleet).flatMap((match) =>
						match.kind === 'one' && wish.kind === 'relay' ? [match.line] : [],
					)[0];
		const watched = facts.fleet.find((line) => line.name === name);
		if (target === undefined || watched === undefined || target.id === watched.id) return [];
		const last = watched.last === undefined ? '' : `, its last words: "${watched.last}"`;
		return [{ tool: 'hub_send', args: { to: target.name, text: `${name} is ${watched.state} now${last}` } }];
	});
}

/** Whether an earlier notice said so already. */
function wasTold(facts: FleetFacts, text: string): boolean {
	const start = plain(text).slice(0, 60);
	return facts.told.some((line) => plain(line).includes(start));
}

function plain(text: string): string {
	return text.replace(/["']/g, '').toLowerCase();
}

function read(line: FleetLine): HubCall {
	return { tool: 'hub_read', args: { id: line.name, what: 'transcript' } };
}

function need(line: FleetLine, text: string): HubCall {
	return notify(text, 'need', line.name);
}

function notify(text: string, level: 'need' | 'info', id?: string): HubCall {
	return { tool: 'hub_notify', args: { text, level, ...(id === undefined ? {} : { id }) } };
}
