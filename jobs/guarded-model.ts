import type { LimitSettings } from '../config/limits.ts';
import type { Price } from '../config/model.ts';
import type { CallLimits } from '../core/access/call-limits.ts';
import { type LimitWindow, limitHint, limitOpensAt, limitWindows, microUsd } from '../core/access/limits.ts';
import { anySignal } from '../core/any-signal.ts';
import { costUsd } from '../core/model/cost.ts';
import { type Model, ModelError, type ModelReply, type ModelRequest } from '../core/model/model-port.ts';
import { estimatePromptTokens } from '../core/model/token-estimate.ts';
import type { Clock, Log, Metrics } from '../core/ports.ts';
import type { KillSwitch } from './kill-switch.ts';

export interface GuardedModelDeps {
	readonly model: Model;
	/** What the model costs; undefined: nothing, or not known. */
	price(): Price | undefined;
	readonly killSwitch: Pick<KillSwitch, 'isPaused' | 'signal'>;
	readonly limits: CallLimits;
	settings(): LimitSettings;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Failures before a provider read anything. */
const UNREAD: ReadonlySet<string> = new Set([
	'unreachable',
	'overloaded',
	'rate_limited',
	'refused',
	'auth',
	'missing_model',
	'truncated',
]);

/**
 * The one door to a model: nobody passes while everything is paused or a limit is used up, and a call in flight ends when it
 * is paused. Both are told by `ModelError`, codes `paused` and `limited`. Without the store, nobody passes either.
 */
export function createGuardedModel(deps: GuardedModelDeps): Model {
	const { model, killSwitch, limits, clock, metrics, log } = deps;
	if (!model.id.startsWith('ollama/') && deps.price() === undefined && deps.settings().perDayUsd > 0)
		log.warn(
			{ model: model.id },
			'its price is not known: limits.perDayUsd cannot be kept, only the limits by calls. Set model.prices.',
		);

	async function mayAsk(): Promise<void> {
		let isPaused: boolean;
		try {
			isPaused = await killSwitch.isPaused();
		} catch (cause) {
			throw storeAway(cause);
		}
		if (isPaused) throw paused();
	}

	/** Counts the call; gives what it was counted as in money. */
	async function book(request: ModelRequest, mostUsd: number): Promise<LimitWindow | undefined> {
		if (request.account === 'own_budget') return undefined;
		const now = clock.now();
		const settings = deps.settings();
		const windows = limitWindows(request.account, mostUsd, settings, now);
		const taken = await limits.take(windows).catch((cause: unknown) => {
			throw storeAway(cause);
		});
		if (taken.kind === 'taken') return windows.find(({ name }) => name === 'day_usd');
		metrics.count('model_calls_limited_total', { limit: taken.name, purpose: request.purpose });
		throw new ModelError('limited', 'a limit on model calls is used up', {
			transient: false,
			hint: limitHint(taken.name, settings),
			limit: taken.name,
			retryAfterMs: limitOpensAt(taken.name, settings, now) - now,
		});
	}

	async function settle(booked: LimitWindow | undefined, usd: number): Promise<void> {
		if (booked === undefined) return;
		await limits
			.correct(booked.key, microUsd(usd) - booked.amount)
			.catch((error: Error) => log.warn({ problem: error.message }, 'the cost of a call stays as estimated'));
	}

	return {
		id: model.id,
		limits: model.limits,
		check: (deadlineMs) => model.check(deadlineMs),
		async complete(request) {
			// Taken before looking: a pause between the two still ends the call.
			const valve = killSwitch.signal();
			await mayAsk();
			const price = deps.price();
			const inputTokens = estimatePromptTokens(request.messages);
			const outputTokens = request.maxOutputTokens ?? model.limits.outputTokens;
			const cost = (output: number) => costUsd({ inputTokens, outputTokens: output }, price) ?? 0;
			const booked = await book(request, cost(outputTokens));
			const usdOf = (reply: ModelReply) => reply.usage.costUsd ?? cost(reply.usage.outputTokens);
			try {
				const signal = request.signal ? anySignal([request.signal, valve]) : valve;
				const reply = await model.complete({ ...request, signal });
				await settle(booked, usdOf(reply));
				return reply;
			} catch (error) {
				const read = error instanceof ModelError && !UNREAD.has(error.code);
				const used = error instanceof ModelError ? error.usage?.costUsd : undefined;
				await settle(booked, used ?? (read ? cost(0) : 0));
				if (valve.aborted && request.signal?.aborted !== true && error instanceof ModelError) throw paused(error);
				throw error;
			}
		},
	};
}

function paused(cause?: unknown): ModelError {
	return new ModelError('paused', 'everything is paused', {
		transient: true,
		hint: 'An admin has paused everything; /admin pause value:off ends that.',
		cause,
	});
}

function storeAway(cause: unknown): ModelError {
	return new ModelError('unreachable', 'no model is asked while the store is away', {
		transient: true,
		hint: 'Redis does not answer, so limits cannot be kept.',
		cause,
	});
}
