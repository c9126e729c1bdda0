import type { OverseerSettings } from '../../config/overseer.ts';
import type { NumberedMessage } from '../../core/chat/message.ts';
import { speakerNames } from '../../core/chat/speaker-names.ts';
import { chatWindow } from '../../core/chat/window.ts';
import type { Model, ModelMessage, ModelReply } from '../../core/model/model-port.ts';
import { estimatePromptTokens } from '../../core/model/token-estimate.ts';
import type { Decision } from '../../core/overseer/decision.ts';
import { normaliseDecision } from '../../core/overseer/normalise.ts';
import { readPeople } from '../../core/overseer/people.ts';
import { type PastAction, stateUpdate } from '../../core/overseer/state-update.ts';
import type { DecisionJournal } from '../../core/overseer/stores.ts';
import type { TakenDecision } from '../../core/overseer/take-decision.ts';
import type { Clock, Metrics } from '../../core/ports.ts';
import type { Availability, ToolFacts } from '../../core/tooling/facts.ts';
import { decisionSchema } from '../../prompts/overseer/decision-schema.ts';
import { type FollowUp, renderOverseerMessages } from '../../prompts/overseer/messages.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import { accountOf } from './account-of.ts';
import type { RoomScene } from './room-scene.ts';

/** Name of the journal's note with the prompt of a decision, exactly as sent. */
export const PROMPT_NOTE = 'prompt';
/** Part of the token budget that a second try gets after the provider cut the first prompt. */
const SMALLER = 0.6;

export interface AskDeps {
	model: Model;
	journal: DecisionJournal;
	texts(): PromptTexts;
	clock: Clock;
	metrics: Metrics;
}

/** What one decision asks with; the same for each of its steps. */
export interface Question {
	readonly scene: RoomScene;
	readonly decision: TakenDecision['decision'];
	readonly facts: ToolFacts;
	readonly availability: Availability;
	readonly pastActions: readonly PastAction[];
	/** Epoch ms at which the whole decision must have ended. */
	readonly deadlineAt: number;
}

export interface Answer {
	readonly reply: ModelReply;
	readonly decision: Decision;
	readonly state: string;
	readonly messages: readonly ModelMessage[];
	readonly estimatedTokens: number;
}

/**
 * Asks the model, or reads what it answered when this decision ran before. An answer to a prompt that the provider cut
 * is thrown away and asked for once more with less talk. Rejects with `ModelError` only.
 */
export async function askModel(
	deps: AskDeps,
	question: Question,
	step: { index: number; followUp?: FollowUp },
	signal: AbortSignal,
): Promise<Answer> {
	const { settings } = question.scene;
	const full = await askOnce(
		deps,
		question,
		{ ...step, journalStep: step.index * 2 },
		settings.window.tokenBudget,
		signal,
	);
	if (!full.reply.truncated) return full;
	deps.metrics.count('overseer_prompts_truncated_total');
	const budget = Math.floor(settings.window.tokenBudget * SMALLER);
	return askOnce(deps, question, { ...step, journalStep: step.index * 2 + 1 }, budget, signal);
}

async function askOnce(
	deps: AskDeps,
	question: Question,
	step: { followUp?: FollowUp; journalStep: number },
	tokenBudget: number,
	signal: AbortSignal,
): Promise<Answer> {
	const { scene, decision, availability } = question;
	const { settings } = scene;
	const window = windowOf(question, settings);
	const state = stateText(question, settings, speakerNames(window, [settings.name, ...settings.aliases]));
	const messages = renderOverseerMessages({
		texts: deps.texts(),
		settings,
		state,
		window,
		keepIds: decision.addresses.map(({ messageId }) => messageId),
		availability,
		followUp: step.followUp,
		tokenBudget,
	});
	const estimatedTokens = estimatePromptTokens(messages);
	const known = decision.attempt > 1 ? await deps.journal.reply(decision.id, step.journalStep) : undefined;
	const reply = known ?? (await call(deps, question, messages, signal));
	if (!known) {
		await Promise.all([
			deps.journal.keepReply(decision.id, step.journalStep, reply),
			deps.journal.keepNote(decision.id, PROMPT_NOTE, messages),
		]);
		measure(deps, reply, estimatedTokens);
	}
	return { reply, decision: normaliseDecision(reply, settings), state, messages, estimatedTokens };
}

async function call(
	deps: AskDeps,
	question: Question,
	messages: readonly ModelMessage[],
	signal: AbortSignal,
): Promise<ModelReply> {
	deps.metrics.count('overseer_model_calls_total', { trigger: question.decision.trigger });
	return deps.model.complete({
		messages,
		schema: decisionSchema(question.availability, question.scene.world),
		maxOutputTokens: question.scene.settings.decision.maxOutputTokens,
		deadlineMs: Math.max(1, question.deadlineAt - deps.clock.now()),
		signal,
		purpose: 'overseer.decide',
		account: accountOf(question.scene.room, question.decision),
	});
}

function stateText(question: Question, settings: OverseerSettings, speakers: ReadonlyMap<string, string>): string {
	const { scene, decision, facts } = question;
	const { upTo } = decision;
	const events = scene.snapshot.events.filter(({ seq, at }) => seq <= upTo.eventSeq && at >= decision.since);
	return stateUpdate({
		now: scene.now,
		settings,
		decision,
		world: scene.world,
		site: scene.site,
		readyAt: facts.readyAt,
		people: readPeople(scene.snapshot.messages, scene.world, scene.now, settings),
		speakers,
		eventTexts: events.map(({ text }) => text),
		pastActions: question.pastActions,
	});
}

function windowOf(question: Question, settings: OverseerSettings): NumberedMessage[] {
	const { snapshot, now } = question.scene;
	return chatWindow({
		messages: snapshot.messages,
		now,
		limits: settings.window,
		contextResetAt: snapshot.contextResetAt,
		upToSeq: question.decision.upTo.messageSeq,
		keepIds: question.decision.addresses.map(({ messageId }) => messageId),
	});
}

function measure(deps: AskDeps, reply: ModelReply, estimatedTokens: number): void {
	deps.metrics.observe('overseer_prompt_tokens_reported', reply.usage.inputTokens);
	deps.metrics.observe('overseer_prompt_tokens_estimated', estimatedTokens);
	if (estimatedTokens > 0)
		deps.metrics.observe('overseer_prompt_estimate_ratio', reply.usage.inputTokens / estimatedTokens);
}
