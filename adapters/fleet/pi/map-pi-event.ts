import type { SessionReport } from '../../../core/fleet/report.ts';
import { ASK_TOOL, type PiDialog, readDialog } from './pi-dialog.ts';
import { type PiEvent, type PiMessage, wordsOf } from './pi-event.ts';

/** A report without what its session adds: id, number, time. */
export interface ReportDraft {
	readonly kind: SessionReport['kind'];
	readonly data: SessionReport['data'];
	/** New name of the session. */
	readonly name?: string;
}

interface RunningCall {
	readonly id: string;
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
}

/** How the last run ended, before it is known whether pi tries again. */
interface PendingEnd {
	readonly kind: 'finished' | 'failed' | 'aborted';
	readonly text?: string;
	readonly reason?: string;
}

/** What must be remembered between two events of one pi session. */
export interface PiState {
	readonly isRunning: boolean;
	readonly calls: readonly RunningCall[];
	readonly dialogs: readonly PiDialog[];
	readonly pendingEnd?: PendingEnd;
	/** An abort was asked for during this run. */
	readonly isAborting: boolean;
	/** Messages on their way into the session that are the concierge's. */
	readonly relays: readonly string[];
	/** Estimated cost of aborted answers, for which pi counts nothing. */
	readonly estimatedUsd: number;
}

export const FRESH_PI: PiState = {
	isRunning: false,
	calls: [],
	dialogs: [],
	isAborting: false,
	relays: [],
	estimatedUsd: 0,
};

/** Everything that changes a session: pi's own events, and what only its keeper knows. */
export type PiInput =
	| PiEvent
	/** pi answered after the end of a run, so that no retry of it is under way. `totalUsd` is pi's own count. */
	| { readonly type: 'settled'; readonly totalUsd?: number }
	| { readonly type: 'abort_asked' }
	/** An answer was handed to pi. */
	| { readonly type: 'answered'; readonly ref: string }
	| { readonly type: 'relay_sent'; readonly text: string }
	/** An aborted answer was seen; this is what it probably cost. */
	| { readonly type: 'estimated'; readonly usd: number };

export interface PiMapped {
	readonly state: PiState;
	readonly drafts: readonly ReportDraft[];
}

const TEXT_MAX = 60_000;
const TOOL_LINE_MAX = 300;

/** What one event means for the fleet. Pure; unknown events never come here. */
export function mapPiEvent(state: PiState, event: PiInput): PiMapped {
	switch (event.type) {
		case 'agent_start': {
			const { pendingEnd: _, ...rest } = state;
			// A run within a run is pi's own retry, not news.
			const drafts: ReportDraft[] = state.isRunning
				? []
				: [...endDrafts(state, undefined), { kind: 'working', data: {} }];
			return { state: { ...rest, isRunning: true, isAborting: state.isRunning && state.isAborting }, drafts };
		}
		case 'agent_end':
			return agentEnd(state, event.messages);
		case 'auto_retry_start': {
			const { pendingEnd: _, ...rest } = state;
			return { state: { ...rest, isRunning: true }, drafts: [] };
		}
		case 'auto_retry_end': {
			// Given up while it waited for its next try: no run ends after this.
			if (event.success || !state.isRunning) return { state, drafts: [] };
			const pendingEnd: PendingEnd = state.isAborting
				? { kind: 'aborted' }
				: { kind: 'failed', reason: (event.finalError ?? 'the model failed').slice(0, 4_000) };
			return { state: { ...state, isRunning: false, isAborting: false, pendingEnd }, drafts: [] };
		}
		case 'settled': {
			const { pendingEnd: _, ...rest } = state;
			const drafts = endDrafts(state, event.totalUsd);
			if (drafts.length === 0 && event.totalUsd !== undefined) {
				return { state: rest, drafts: [{ kind: 'cost', data: { totalUsd: event.totalUsd + state.estimatedUsd } }] };
			}
			return { state: rest, drafts };
		}
		case 'message_end':
			return messageEnd(state, event.message);
		case 'tool_execution_start': {
			const call = { id: event.toolCallId, name: event.toolName, args: event.args };
			const text = `${event.toolName} ${JSON.stringify(event.args)}`.slice(0, TOOL_LINE_MAX);
			return {
				state: { ...state, calls: [...state.calls, call] },
				drafts: [{ kind: 'text', data: { role: 'tool', text } }],
			};
		}
		case 'tool_execution_end': {
			const gone = state.dialogs.filter((dialog) => dialog.callId === event.toolCallId);
			return {
				state: {
					...state,
					calls: state.calls.filter((call) => call.id !== event.toolCallId),
					dialogs: state.dialogs.filter((dialog) => !gone.includes(dialog)),
				},
				drafts: gone.map((dialog) => closed(dialog.ref, 'closed')),
			};
		}
		case 'extension_ui_request': {
			const dialog = readDialog(event, callBehind(state, event.title));
			if (dialog === undefined || state.dialogs.some(({ ref }) => ref === dialog.ref)) return { state, drafts: [] };
			const next = { ...state, dialogs: [...state.dialogs, dialog] };
			return { state: next, drafts: [{ kind: 'question', data: { question: dialog.question } }] };
		}
		case 'session_info_changed':
			return { state, drafts: event.name ? [{ kind: 'alive', data: {}, name: event.name.slice(0, 300) }] : [] };
		case 'abort_asked':
			return { state: { ...state, isAborting: state.isRunning }, drafts: [] };
		case 'answered': {
			const dialogs = state.dialogs.filter(({ ref }) => ref !== event.ref);
			if (dialogs.length === state.dialogs.length) return { state, drafts: [] };
			return { state: { ...state, dialogs }, drafts: [closed(event.ref, 'answered')] };
		}
		case 'relay_sent':
			return { state: { ...state, relays: [...state.relays, event.text].slice(-50) }, drafts: [] };
		case 'estimated':
			return { state: { ...state, estimatedUsd: state.estimatedUsd + event.usd }, drafts: [] };
	}
}

function messageEnd(state: PiState, message: PiMessage): PiMapped {
	const text = wordsOf(message).slice(0, TEXT_MAX);
	if (text === '' || (message.role !== 'user' && message.role !== 'assistant')) return { state, drafts: [] };
	if (message.role === 'assistant') {
		// Words beside tool calls are part of the work; the last words come with the end of the run.
		return { state, drafts: [{ kind: 'text', data: { role: 'agent', text } }] };
	}
	const isRelay = state.relays.some((relay) => relay.trim() === text);
	const relays = isRelay ? state.relays.filter((relay) => relay.trim() !== text) : state.relays;
	return {
		state: { ...state, relays },
		drafts: [{ kind: 'text', data: { role: isRelay ? 'concierge' : 'person', text } }],
	};
}

function agentEnd(state: PiState, messages: readonly PiMessage[]): PiMapped {
	const last = messages.findLast((message) => message.role === 'assistant');
	const text = last === undefined ? '' : wordsOf(last).slice(0, TEXT_MAX);
	const words = text === '' ? {} : { text };
	let pendingEnd: PendingEnd = { kind: 'finished', ...words };
	if (last?.stopReason === 'aborted' || state.isAborting) pendingEnd = { kind: 'aborted', ...words };
	else if (last?.stopReason === 'error') {
		pendingEnd = { kind: 'failed', reason: (last.errorMessage ?? 'the model failed').slice(0, 4_000) };
	} else if (last?.stopReason === 'length') {
		pendingEnd = { kind: 'finished', ...words, reason: 'its last answer was cut off' };
	}
	const drafts = state.dialogs.map((dialog) => closed(dialog.ref, 'closed'));
	return { state: { ...state, isRunning: false, calls: [], dialogs: [], pendingEnd, isAborting: false }, drafts };
}

function endDrafts(state: PiState, totalUsd: number | undefined): ReportDraft[] {
	if (state.pendingEnd === undefined) return [];
	const { kind, text, reason } = state.pendingEnd;
	const cost = totalUsd === undefined ? {} : { totalUsd: totalUsd + state.estimatedUsd };
	const words = kind === 'aborted' || text === undefined ? {} : { text };
	return [{ kind, data: { ...words, ...(reason === undefined ? {} : { reason }), ...cost } }];
}

function closed(ref: string, how: 'answered' | 'closed'): ReportDraft {
	return { kind: 'question_closed', data: { ref, how } };
}

/** The request names no call: the asking tool is known by its words, everything else is taken for the newest call. */
function callBehind(state: PiState, title: string | undefined): RunningCall | undefined {
	const asking = state.calls.find(
		(call) =>
			call.name === ASK_TOOL &&
			call.args['question'] === title &&
			!state.dialogs.some((dialog) => dialog.callId === call.id),
	);
	return asking ?? state.calls.findLast((call) => call.name !== ASK_TOOL) ?? state.calls.at(-1);
}
