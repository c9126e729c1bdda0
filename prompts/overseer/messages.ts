import type { OverseerSettings } from '../../config/overseer.ts';
import type { NumberedMessage } from '../../core/chat/message.ts';
import { LINE_MAX, promptName, promptText } from '../../core/chat/sanitise.ts';
import { isEssential, type WindowLimits } from '../../core/chat/window.ts';
import type { ModelMessage } from '../../core/model/model-port.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { looksLikeCall } from '../../core/overseer/reply/call-likeness.ts';
import type { Availability } from '../../core/tooling/facts.ts';
import { type PromptTexts, renderLine, renderPrompt } from '../render.ts';
import { availableToolsBlock, blockedToolsBlock } from './tools-block.ts';

export interface OverseerMessagesInput {
	readonly texts: PromptTexts;
	readonly settings: OverseerSettings;
	/** Ready text of `stateUpdate`. */
	readonly state: string;
	/** From `chatWindow`, oldest first. */
	readonly window: readonly NumberedMessage[];
	/** Lines that must stay whatever the budget. */
	readonly keepIds?: readonly string[];
	readonly availability: Availability;
	/** A further line that ends the prompt: a second try, or what a read-only tool gave. */
	readonly followUp?: FollowUp | undefined;
	/** Token budget for this prompt; the setting when absent. A second try after a cut prompt passes less. */
	readonly tokenBudget?: number | undefined;
	/** `source` of our own lines. */
	readonly ownSource?: string;
}

export type FollowUp =
	/** Somebody addressed us and the first answer was silence. */
	| { readonly kind: 'demand' }
	/** The first answer could not be understood. */
	| { readonly kind: 'retry' }
	/** What `memory_read` gave, one line. */
	| { readonly kind: 'memory'; readonly result: string };

/**
 * The prompt of one decision in its fixed order: who it is, the state, the talk, what can and what cannot be called. The
 * oldest talk goes first when the budget is too small; then the lines that must stay are shortened.
 */
export function renderOverseerMessages(input: OverseerMessagesInput): ModelMessage[] {
	const { settings, texts } = input;
	const values = {
		NAME: settings.name,
		MAX_CHARS: settings.chat.maxLength,
		MAX_CALLS: settings.decision.maxToolCalls,
	};
	const system = ['overseer/system.md', 'overseer/decision.md'] as const;
	const head: ModelMessage[] = [
		{ role: 'system', content: system.map((name) => renderPrompt(texts, name, values)).join('\n\n') },
		{ role: 'user', content: input.state },
	];
	const tail: ModelMessage[] = [
		{ role: 'user', content: availableToolsBlock(input.availability) },
		{ role: 'user', content: blockedToolsBlock(input.availability) },
		...followUp(input, values.NAME),
	];
	const budget = input.tokenBudget ?? settings.window.tokenBudget;
	return [...head, ...fittingTurns(input, budget - estimatePromptTokens([...head, ...tail])), ...tail];
}

function followUp({ texts, followUp: extra }: OverseerMessagesInput, name: string): ModelMessage[] {
	if (extra === undefined) return [];
	const values = { NAME: name, THING: '', RESULT: extra.kind === 'memory' ? promptText(extra.result, 600) : '' };
	const key = extra.kind === 'demand' ? 'demand' : extra.kind === 'retry' ? 'too_long' : 'memory';
	return [{ role: 'user', content: renderLine(texts, 'overseer/honest.md', key, values) }];
}

/** Lengths to which the lines that must stay are cut, one after the other, until they fit. */
const SHORTER = [LINE_MAX, 240, 120, 60] as const;

function fittingTurns(input: OverseerMessagesInput, budget: number): ModelMessage[] {
	const limits: WindowLimits = input.settings.window;
	const mustStay = isEssential(input.window, limits, input.keepIds);
	const cost = (turns: readonly ModelMessage[]) => (turns.length === 0 ? 0 : estimatePromptTokens(turns));
	let lines = [...input.window];
	let turns = turnsOf(lines, input, LINE_MAX);
	while (cost(turns) > budget) {
		const oldest = lines.findIndex((line) => !mustStay(line));
		if (oldest < 0) break;
		lines = lines.filter((_, at) => at !== oldest);
		turns = turnsOf(lines, input, LINE_MAX);
	}
	for (const max of SHORTER) {
		if (cost(turns) <= budget) break;
		turns = turnsOf(lines, input, max);
	}
	return turns;
}

/** One line, one turn, whatever is in it. Two people of one name are told apart. */
function turnsOf(lines: readonly NumberedMessage[], input: OverseerMessagesInput, max: number): ModelMessage[] {
	const { settings, ownSource = 'overseer' } = input;
	const own = [settings.name, ...settings.aliases];
	const speakers = speakerNames(input.window, own);
	return lines.flatMap((line): ModelMessage[] => {
		if (line.bot && line.source === ownSource) {
			// The model copies what it sees itself say; a line that looks like a call must not teach it to print calls.
			if (looksLikeCall(line.text)) return [];
			return [{ role: 'assistant', content: `${settings.name}: ${promptText(line.text, max)}` }];
		}
		const speaker = `${speakers.get(line.author.id) ?? 'someone'}${line.bot ? ' (bot)' : ''}`;
		return [{ role: 'user', content: `${speaker}: ${promptText(line.text, max) || '(no words)'}` }];
	});
}

function speakerNames(lines: readonly NumberedMessage[], own: readonly string[]): Map<string, string> {
	const names = new Map<string, string>();
	const taken = new Map<string, number>();
	for (const { author } of lines) {
		if (names.has(author.id)) continue;
		const name = promptName(author.name, own);
		const count = (taken.get(name.toLowerCase()) ?? 0) + 1;
		taken.set(name.toLowerCase(), count);
		names.set(author.id, count === 1 ? name : `${name} (${count})`);
	}
	return names;
}
