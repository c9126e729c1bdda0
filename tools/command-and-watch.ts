import type { EntityState } from '../core/home/entity.ts';
import type { CallOutcome } from '../core/tooling/call.ts';
import type { Command, ToolContext } from './tool.ts';

/** What shows that a command had its effect: `reached` is asked at every change of one of `entityIds`. */
export interface Watch {
	readonly entityIds: readonly string[];
	/** Gets every state of the house, the changed one included. */
	reached(states: ReadonlyMap<string, EntityState>): boolean;
	/** Milliseconds from the answer to the command. */
	readonly verifyMs: number;
}

export type Step =
	| { readonly kind: 'confirmed'; readonly contextId?: string }
	| { readonly kind: 'unconfirmed'; readonly contextId: string }
	/** Certainly without effect. */
	| { readonly kind: 'failed'; readonly code: string }
	/** Sent, and nobody knows. */
	| { readonly kind: 'unknown' };

/** How long a lost connection may take to come back, so that the state can settle what the answer could not. */
const RECONNECT_MS = 20_000;

/** Longest time that one command with its watch takes. */
export function stepLimitMs(callDeadlineMs: number, verifyMs: number): number {
	return callDeadlineMs + Math.max(verifyMs, RECONNECT_MS);
}

/**
 * Sends one command and tells by the state whether it worked. The watch begins before the command leaves, so that no
 * change is missed. An `ok` proves nothing, and an answer that never came is settled by the state as well.
 */
export async function commandAndWatch(
	context: ToolContext,
	command: Command,
	watch: Watch | undefined,
	signal: AbortSignal,
): Promise<Step> {
	const watching = new AbortController();
	const stop = () => watching.abort();
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, { once: true });
	try {
		const limitMs = stepLimitMs(context.callDeadlineMs, watch?.verifyMs ?? 0);
		const reached = watch && firstReached(context, watch, limitMs, watching.signal);
		const result = await context.command(command);
		if (result.kind === 'unreachable') return { kind: 'failed', code: 'unreachable' };
		if (result.kind === 'rejected') return { kind: 'failed', code: plainCode(result.code) };
		const lost = result.kind === 'in_doubt' && result.reason === 'lost';
		const waitMs = watch === undefined ? 0 : lost ? Math.max(watch.verifyMs, RECONNECT_MS) : watch.verifyMs;
		const seen = watch && (await Promise.race([reached, context.sleep(waitMs, watching.signal).then(() => false)]));
		if (result.kind === 'in_doubt') return { kind: seen ? 'confirmed' : 'unknown' };
		return { kind: seen ? 'confirmed' : 'unconfirmed', contextId: result.contextId };
	} finally {
		signal.removeEventListener('abort', stop);
		stop();
	}
}

/** Words the end of a call; `done` is said only of what was confirmed. */
export function outcomeOf(step: Step, words: { readonly done: string; readonly tried: string }): CallOutcome {
	switch (step.kind) {
		case 'confirmed':
			return { kind: 'confirmed', summary: words.done, ...(step.contextId && { contextId: step.contextId }) };
		case 'unconfirmed':
			return { kind: 'unconfirmed', summary: `${words.tried}, no effect seen`, contextId: step.contextId };
		case 'failed':
			return { kind: 'failed', code: step.code, summary: `${words.tried}, refused (${step.code})` };
		case 'unknown':
			return { kind: 'unknown', summary: `${words.tried}, whether it happened is not known` };
	}
}

async function firstReached(
	context: ToolContext,
	watch: Watch,
	limitMs: number,
	signal: AbortSignal,
): Promise<boolean> {
	const { home } = context;
	const latest = (changed: EntityState) => {
		const states = home.states();
		// Whether the live view is ahead of its listeners is the adapter's affair.
		return states.get(changed.entityId) === changed ? states : new Map(states).set(changed.entityId, changed);
	};
	const waits = watch.entityIds.map(async (id) => {
		const state = await home.waitFor(id, (changed) => watch.reached(latest(changed)), limitMs, signal);
		if (state === undefined) throw new Error('not reached');
	});
	return await Promise.any(waits).then(
		() => true,
		() => false,
	);
}

/** Codes come from outside and end up in prompts and metrics. */
function plainCode(code: string): string {
	return /^[a-z0-9_]{1,40}$/.test(code) ? code : 'refused';
}
