import type { OverseerSettings } from '../../config/overseer.ts';
import { promptText } from '../../core/chat/sanitise.ts';
import type { ModelMessage } from '../../core/model/model-port.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import type { Availability } from '../../core/tooling/facts.ts';
import { type PromptTexts, renderLine, renderPrompt } from '../render.ts';
import { type TranscriptInput, transcriptTurns } from '../transcript.ts';
import { availableToolsBlock, blockedToolsBlock } from './tools-block.ts';

export interface OverseerMessagesInput extends TranscriptInput {
	readonly texts: PromptTexts;
	readonly settings: OverseerSettings;
	/** Ready text of `stateUpdate`. */
	readonly state: string;
	readonly availability: Availability;
	/** A further line that ends the prompt: a second try, or what a read-only tool gave. */
	readonly followUp?: FollowUp | undefined;
	/** Token budget for this prompt; the setting when absent. A second try after a cut prompt passes less. */
	readonly tokenBudget?: number | undefined;
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
	const left = budget - estimatePromptTokens([...head, ...tail]);
	return [...head, ...transcriptTurns(input, left), ...tail];
}

function followUp({ texts, followUp: extra }: OverseerMessagesInput, name: string): ModelMessage[] {
	if (extra === undefined) return [];
	const values = { NAME: name, THING: '', RESULT: extra.kind === 'memory' ? promptText(extra.result, 600) : '' };
	const key = extra.kind === 'demand' ? 'demand' : extra.kind === 'retry' ? 'too_long' : 'memory';
	return [{ role: 'user', content: renderLine(texts, 'overseer/honest.md', key, values) }];
}
