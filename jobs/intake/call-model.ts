import type { IntakeSettings } from '../../config/intake.ts';
import { canonicalJson } from '../../core/intake/canonical-json.ts';
import type { EffectOf } from '../../core/intake/effect.ts';
import type { EventOf } from '../../core/intake/event.ts';
import { sha256 } from '../../core/intake/hash.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { IntakeSession } from '../../core/intake/session.ts';
import { type CallAccount, type Model, ModelError, type ModelReply } from '../../core/model/model-port.ts';
import type { SiteStore } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import { outlastStore } from '../outlast-store.ts';
import { isStoreFailure } from '../store-failure.ts';
import type { IntakeMind } from './mind.ts';

export interface CallModelDeps {
	model: Model;
	mind: Pick<IntakeMind, 'prompt'>;
	audit: IntakeAudit;
	site: Pick<SiteStore, 'read'>;
	settings(): IntakeSettings;
	clock: Clock;
	log: Log;
	metrics: Metrics;
}

type Outcome = EventOf<'model_reply'> | EventOf<'model_failed'>;

/** Asks the model once. Undefined: given up because of `signal`, and to be done by somebody else. */
export function createCallModel(
	deps: CallModelDeps,
): (session: IntakeSession, effect: EffectOf<'call_model'>, signal: AbortSignal) => Promise<Outcome | undefined> {
	const { model, mind, audit, clock, log, metrics } = deps;

	return async (session, { call }, signal) => {
		const settings = deps.settings();
		if ((await deps.site.read()).paused) {
			log.info({ session: session.id, call: call.id }, 'everything is paused; the model is not asked');
			return { kind: 'model_failed', callId: call.id, reason: 'paused', transient: false };
		}
		const prompt = mind.prompt(session, call, settings);
		if (prompt.truncatedTurns > 0) {
			metrics.count('intake_histories_cut_total');
			log.warn(
				{ session: session.id, call: call.id, turns: prompt.truncatedTurns, budget: settings.model.tokenBudget },
				'the history is longer than the budget; old turns are left out',
			);
		}
		const startedAt = clock.now();
		let reply: ModelReply | undefined;
		let failure: ModelError | undefined;
		try {
			reply = await model.complete({
				messages: prompt.messages,
				schema: prompt.schema,
				maxOutputTokens: Math.min(settings.model.maxOutputTokens, model.limits.outputTokens),
				deadlineMs: settings.model.attemptTimeoutMs,
				signal,
				purpose: `intake.${call.purpose}`,
				account: accountOf(session),
			});
		} catch (error) {
			if (!(error instanceof ModelError) || isStoreFailure(error)) throw error;
			if (signal.aborted) return undefined;
			failure = error;
		}
		const outcome = outcomeOf(call.id, reply, failure, clock.now());
		const word = failure ? failure.code : outcome.kind === 'model_reply' ? 'ok' : 'unusable';
		metrics.count('intake_model_calls_total', { outcome: word });
		const at = clock.now();
		const text = { callId: call.id, at, messages: prompt.messages, ...(reply ? { reply: reply.text } : {}) };
		const entry = {
			what: 'model_call' as const,
			callId: call.id,
			purpose: call.purpose,
			model: reply?.model ?? model.id,
			outcome: word,
			promptHash: sha256(canonicalJson(prompt.messages)),
			...(reply ? { replyHash: sha256(reply.text) } : {}),
			...(reply ? { inputTokens: reply.usage.inputTokens, outputTokens: reply.usage.outputTokens } : {}),
			durationMs: at - startedAt,
			...(prompt.truncatedTurns > 0 ? { truncatedTurns: prompt.truncatedTurns } : {}),
			at,
		};
		let isAgain = false;
		// The reply is in hand: a store that is away for a moment is no reason to ask for it again.
		await outlastStore(async () => {
			const isKept = isAgain && (await audit.calls(session.id)).some(({ callId }) => callId === call.id);
			isAgain = true;
			if (!isKept) await audit.keepCall(session.id, text);
			await audit.append({ id: `${call.id}:call`, sessionId: session.id, entry });
		}, signal);
		return outcome;
	};
}

/** Everybody who speaks in a session may be somebody else than who pays for it with their hour: that is the requester. */
function accountOf({ requesterId, place }: IntakeSession): CallAccount {
	return { personIds: [requesterId], channelId: place.kind === 'discord' ? place.channelId : place.kind };
}

function outcomeOf(
	callId: string,
	reply: ModelReply | undefined,
	failure: ModelError | undefined,
	now: number,
): Outcome {
	if (failure?.code === 'paused') return { kind: 'model_failed', callId, reason: 'paused', transient: false };
	if (failure?.code === 'limited')
		return {
			kind: 'model_failed',
			callId,
			reason: 'limit',
			transient: false,
			...(failure.retryAfterMs === undefined ? {} : { opensAt: now + failure.retryAfterMs }),
		};
	if (failure || !reply)
		return {
			kind: 'model_failed',
			callId,
			reason: failure?.code === 'timeout' ? 'timeout' : 'model',
			transient: failure?.transient ?? true,
		};
	if (reply.truncated || reply.stop === 'refusal')
		return { kind: 'model_failed', callId, reason: 'model', transient: true };
	return {
		kind: 'model_reply',
		callId,
		text: reply.text,
		...(reply.structured === undefined ? {} : { structured: reply.structured }),
	};
}
