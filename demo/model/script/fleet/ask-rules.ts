import { type ConciergeTurn, call, say, short } from './concierge-turn.ts';
import { finding } from './finding.ts';
import type { FleetFacts, FleetLine, HubAnswer } from './fleet-facts.ts';
import { type Language, languageOf, PHRASES, type Phrases } from './fleet-phrases.ts';
import type { NameMatch } from './name-match.ts';
import { readWish, type Wish } from './wish.ts';

/** What the concierge answers to a person, with the tools it needs for it. */
export function decideAsk(facts: FleetFacts): ConciergeTurn {
	const wish = readWish(facts.question, facts.fleet);
	const language = languageOf(facts.question);
	const words = PHRASES[language];
	switch (wish.kind) {
		case 'which':
			return say(which(wish.match, facts.fleet, words));
		case 'decide':
			return say(words.pressCard(wish.line.name));
		case 'relay':
			return relay(facts, wish, words);
		case 'watch':
			return watch(facts, wish, words, language);
		case 'found':
			return found(facts, wish.line, words);
		case 'question':
			return question(facts, wish.line, words);
		case 'doing':
			return say(words.doing(wish.line));
		case 'blocked':
			return say(blocked(facts.fleet, words));
		case 'everyone':
			return say(everyone(facts.fleet, words));
		case 'failed':
			return say(inState(facts.fleet, 'failed', words));
		case 'finished':
			return say(inState(facts.fleet, 'finished', words));
		case 'cost':
			return say(cost(facts.fleet, words));
		case 'news':
			return news(facts, words);
		case 'control':
			return say(words.control);
		case 'who':
			return say(words.who);
		case 'thanks':
			return say(words.thanks);
		case 'unclear':
			return say(`${words.unclear}\n${everyone(facts.fleet, words)}`);
	}
}

/** The answer of the tool that was called for this, once there is one. */
function answerOf(facts: FleetFacts, tool: string): HubAnswer | undefined {
	return facts.answers.find((answer) => answer.tool === tool);
}

/** Calls a tool if it is offered and there is a round left for it. */
function canCall(facts: FleetFacts, tool: string): boolean {
	return facts.tools.has(tool) && !facts.isLastRound;
}

function relay(facts: FleetFacts, wish: Extract<Wish, { kind: 'relay' }>, words: Phrases): ConciergeTurn {
	const sent = facts.answers.filter(({ tool }) => tool === 'hub_send');
	const targets =
		wish.to === 'all' ? facts.fleet.filter((line) => !line.hasEnded && line.asks === undefined).slice(0, 5) : [wish.to];
	if (sent.length > 0) {
		const refused = sent.filter(({ ok }) => !ok);
		if (refused.length === sent.length) return say(words.refused(refused[0]?.lines.join(' ') ?? ''));
		const text = String(facts.calls.find(({ tool }) => tool === 'hub_send')?.args['text'] ?? '');
		const reached = targets.filter((_, index) => sent[index]?.ok);
		return say(words.sent(reached.map(({ name }) => name).join(', '), text));
	}
	if (targets.length === 0) return say(words.nobody);
	if (!facts.tools.has('hub_send')) return say(words.noRelay);
	let text = words.saysPerson(wish.text);
	if (wish.from !== undefined) {
		const looked = answerOf(facts, 'hub_read');
		if (looked === undefined && canCall(facts, 'hub_read')) return read(wish.from, 'transcript');
		const what = (looked?.ok ? finding(looked.lines) : undefined) ?? wish.from.last;
		if (what === undefined) return say(words.foundNothing(wish.from.name));
		text = `${wish.from.name} reports: "${what}"`;
	}
	return { say: '', calls: targets.map(({ name }) => ({ tool: 'hub_send', args: { to: name, text } })) };
}

function watch(
	facts: FleetFacts,
	{ line, when, relayTo }: Extract<Wish, { kind: 'watch' }>,
	words: Phrases,
	language: Language,
): ConciergeTurn {
	const set = answerOf(facts, 'hub_watch');
	if (set === undefined) {
		return canCall(facts, 'hub_watch') ? call('hub_watch', { id: line.name, when }) : say(words.noWatch);
	}
	return say(set.ok ? words.watching(line.name, when, relayTo?.name, language) : words.refused(set.lines.join(' ')));
}

function found(facts: FleetFacts, line: FleetLine, words: Phrases): ConciergeTurn {
	const looked = answerOf(facts, 'hub_read');
	if (looked === undefined && canCall(facts, 'hub_read')) return read(line, 'transcript');
	const what = (looked?.ok ? finding(looked.lines) : undefined) ?? line.last;
	return say(what === undefined ? words.foundNothing(line.name) : words.found(line.name, what));
}

function question(facts: FleetFacts, line: FleetLine, words: Phrases): ConciergeTurn {
	if (line.asks === undefined) return say(words.asksNothing(line));
	const looked = answerOf(facts, 'hub_read');
	if (looked === undefined && canCall(facts, 'hub_read')) return read(line, 'question');
	const context = looked?.lines.flatMap((each) => /^context: "([^"]*)"/.exec(each)?.[1] ?? [])[0];
	return say(words.asks(line, context === undefined ? undefined : short(context, 240)));
}

function read(line: FleetLine, what: 'transcript' | 'question'): ConciergeTurn {
	return call('hub_read', { id: line.name, what });
}

function news(facts: FleetFacts, words: Phrases): ConciergeTurn {
	const looked = answerOf(facts, 'hub_events');
	if (looked === undefined && canCall(facts, 'hub_events')) return call('hub_events', { limit: 12 });
	const lines = (looked?.lines ?? []).flatMap((line) => {
		const [, age, name, kind, text] = /^\d+ · ([^·]+) · (\S+) · (\w+)(?: by .+? \(person\))? · (.*)$/.exec(line) ?? [];
		if (name === undefined || kind === undefined || /^(?:concierge_|watch_|on$|off$|state$|cost$)/.test(kind))
			return [];
		return [`${name} ${words.event(kind)}${text === '' ? '' : ` ${short(text ?? '', 120)}`} (${age})`];
	});
	return say(lines.length === 0 ? words.noNews : lines.slice(-5).join('\n'));
}

function which(match: NameMatch, fleet: readonly FleetLine[], words: Phrases): string {
	if (match.kind === 'several')
		return words.several(
			match.word,
			match.lines.map(({ name }) => name),
		);
	const word = match.kind === 'none' ? match.word : match.line.name;
	return words.unknown(
		word,
		fleet.filter(({ hasEnded }) => !hasEnded).map(({ name }) => name),
	);
}

function blocked(fleet: readonly FleetLine[], words: Phrases): string {
	const parts = fleet.flatMap((line) => {
		if (line.asks !== undefined) return [words.asks(line, undefined)];
		return line.state === 'failed' ? [words.failed(line)] : [];
	});
	return parts.length === 0 ? words.nothingBlocked : parts.join('\n');
}

function everyone(fleet: readonly FleetLine[], words: Phrases): string {
	const shown = fleet.slice(0, 12).map((line) => words.doing(line));
	return shown.length === 0 ? words.nobody : shown.join('\n');
}

function inState(fleet: readonly FleetLine[], state: string, words: Phrases): string {
	const lines = fleet.filter((line) => line.state === state);
	return lines.length === 0 ? words.none(state) : lines.map((line) => words.doing(line)).join('\n');
}

function cost(fleet: readonly FleetLine[], words: Phrases): string {
	const total = fleet.reduce((sum, { todayUsd }) => sum + todayUsd, 0);
	const each = fleet
		.filter(({ todayUsd }) => todayUsd >= 0.005)
		.map(({ name, todayUsd }) => `${name} $${todayUsd.toFixed(2)}`);
	return words.cost(`$${total.toFixed(2)}`, each.join(', '));
}
