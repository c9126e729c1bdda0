import type { OverseerSettings } from '../../config/overseer.ts';
import { looksLikeCall } from '../overseer/reply/call-likeness.ts';
import { isSilence } from '../overseer/reply/silence.ts';
import { withoutThinking } from '../overseer/reply/thinking.ts';
import type { WorldView } from '../overseer/world.ts';
import type { CallOutcome } from '../tooling/call.ts';
import { isToolName, type ToolFamily, toolFamily } from '../tooling/tool-name.ts';
import { type Claim, findClaims } from './claims.ts';
import { contradicted } from './contradictions.ts';
import { bareText, lineLikeness } from './likeness.ts';
import { withoutMarkup } from './markup.ts';
import { foldSigns, plainMentions, visible } from './sanitise.ts';
import { ownTurn } from './speakers.ts';

export type Fact = 'not_done' | 'unconfirmed' | 'blocked' | 'failed';
/** Words for a fact about a thing; they come from the prompt files. */
export type FactWording = (fact: Fact, family: ToolFamily | 'any') => string;

export interface FirewallInput {
	readonly settings: Pick<OverseerSettings, 'name' | 'aliases' | 'chat'>;
	/** Display names of people in the window. */
	readonly people: readonly string[];
	/** Our last lines, oldest first. */
	readonly recentBotLines: readonly string[];
	/** How the calls of this decision ended. */
	readonly outcomes: readonly { readonly tool: string; readonly outcome: CallOutcome }[];
	/** Families confirmed in the last minutes by earlier decisions: those may be spoken of. */
	readonly confirmedFamilies?: readonly ToolFamily[];
	readonly world?: WorldView;
	/** The line answers a person: a claim is replaced by the truth instead of dropped. */
	readonly direct: boolean;
	readonly wording: FactWording;
}

export type DropReason = 'empty' | 'silence' | 'tool_syntax' | 'control_words' | 'claim' | 'repeated';

export type FilteredChat =
	| { readonly kind: 'post'; readonly text: string; readonly replaced?: Fact }
	| { readonly kind: 'drop'; readonly reason: DropReason };

/** Nothing longer is worth reading: a line is a few hundred characters. */
const READ_MAX = 6_000;
/** Shorter lines ("No.") are alike by chance. */
const SHORT_LINE = 12;

/**
 * The last gate before a line of the model reaches people: one line of plain words in our own voice, or nothing. Whatever
 * the model wrote, no call, markup, reasoning, control word, other speaker or ping leaves here, and no action is claimed
 * that was not confirmed.
 */
export function filterChat(given: string, input: FirewallInput): FilteredChat {
	const { settings } = input;
	const drop = (reason: DropReason): FilteredChat => ({ kind: 'drop', reason });
	const spoken = withoutThinking(foldSigns(visible(given.slice(0, READ_MAX)))).text;
	if (spoken === '') return drop('empty');
	if (isSilence(spoken)) return drop('silence');
	const own = [settings.name, ...settings.aliases];
	const turn = withoutLabels(ownTurn(plainMentions(spoken), own, input.people));
	const { text: words, hadMarkup } = withoutMarkup(turn);
	const line = plainLine(words);
	if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)) return drop(hadMarkup ? 'tool_syntax' : 'empty');
	if (hadMarkup && bareText(line).length < 3) return drop('tool_syntax');
	if (isSilence(line)) return drop('silence');
	if (looksLikeCall(line)) return drop('tool_syntax');
	if (BLOCK_WORDS.test(words) || CONTROL.test(line)) return drop('control_words');

	const lie = untrueFact(line, input);
	if (lie !== undefined) {
		if (!input.direct) return drop('claim');
		return {
			kind: 'post',
			text: capLine(plainLine(input.wording(lie.fact, lie.family)), settings.chat.maxLength),
			replaced: lie.fact,
		};
	}
	if (isRepeated(line, input)) return drop('repeated');
	return { kind: 'post', text: capLine(line, settings.chat.maxLength) };
}

/** Words of our own prompt and of the decision format; `SKIP` in capitals is never said to people. */
const BLOCK_WORDS = /STATE[_ ]UPDATE|(?:available|blocked)_tools|ACTION ?[+_] ?CHAT|NO_REPLY/iu;
const CONTROL = /(?<![A-Za-z0-9])(?:SKIP(?![A-Za-z0-9])|(?:CHAT|ACTION) ?[:=])/u;
const LABEL =
	/^["'*_\s]{0,4}(?:CHAT|SAY|REPLY|RESPONSE|MESSAGE|ANSWER|OUTPUT|FINAL ANSWER|TEXT|ACTION ?\+ ?CHAT)["'*_]{0,3}\s{0,2}[:=\n]["'*_]{0,3}\s*/iu;

function withoutLabels(text: string): string {
	let rest = text;
	for (let round = 0; round < 3 && LABEL.test(rest); round += 1) rest = rest.replace(LABEL, '');
	return rest;
}

/** One line of plain signs. Repeated until nothing new appears, because taking one thing out may join another together. */
function plainLine(text: string): string {
	let line = text;
	for (let round = 0; round < 5; round += 1) {
		const next = plainMentions(line)
			.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'))
			.replace(/[{}]|`{2,}/g, ' ')
			.replace(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu, ' ')
			.replace(/(?<![\p{L}\p{N}])(?:ACTION|CHAT)(?![\p{L}\p{N}]| ?[:=+])/gu, (word) => word.toLowerCase())
			.replace(/[\s\p{Cc}]+/gu, ' ')
			.trim();
		if (next === line) break;
		line = next;
	}
	return /^"[^"]*"$/u.test(line) ? line.slice(1, -1).trim() : line;
}

/** Cuts at the last blank before the limit (in code units, as Discord counts); whole characters always. */
function capLine(line: string, max: number): string {
	if (line.length <= max) return line;
	let cut = line.slice(0, max - 1);
	if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1);
	const blank = cut.lastIndexOf(' ');
	return `${(blank > max / 2 ? cut.slice(0, blank) : cut).replace(/[\s,;:–—-]+$/u, '')}…`;
}

function isRepeated(line: string, { settings, recentBotLines, direct }: FirewallInput): boolean {
	const bare = bareText(line);
	const isShort = bare.length < SHORT_LINE;
	if (isShort && direct) return false;
	return recentBotLines.slice(-settings.chat.repeatLookback).some((old) => {
		if (isShort) return bareText(old) === bare;
		return lineLikeness(old, line) >= settings.chat.repeatSimilarity;
	});
}

/** The truth that a line hides: a call that did not succeed, or an action that nobody made. */
function untrueFact(line: string, input: FirewallInput): { fact: Fact; family: ToolFamily | 'any' } | undefined {
	const results = input.outcomes.flatMap(({ tool, outcome }) =>
		isToolName(tool) && tool !== 'chat_say' ? [{ family: toolFamily(tool), kind: outcome.kind }] : [],
	);
	const confirmed = new Set([
		...results.filter(({ kind }) => kind === 'confirmed').map(({ family }) => family),
		...(input.confirmedFamilies ?? []),
	]);
	const [miss] = results.filter(({ kind }) => kind !== 'confirmed');
	// Words that came with a call announce it, in whatever way; without the call they announce nothing.
	if (miss !== undefined && !results.some(({ kind }) => kind === 'confirmed')) {
		return { fact: factOf(miss.kind), family: miss.family };
	}
	const opposite = input.world && contradicted(line, input.world);
	// What this very decision saw confirmed is newer than any look at the house.
	const isFresh = results.some(({ family, kind }) => family === opposite && kind === 'confirmed');
	if (opposite !== undefined && !isFresh) return { fact: 'not_done', family: opposite };
	const labels = input.world?.lights.map(({ label }) => label) ?? [];
	const claim = findClaims(line, labels).find((found) => !isTrue(found, confirmed, input.world));
	if (claim === undefined) return undefined;
	const result = results.find(({ family }) => family === claim.family);
	return { fact: result === undefined ? 'not_done' : factOf(result.kind), family: claim.family };
}

function isTrue({ family, kind }: Claim, confirmed: ReadonlySet<ToolFamily>, world: WorldView | undefined): boolean {
	if (family === 'any') return confirmed.size > 0;
	if (confirmed.has(family)) return true;
	if (kind === 'own' || world === undefined) return false;
	if (family === 'lift') return world.lift?.busy === true;
	if (family === 'neato') return world.neato?.state === 'cleaning' || world.neato?.state === 'returning';
	return false;
}

function factOf(kind: CallOutcome['kind']): Fact {
	if (kind === 'unconfirmed' || kind === 'unknown') return 'unconfirmed';
	if (kind === 'blocked') return 'blocked';
	return kind === 'failed' ? 'failed' : 'not_done';
}
