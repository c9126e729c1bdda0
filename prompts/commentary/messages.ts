import type { OverseerSettings } from '../../config/overseer.ts';
import type { ModelMessage } from '../../core/model/model-port.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { COMMENTARY_MAX_CHARS, COMMENTARY_SOURCE } from '../../core/overseer/commentary.ts';
import { type PromptTexts, renderPrompt } from '../render.ts';
import { type TranscriptInput, transcriptTurns } from '../transcript.ts';

export interface CommentaryMessagesInput extends TranscriptInput {
	readonly texts: PromptTexts;
	readonly settings: OverseerSettings;
	/** Ready text of `commentaryState`. */
	readonly state: string;
}

/** The commentator's prompt: who it is, the talk, what the rovers do now. No tools, no schema: it answers with a line. */
export function renderCommentaryMessages(input: CommentaryMessagesInput): ModelMessage[] {
	const { settings, texts, state } = input;
	const values = { NAME: settings.name, MAX_CHARS: Math.min(settings.chat.maxLength, COMMENTARY_MAX_CHARS) };
	const system: ModelMessage = { role: 'system', content: renderPrompt(texts, 'commentary/system.md', values) };
	const now: ModelMessage = { role: 'user', content: state };
	const left = settings.window.tokenBudget - estimatePromptTokens([system, now]);
	return [system, ...transcriptTurns({ ownSource: COMMENTARY_SOURCE, ...input }, left), now];
}
