import { z } from 'zod';
import type { QuestionAnswer } from '../../../core/fleet/question.ts';
import type { ReportedQuestion } from '../../../core/fleet/report.ts';
import type { DeliveryResult } from '../../../core/fleet/session-control.ts';
import { estimateAborted, piPrice } from './estimate-aborted.ts';
import { FRESH_PI, mapPiEvent, type PiInput, type PiState, type ReportDraft } from './map-pi-event.ts';
import { cancelResponse, dialogResponse } from './pi-dialog.ts';
import { piMessage, readPiEvent, wordsOf } from './pi-event.ts';
import { type PiLaunch, type PiProcess, startPiProcess } from './pi-process.ts';

const piStateAnswer = z.looseObject({
	sessionId: z.string().min(1).max(300),
	sessionFile: z.string().optional(),
	sessionName: z.string().optional(),
	isStreaming: z.boolean().catch(false),
	model: z
		.looseObject({ id: z.string(), provider: z.string().optional(), cost: piPrice.optional().catch(undefined) })
		.optional()
		.catch(undefined),
});
export type PiStateAnswer = z.infer<typeof piStateAnswer>;

const stats = z.looseObject({
	cost: z.number().nonnegative(),
	contextUsage: z.looseObject({ tokens: z.number().nonnegative() }).optional().catch(undefined),
});
const modelList = z.looseObject({ models: z.array(z.looseObject({ id: z.string(), provider: z.string() })) });
const messageList = z.looseObject({ messages: z.array(piMessage) });

/** Deadline for an answer of a pi that is ready. */
const ANSWER_MS = 10_000;

/** A running pi and what it is doing. Nothing of it throws or rejects. */
export interface PiSession {
	readonly process: PiProcess;
	/** Waits until it answers; undefined when it does not in time or ends before. */
	ready(deadlineMs: number): Promise<PiStateAnswer | undefined>;
	/** From now on reports go to `report`, those that were held back first. */
	begin(report: (draft: ReportDraft) => void): void;
	models(): Promise<readonly { readonly id: string; readonly provider: string }[] | undefined>;
	setName(name: string): Promise<void>;
	/** Sends words; `waits` says whether a question holds it up. */
	say(text: string, mode: 'queue' | 'interrupt', isRelay: boolean): Promise<DeliveryResult>;
	answer(ref: string, answer: QuestionAnswer): Promise<DeliveryResult>;
	abort(): Promise<DeliveryResult>;
	questions(): readonly ReportedQuestion[];
	transcript(lines: number): Promise<readonly string[] | undefined>;
	/** It still answers, within `deadlineMs`. */
	isAlive(deadlineMs: number): Promise<boolean>;
	isRunning(): boolean;
	/** US dollars so far, estimates of aborted answers included. */
	cost(): Promise<number | undefined>;
	end(graceMs: number): Promise<void>;
}

export function createPiSession(launch: PiLaunch): PiSession {
	let state: PiState = FRESH_PI;
	let report: ((draft: ReportDraft) => void) | undefined;
	const held: ReportDraft[] = [];
	let price: z.infer<typeof piPrice> | undefined;
	let contextTokens = 0;

	const pi = startPiProcess(launch, (value) => {
		const event = readPiEvent(value);
		if (event === undefined) return;
		if (event.type === 'message_end') {
			const usd = estimateAborted(event.message, contextTokens, price);
			if (usd > 0) feed({ type: 'estimated', usd });
		}
		feed(event);
		if (event.type === 'agent_end' || event.type === 'auto_retry_end') void settle();
	});

	function feed(input: PiInput): void {
		const mapped = mapPiEvent(state, input);
		state = mapped.state;
		for (const draft of mapped.drafts) {
			if (report === undefined) held.push(draft);
			else report(draft);
		}
	}

	async function readStats(): Promise<number | undefined> {
		const answer = await pi.ask({ type: 'get_session_stats' }, ANSWER_MS);
		const read = answer.kind === 'ok' ? stats.safeParse(answer.data) : undefined;
		if (!read?.success) return undefined;
		contextTokens = read.data.contextUsage?.tokens ?? contextTokens;
		return read.data.cost;
	}

	/** pi announces a retry before it answers anything that was asked after the failure. */
	async function settle(): Promise<void> {
		const totalUsd = await readStats();
		if (!state.isRunning) feed({ type: 'settled', ...(totalUsd === undefined ? {} : { totalUsd }) });
	}

	async function getState(deadlineMs: number): Promise<PiStateAnswer | undefined> {
		const answer = await pi.ask({ type: 'get_state' }, deadlineMs);
		const read = answer.kind === 'ok' ? piStateAnswer.safeParse(answer.data) : undefined;
		if (!read?.success) return undefined;
		price = read.data.model?.cost ?? price;
		return read.data;
	}

	return {
		process: pi,
		ready: getState,
		begin(to) {
			report = to;
			for (const draft of held.splice(0)) to(draft);
		},
		async models() {
			const answer = await pi.ask({ type: 'get_available_models' }, ANSWER_MS);
			const read = answer.kind === 'ok' ? modelList.safeParse(answer.data) : undefined;
			return read?.success ? read.data.models : undefined;
		},
		async setName(name) {
			await pi.ask({ type: 'set_session_name', name }, ANSWER_MS);
		},
		async say(text, mode, isRelay) {
			if (mode === 'interrupt' && state.dialogs.length > 0) {
				return { kind: 'blocked', why: 'it waits for an answer to its question' };
			}
			const wasBusy = state.isRunning;
			if (isRelay) feed({ type: 'relay_sent', text });
			const streamingBehavior = mode === 'interrupt' ? 'steer' : 'followUp';
			const answer = await pi.ask({ type: 'prompt', message: plain(text), streamingBehavior }, ANSWER_MS);
			if (answer.kind === 'refused') return { kind: 'failed', why: answer.why };
			if (answer.kind === 'silent') return { kind: 'failed', why: 'pi did not take it in time' };
			return { kind: wasBusy && mode === 'queue' ? 'queued' : 'delivered' };
		},
		async answer(ref, answer) {
			const dialog = state.dialogs.find((open) => open.ref === ref);
			if (dialog === undefined) return { kind: 'gone', why: 'the question is not open any more' };
			const isWritten = await pi.write(dialogResponse(dialog, answer), ANSWER_MS);
			if (!isWritten) return { kind: 'failed', why: 'the answer did not reach pi' };
			feed({ type: 'answered', ref });
			return { kind: 'delivered' };
		},
		async abort() {
			feed({ type: 'abort_asked' });
			// A dialog that nobody closes would keep the turn, and with it the abort, waiting.
			const dialogs = state.dialogs;
			const aborted = pi.ask({ type: 'abort' }, ANSWER_MS);
			for (const dialog of dialogs) await pi.write(cancelResponse(dialog), ANSWER_MS);
			const answer = await aborted;
			if (answer.kind === 'ok') return { kind: 'delivered' };
			return { kind: 'failed', why: answer.kind === 'refused' ? answer.why : 'pi did not stop in time' };
		},
		questions: () => state.dialogs.map(({ question }) => question),
		async transcript(lines) {
			const answer = await pi.ask({ type: 'get_messages' }, ANSWER_MS);
			const read = answer.kind === 'ok' ? messageList.safeParse(answer.data) : undefined;
			if (!read?.success) return undefined;
			return read.data.messages
				.map((message) => ({ role: message.role, text: wordsOf(message) }))
				.filter(({ text }) => text !== '')
				.slice(-lines)
				.map(({ role, text }) => `${role}: ${text}`);
		},
		isAlive: async (deadlineMs) => (await getState(deadlineMs)) !== undefined,
		isRunning: () => state.isRunning,
		async cost() {
			const usd = await readStats();
			return usd === undefined ? undefined : usd + state.estimatedUsd;
		},
		end: (graceMs) => pi.end(graceMs),
	};
}

/** A leading slash would call one of pi's own commands. */
function plain(text: string): string {
	return text.startsWith('/') ? ` ${text}` : text;
}
