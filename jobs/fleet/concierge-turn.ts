import type { FleetSettings } from '../../config/fleet.ts';
import type { HouseLanguage } from '../../config/language.ts';
import { affords, attemptUsd, type ConciergeModel, estimateUsd } from '../../core/fleet/budget.ts';
import type { MemoryStep } from '../../core/fleet/concierge-memory.ts';
import type { ConciergeState, Wake } from '../../core/fleet/concierge-state.ts';
import { failureOf, type WakeFailure } from '../../core/fleet/failed-wake.ts';
import type { WakeOutcome } from '../../core/fleet/finish-wake.ts';
import { type HubTurn, offeredTools } from '../../core/fleet/guard-hub-call.ts';
import { turnSchema } from '../../core/fleet/hub-arguments.ts';
import { type HubResult, isHubTool, type ProposedHubCall } from '../../core/fleet/hub-call.ts';
import { readHubReply } from '../../core/fleet/hub-reply.ts';
import type { ConciergeStore, MemoryStore, SessionTable } from '../../core/fleet/stores.ts';
import { badCall, decideTurn, freshTurn, hasActed, type TurnNote, withResults } from '../../core/fleet/turn.ts';
import type { Watch } from '../../core/fleet/watch.ts';
import { type Model, ModelError, type ModelReply } from '../../core/model/model-port.ts';
import { estimatePromptTokens, estimateTokens } from '../../core/model/token-estimate.ts';
import type { DecisionJournal, WorkerLives } from '../../core/overseer/stores.ts';
import type { Clock, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import { renderConciergeMessages } from '../../prompts/fleet/messages.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import { outlastStore } from '../outlast-store.ts';
import { isStoreFailure } from '../store-failure.ts';
import type { createHubDesk } from './hub-desk.ts';
import { failedUsd } from './remember.ts';
import { isTakenOver, TurnTakenOver } from './taken-over.ts';
import { SESSIONS_MAX } from './wake-scene.ts';

export interface ConciergeTurnDeps {
	readonly concierge: ConciergeStore;
	readonly memory: MemoryStore;
	readonly sessions: Pick<SessionTable, 'list'>;
	readonly journal: Pick<DecisionJournal, 'reply' | 'keepReply'>;
	readonly hub: ReturnType<typeof createHubDesk>;
	readonly lives: Pick<WorkerLives, 'self'>;
	readonly model: Model;
	readonly price: ConciergeModel;
	/** Its shown name. */
	name(): string;
	/** Language of what it says unasked. */
	language?(): HouseLanguage | undefined;
	texts(): PromptTexts;
	settings(): FleetSettings;
	readonly clock: Clock;
	readonly metrics: Metrics;
	readonly tracer: Tracer;
}

export interface TurnInput {
	readonly state: ConciergeState;
	readonly wake: Wake;
	/** The digest or question as the model sees it. */
	readonly text: string;
	readonly fired: readonly Watch[];
	/** Number of the newest event when the turn began. */
	readonly since: number;
}

export type TurnEnd =
	| {
			readonly kind: 'through';
			readonly usd: number;
			readonly steps: readonly MemoryStep[];
			readonly answer: string | undefined;
			readonly trouble?: { readonly code: string; readonly text: string };
	  }
	| Exclude<WakeOutcome, { kind: 'delivered' }>;

/** Never more than a schema can need; rounds and second tries are bounded far below. */
const ATTEMPTS_MAX = 60;

/**
 * One turn of the concierge: ask, carry out what it calls, ask again, until it is through. What the model answered and what
 * came of each call is kept, so that a turn whose process died goes on where it was and does nothing twice.
 */
export function createConciergeTurn(
	deps: ConciergeTurnDeps,
): (input: TurnInput, signal: AbortSignal) => Promise<TurnEnd> {
	const { model, price, journal, metrics } = deps;

	return async ({ state, wake, text, fired, since }, signal) => {
		const settings = deps.settings();
		const { concierge } = settings;
		const deadlineAt = deps.clock.now() + concierge.turnDeadlineMs;
		const memory = await deps.memory.read();
		const sentTo: string[] = [];
		let notified = 0;
		let turn = freshTurn(wake.why);
		let note: TurnNote | undefined;
		let maxOutputTokens = concierge.maxOutputTokens;
		let usd = 0;

		const fail = (failure: WakeFailure): TurnEnd =>
			hasActed(turn) && wake.why !== 'question'
				? { kind: 'through', usd, steps: turn.steps, answer: undefined, trouble: failure }
				: { kind: 'failed', usd, ...failure };
		const hubTurn = (): HubTurn => ({ why: wake.why, ask: wake.ask, fired, sentTo, notified });

		for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
			const [now, sessions] = await Promise.all([deps.concierge.read(), deps.sessions.list(SESSIONS_MAX)]);
			// Switched off or removed amid it. Who asked before that still gets an answer.
			if (wake.why !== 'question' && (!now.state.on || now.state.id !== state.id)) {
				const trouble = { code: 'off', text: 'it was switched off amid its turn' };
				return { kind: 'through', usd, steps: turn.steps, answer: undefined, trouble };
			}
			const tools = offeredTools({ isOn: now.state.on, sessions }, hubTurn());
			const messages = renderConciergeMessages({
				texts: deps.texts(),
				name: deps.name(),
				language: deps.language?.(),
				maxRounds: concierge.maxRounds,
				tools,
				memory,
				input: text,
				steps: turn.steps,
				note,
			});
			const promptTokens = estimatePromptTokens(messages);
			const limit = Math.min(maxOutputTokens, model.limits.outputTokens);
			let reply = await journal.reply(wake.id, attempt);
			if (reply === undefined) {
				const estimate = estimateUsd(price, promptTokens, limit + (model.limits.thinkingTokens ?? 0));
				const spend = { ...state.spend, usd: state.spend.usd + usd };
				if (wake.why !== 'question' && !affords(spend, estimate, concierge.dailyBudgetUsd)) {
					if (attempt === 0) return { kind: 'unaffordable', estimateUsd: estimate };
					const trouble = { code: 'budget', text: "the rest of the day's budget did not cover a further round" };
					return { kind: 'through', usd, steps: turn.steps, answer: undefined, trouble };
				}
				const asked = await ask(messages, tools, limit, deadlineAt - deps.clock.now());
				if (asked instanceof ModelError) {
					if (signal.aborted || asked.code === 'paused') return { kind: 'given_back' };
					usd += failedUsd(price, asked, promptTokens);
					return fail(failureOf(asked));
				}
				// It was paid for: the model is not asked again because the store was away when it answered.
				reply = await outlastStore(() => keep(attempt, asked), signal);
			}
			usd += attemptUsd(price, { usage: reply.usage, promptTokens, answerTokens: estimateTokens(reply.text) });
			if (reply.truncated) {
				return fail({ code: 'truncated', text: 'the model read only a part of the digest', isPoison: true });
			}
			const step = decideTurn(turn, readHubReply(reply), concierge);
			note = undefined;
			maxOutputTokens = concierge.maxOutputTokens;
			if (step.kind === 'failed') return fail(step.failure);
			if (step.kind === 'done') {
				const trouble = badCall(turn);
				return { kind: 'through', usd, steps: turn.steps, answer: step.answer, ...(trouble && { trouble }) };
			}
			if (step.kind === 'again') {
				turn = step.turn;
				note = step.note;
				maxOutputTokens = step.maxOutputTokens;
				continue;
			}
			turn = withResults(turn, step.say, step.calls, await carryOut(step.calls, attempt));
		}
		return fail({ code: 'invalid', text: 'the turn did not come to an end', isPoison: true });

		/** Gives the reply that stands, and to nobody but who is to act on it. */
		async function keep(attempt: number, asked: ModelReply): Promise<ModelReply> {
			await journal.keepReply(wake.id, attempt, asked);
			const [stands, { state: now }] = await Promise.all([journal.reply(wake.id, attempt), deps.concierge.read()]);
			if (isTakenOver(now, wake.id, deps.lives.self)) throw new TurnTakenOver(`another worker has turn ${wake.id}`);
			return stands ?? asked;
		}

		async function carryOut(calls: readonly ProposedHubCall[], attempt: number): Promise<HubResult[]> {
			const results: HubResult[] = [];
			for (const [index, call] of calls.entries()) {
				const place = { wakeId: wake.id, key: `${wake.id}:${attempt}:${index}`, since };
				const tool = isHubTool(call.tool) ? call.tool : 'unknown';
				const done = await deps.tracer.step('fleet.tool', { attributes: { tool } }, async (step) => {
					const end = await deps.hub(call, place, hubTurn(), signal);
					step.note({ outcome: end.result.ok ? 'done' : 'refused' });
					return end;
				});
				if (done.sentTo !== undefined) sentTo.push(done.sentTo);
				if (done.notified === true) notified += 1;
				metrics.count('fleet_hub_calls_total', { code: done.result.ok ? 'done' : 'refused' });
				results.push(done.result);
			}
			return results;
		}

		async function ask(
			messages: Parameters<Model['complete']>[0]['messages'],
			tools: Parameters<typeof turnSchema>[0],
			limit: number,
			leftMs: number,
		): Promise<ModelReply | ModelError> {
			try {
				const reply = await model.complete({
					messages,
					schema: turnSchema(tools),
					maxOutputTokens: limit,
					deadlineMs: Math.max(1_000, leftMs),
					signal,
					purpose: wake.why === 'question' ? 'fleet.question' : 'fleet.digest',
					account: wake.ask ? { personIds: [wake.ask.whoId], channelId: settings.channelId ?? 'fleet' } : 'own_budget',
				});
				metrics.count('fleet_model_calls_total', { outcome: 'ok' });
				return reply;
			} catch (error) {
				if (!(error instanceof ModelError) || isStoreFailure(error)) throw error;
				metrics.count('fleet_model_calls_total', { outcome: error.code });
				return error;
			}
		}
	};
}
