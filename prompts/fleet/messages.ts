import type { HouseLanguage } from '../../config/language.ts';
import { promptText } from '../../core/chat/sanitise.ts';
import type { ConciergeMemory, MemoryStep } from '../../core/fleet/concierge-memory.ts';
import type { PendingAsk } from '../../core/fleet/concierge-state.ts';
import { HUB_TOOL_TEXTS } from '../../core/fleet/hub-arguments.ts';
import type { HubTool } from '../../core/fleet/hub-call.ts';
import { memoryMessages, stepMessages } from '../../core/fleet/memory.ts';
import { bare } from '../../core/fleet/quote.ts';
import type { TurnNote } from '../../core/fleet/turn.ts';
import type { ModelMessage } from '../../core/model/model-port.ts';
import { wellFormed } from '../../core/model/well-formed.ts';
import { zonedTime } from '../../core/overseer/zoned-time.ts';
import { type PromptTexts, renderLine, renderPrompt } from '../render.ts';

export interface ConciergeMessagesInput {
	readonly texts: PromptTexts;
	/** Its shown name. */
	readonly name: string;
	/** Language of what it says unasked; English when absent. */
	readonly language?: HouseLanguage | undefined;
	readonly maxRounds: number;
	/** From `offeredTools`. */
	readonly tools: readonly HubTool[];
	readonly memory: ConciergeMemory;
	/** Ready text: `buildDigest(…).text` or `questionInput(…)`. */
	readonly input: string;
	/** Rounds of this turn so far. */
	readonly steps: readonly MemoryStep[];
	/** Why it is asked again. */
	readonly note?: TurnNote | undefined;
}

/** Answers are in the language of whoever asks all the same. */
const GERMAN_NOTICES = 'The people here read German: write the text of every hub_notify in German.';

/**
 * The prompt of one round in its fixed order: who it is, what it remembers, what woke it, its rounds so far. Holds exactly one
 * digest at most, because digests in the memory are folded.
 */
export function renderConciergeMessages(input: ConciergeMessagesInput): ModelMessage[] {
	const { texts, tools } = input;
	const list = tools.map((tool) => `- ${HUB_TOOL_TEXTS[tool].signature}: ${HUB_TOOL_TEXTS[tool].text}`);
	const system = [
		renderPrompt(texts, 'fleet/system.md', { NAME: input.name }),
		...(input.language === 'de' ? [GERMAN_NOTICES] : []),
		renderPrompt(texts, 'fleet/answer.md', {
			MAX_ROUNDS: input.maxRounds,
			TOOLS: list.length === 0 ? '- none' : list.join('\n'),
		}),
	];
	const note = input.note === undefined ? [] : [renderLine(texts, 'fleet/notes.md', input.note)];
	const messages: ModelMessage[] = [
		{ role: 'system', content: system.join('\n\n') },
		...memoryMessages(input.memory),
		{ role: 'user', content: input.input },
		...stepMessages(input.steps),
		...note.map((content): ModelMessage => ({ role: 'user', content })),
	];
	return messages.map((message) => ({ ...message, content: wellFormed(message.content) }));
}

export interface QuestionInput {
	readonly ask: PendingAsk;
	/** The fleet, one line a session, from `sessionsResult`. */
	readonly fleet: string;
	readonly now: number;
	readonly timeZone: string;
}

/** A person's question as the model sees it, with the fleet as it stands. The person's words are one line of their own. */
export function questionInput({ ask, fleet, now, timeZone }: QuestionInput): string {
	const lines = fleet.split('\n').map((line) => `- ${promptText(line, 1_200)}`);
	return [
		`[question of ${bare(ask.who, 40)}, a person]`,
		promptText(ask.text, 2_000),
		`[the fleet at ${zonedTime(now, timeZone)}]`,
		...lines,
	].join('\n');
}

/** What is kept of it in the memory. */
export function questionMemory(ask: PendingAsk): string {
	return `[question of ${bare(ask.who, 40)}, a person]\n${promptText(ask.text, 600)}`;
}

/** The request for a written summary of what the memory drops. */
export function renderSummaryMessages(texts: PromptTexts, before: string, notes: string): ModelMessage[] {
	const known = before === '' ? '' : `Remembered so far:\n${before}\n\n`;
	return [
		{ role: 'system', content: renderPrompt(texts, 'fleet/summary.md', {}) },
		{ role: 'user', content: wellFormed(`${known}Notes:\n${notes}`) },
	];
}
