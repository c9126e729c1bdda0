import type { IntakeSettings } from '../../config/intake.ts';
import { cutText } from '../../core/chat/sanitise.ts';
import { DIMENSION_NAMES, DIMENSIONS } from '../../core/intake/dimension.ts';
import { MAX_QUESTIONS } from '../../core/intake/question.ts';
import { MAX_QUESTION_SETS } from '../../core/intake/rounds.ts';
import { promptHuman } from '../../core/intake/sanitise.ts';
import type { AwaitedCall, IntakeSession } from '../../core/intake/session.ts';
import type { Turn } from '../../core/intake/turn.ts';
import { predicateRules } from '../../core/intake/vocabulary.ts';
import type { ModelMessage } from '../../core/model/model-port.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import { type PromptTexts, renderLine, renderPrompt } from '../render.ts';

export interface IntakeMessagesInput {
	readonly texts: PromptTexts;
	readonly session: IntakeSession;
	readonly settings: IntakeSettings;
	/** The session's awaited call when absent. */
	readonly call?: Pick<AwaitedCall, 'purpose' | 'followUp' | 'complaints'>;
	/** Size in estimated tokens; the setting when absent. Pass less where the model's window is smaller. */
	readonly tokenBudget?: number;
}

/** What was left out to fit. Log it and put it on the trail; the history itself is never changed. */
export interface PromptTruncation {
	readonly budget: number;
	/** Estimated size of the whole history. */
	readonly fullTokens: number;
	readonly sentTokens: number;
	/** Turns that are missing, oldest first; never the intent, never the last thing a person said. */
	readonly droppedTurnIds: readonly string[];
	/** Turns that are there in part. */
	readonly shortenedTurnIds: readonly string[];
	/** Even so it may not fit: what must stay is too long. */
	readonly fits: boolean;
}

export interface IntakeMessages {
	readonly messages: ModelMessage[];
	readonly truncation?: PromptTruncation;
}

const FOLLOW_UP = 'intake/follow-up.md' as const;
const SHORT_CHARS = [4_000, 1_000, 300] as const;

/**
 * The prompt of one call: who it is, the complete history, what is wanted now. Nothing of the history is left out as long as
 * it fits the budget; beyond it the oldest questions and answers go first, and the result says which.
 */
export function renderIntakeMessages(input: IntakeMessagesInput): IntakeMessages {
	const { texts, session, settings } = input;
	const budget = input.tokenBudget ?? settings.model.tokenBudget;
	const system = renderPrompt(texts, 'intake/system.md', { MAX_QUESTIONS });
	const head: ModelMessage[] = [{ role: 'system', content: system }];
	const tail: ModelMessage[] = [{ role: 'user', content: task(input) }];
	const whole = [...head, ...session.history.map((turn) => turnMessage(turn, session)), ...tail];
	const fullTokens = estimatePromptTokens(whole);
	if (fullTokens <= budget) return { messages: whole };
	return cutToFit(input, head, tail, budget, fullTokens);
}

function cutToFit(
	{ session, texts }: IntakeMessagesInput,
	head: readonly ModelMessage[],
	tail: readonly ModelMessage[],
	budget: number,
	fullTokens: number,
): IntakeMessages {
	const intent = session.history.find(({ kind }) => kind === 'intent');
	const last = session.history.findLast(({ role }) => role === 'user');
	const mayGo = session.history.filter((turn) => turn !== intent && turn !== last);
	const gap: ModelMessage = { role: 'user', content: renderLine(texts, FOLLOW_UP, 'left_out') };
	const build = (dropped: ReadonlySet<Turn>, max?: number): ModelMessage[] => [
		...head,
		...session.history.flatMap((turn) => {
			if (turn === mayGo[0] && dropped.has(turn)) return [gap];
			if (dropped.has(turn)) return [];
			return [turnMessage(turn, session, turn === intent ? undefined : max)];
		}),
		...tail,
	];
	const dropped = new Set<Turn>();
	// Each turn is sized once: a long history is not counted anew for each turn that goes.
	let size = fullTokens + estimatePromptTokens([gap]);
	for (const turn of mayGo) {
		if (size <= budget) break;
		dropped.add(turn);
		size -= estimatePromptTokens([turnMessage(turn, session)]) - estimatePromptTokens([]);
	}
	let messages = build(dropped);
	let shortened: string[] = [];
	for (const max of SHORT_CHARS) {
		if (estimatePromptTokens(messages) <= budget || last === undefined || last === intent) break;
		messages = build(dropped, max);
		shortened = [last.id];
	}
	const sentTokens = estimatePromptTokens(messages);
	const droppedTurnIds = [...dropped].map(({ id }) => id);
	const truncation = {
		budget,
		fullTokens,
		sentTokens,
		droppedTurnIds,
		shortenedTurnIds: shortened,
		fits: sentTokens <= budget,
	};
	return { messages, truncation };
}

function turnMessage(turn: Turn, session: IntakeSession, max?: number): ModelMessage {
	if (turn.role === 'assistant') return { role: 'assistant', content: turn.content };
	const said = turn.kind === 'skip' ? '(decide later)' : answerText(turn, session);
	const text = promptHuman(max === undefined ? said : cutText(said, max));
	return { role: 'user', content: `[${turn.id}] ${text || '(no words)'}` };
}

/** Free text as written; choices behind the question they answer, so that "both" means something. */
function answerText(turn: Turn, { questionSets }: IntakeSession): string {
	const questions = questionSets.flatMap(({ questions: all }) => all);
	const chosen = turn.choices.map(({ questionId, labels, text }) => {
		const asked = questions.find(({ id }) => id === questionId)?.text ?? '';
		return `${asked} ${[labels.join('; '), text].filter((part) => part.trim() !== '').join('. ')}`.trim();
	});
	return [...turn.parts.map(({ text }) => text), ...chosen].join('\n');
}

function task({ texts, session, settings, call = session.call }: IntakeMessagesInput): string {
	const purpose = call?.purpose ?? 'ask';
	const base =
		purpose === 'ask'
			? renderPrompt(texts, 'intake/ask.md', {
					SET: session.questionSets.length + 1,
					SETS: MAX_QUESTION_SETS,
					MAX_QUESTIONS,
					DIMENSIONS: DIMENSIONS.map((one) => `${one} ${DIMENSION_NAMES[one]} ${session.dimensions[one]}`).join(', '),
				})
			: renderPrompt(texts, 'intake/finalize.md', { PREDICATES: predicateList(settings) });
	if (call?.followUp === undefined) return base;
	return [
		base,
		'',
		renderLine(texts, FOLLOW_UP, call.followUp),
		...call.complaints.map((one) => complaint(texts, one)),
	].join('\n');
}

/** `leading, compound: Wouldn't …?` as a line the model understands. */
function complaint(texts: PromptTexts, line: string): string {
	const colon = line.indexOf(': ');
	const rules = line.slice(0, colon).split(', ');
	const reasons = rules.map((rule) => renderLine(texts, FOLLOW_UP, rule)).join(', and ');
	return `- "${line.slice(colon + 2)}" (${reasons})`;
}

function predicateList(settings: IntakeSettings): string {
	return [...predicateRules(settings)].map(([name, { arities }]) => `${name}/${arities.join(' or ')}`).join(', ');
}
