import { z } from 'zod';
import type { ReportedQuestion } from '../../../core/fleet/report.ts';
import type { QueuedReport } from '../report-queue.ts';

const anything = z.record(z.string(), z.unknown());
export const opencodeEvent = z.object({ type: z.string(), properties: anything.catch({}) });

const opencodePermission = z.object({
	id: z.string().min(1).max(300),
	sessionID: z.string(),
	permission: z.string().default('something'),
	patterns: z.array(z.string()).catch([]).default([]),
	metadata: anything.catch({}).default({}),
});
const opencodeQuestion = z.object({
	id: z.string().min(1).max(290),
	sessionID: z.string(),
	questions: z
		.array(
			z.object({
				question: z.string().min(1),
				multiple: z.boolean().catch(false).default(false),
				options: z
					.array(z.object({ label: z.string().min(1), description: z.string().optional() }))
					.catch([])
					.default([]),
			}),
		)
		.min(1),
});

/** What must be remembered of one opencode session between two events. */
export interface OpencodeState {
	readonly isWorking: boolean;
	readonly outcome?: { readonly kind: 'failed' | 'aborted'; readonly reason?: string };
	/** Message that the assistant writes now, and its words so far. */
	readonly messageId?: string;
	readonly text?: string;
	/** Newest message of the person, until its words were reported. */
	readonly askedId?: string;
	readonly totalUsd?: number;
	/** References of open requests by the id of the request. */
	readonly open: Readonly<Record<string, readonly string[]>>;
}

export const FRESH_OPENCODE: OpencodeState = { isWorking: false, open: {} };

export interface OpencodeMapped {
	readonly state: OpencodeState;
	readonly reports: readonly QueuedReport[];
	readonly title?: string;
	readonly directory?: string;
}

const TEXT_MAX = 15_000;
/** What opencode calls a session until it has found a name for it. */
const NO_TITLE = /^(New|Child) session - \d{4}-/;
const str = (value: unknown) => (typeof value === 'string' ? value : undefined);
const obj = (value: unknown) => anything.safeParse(value).data ?? {};

/** Session that an event belongs to; undefined for those of the server itself. */
export function sessionOf(properties: Readonly<Record<string, unknown>>): string | undefined {
	const part = obj(properties['part']);
	const info = obj(properties['info']);
	return str(properties['sessionID']) ?? str(part['sessionID']) ?? str(info['sessionID']) ?? str(info['id']);
}

/** What one event of the server means for the fleet. Pure. */
export function mapOpencodeEvent(state: OpencodeState, event: z.infer<typeof opencodeEvent>): OpencodeMapped {
	const { properties } = event;
	const info = obj(properties['info']);
	switch (event.type) {
		case 'session.created':
		case 'session.updated': {
			const given = str(info['title']);
			const title = given !== undefined && NO_TITLE.test(given) ? undefined : given;
			const directory = str(info['directory']);
			const totalUsd = typeof info['cost'] === 'number' && info['cost'] >= 0 ? info['cost'] : state.totalUsd;
			const next = totalUsd === undefined ? state : { ...state, totalUsd };
			const isNew = event.type === 'session.created';
			const cost = totalUsd === undefined || totalUsd === state.totalUsd ? [] : [costOf(totalUsd)];
			const reports: QueuedReport[] = isNew
				? [
						{ kind: 'started', data: {} },
						{ kind: 'idle', data: {} },
					]
				: cost;
			return { state: next, reports, ...(title ? { title } : {}), ...(directory ? { directory } : {}) };
		}
		case 'session.status': {
			const status = str(obj(properties['status'])['type']) ?? str(properties['status']);
			if (status === 'idle') return ended(state);
			if (status !== 'busy' || state.isWorking) return { state, reports: [] };
			const { outcome: _, ...rest } = state;
			return { state: { ...rest, isWorking: true }, reports: [{ kind: 'working', data: {} }] };
		}
		case 'session.idle':
			return ended(state);
		case 'session.error': {
			const error = obj(properties['error']);
			if (str(error['name']) === 'MessageAbortedError')
				return { state: { ...state, outcome: { kind: 'aborted' } }, reports: [] };
			const reason = (str(obj(error['data'])['message']) ?? str(error['name']) ?? 'the session failed').slice(0, 4_000);
			return { state: { ...state, outcome: { kind: 'failed', reason } }, reports: [] };
		}
		case 'session.deleted':
			return { state: FRESH_OPENCODE, reports: [{ kind: 'ended', data: { reason: 'deleted' } }] };
		case 'message.updated': {
			const id = str(info['id']);
			if (id === undefined) return { state, reports: [] };
			// A message of the person is updated again with its summary, long after the answer began.
			if (str(info['role']) === 'user')
				return { state: state.isWorking ? state : { ...state, askedId: id }, reports: [] };
			if (str(info['role']) !== 'assistant' || id === state.messageId) return { state, reports: [] };
			const { text: _, ...rest } = state;
			return { state: { ...rest, messageId: id }, reports: [] };
		}
		case 'message.part.updated': {
			const part = obj(properties['part']);
			const text = str(part['text'])?.slice(0, TEXT_MAX);
			const messageId = str(part['messageID']);
			if (str(part['type']) !== 'text' || text === undefined) return { state, reports: [] };
			if (messageId === state.askedId && part['synthetic'] !== true && text.trim() !== '') {
				const { askedId: _, ...rest } = state;
				return { state: rest, reports: [{ kind: 'text', data: { role: 'person', text } }] };
			}
			return { state: messageId === state.messageId ? { ...state, text } : state, reports: [] };
		}
		case 'permission.asked': {
			const read = opencodePermission.safeParse(properties);
			return read.success ? opened(state, read.data.id, [permissionQuestion(read.data)]) : { state, reports: [] };
		}
		case 'question.asked': {
			const read = opencodeQuestion.safeParse(properties);
			return read.success ? opened(state, read.data.id, questionsOf(read.data)) : { state, reports: [] };
		}
		case 'permission.replied':
		case 'question.replied':
			return closed(state, requestId(properties), 'answered');
		case 'question.rejected':
			return closed(state, requestId(properties), 'closed');
		default:
			return { state, reports: [] };
	}
}

function permissionQuestion(asked: z.infer<typeof opencodePermission>): ReportedQuestion {
	const context = str(asked.metadata['command']) ?? asked.patterns.join('\n');
	return {
		ref: asked.id,
		kind: 'permission',
		text: `May it use ${asked.permission.slice(0, 200)}?`,
		...(context ? { context: context.slice(0, TEXT_MAX) } : {}),
		choices: [
			{ label: 'Allow once', value: 'once' },
			{ label: 'Allow always', value: 'always' },
			{ label: 'Deny', value: 'reject' },
		],
		multi: false,
		freeText: false,
	};
}

function questionsOf(asked: z.infer<typeof opencodeQuestion>): ReportedQuestion[] {
	return asked.questions.map(({ question, options, multiple }, index) => ({
		ref: `${asked.id}#${index}`,
		kind: options.length > 0 ? 'choice' : 'text',
		text: question.slice(0, TEXT_MAX),
		choices: options.slice(0, 100).map(({ label, description }) => ({
			label: label.slice(0, 4_000),
			...(description === undefined ? {} : { description: description.slice(0, 4_000) }),
		})),
		multi: multiple,
		freeText: true,
	}));
}

function requestId(properties: Readonly<Record<string, unknown>>): string {
	return str(properties['requestID']) ?? str(properties['permissionID']) ?? str(properties['id']) ?? '';
}

function opened(state: OpencodeState, id: string, questions: readonly ReportedQuestion[]): OpencodeMapped {
	if (id in state.open) return { state, reports: [] };
	const open = { ...state.open, [id]: questions.map(({ ref }) => ref) };
	return {
		state: { ...state, isWorking: true, open },
		reports: questions.map((question) => ({ kind: 'question', data: { question } })),
	};
}

function closed(state: OpencodeState, id: string, how: 'answered' | 'closed'): OpencodeMapped {
	const { [id]: refs = [], ...open } = state.open;
	const reports = refs.map((ref): QueuedReport => ({ kind: 'question_closed', data: { ref, how } }));
	return { state: { ...state, open }, reports };
}

function ended(state: OpencodeState): OpencodeMapped {
	// Idle comes as a status and as an event of its own.
	if (!state.isWorking && state.outcome === undefined) return { state, reports: [] };
	const { outcome, text, totalUsd } = state;
	const cost = totalUsd === undefined ? {} : { totalUsd };
	const said: QueuedReport[] = text ? [{ kind: 'text', data: { role: 'agent', text } }] : [];
	const end: QueuedReport = outcome
		? { kind: outcome.kind, data: { ...(outcome.reason === undefined ? {} : { reason: outcome.reason }), ...cost } }
		: { kind: 'finished', data: { ...(text ? { text } : {}), ...cost } };
	const { outcome: _, text: __, messageId: ___, ...rest } = state;
	return { state: { ...rest, isWorking: false, open: {} }, reports: [...said, end] };
}

function costOf(totalUsd: number): QueuedReport {
	return { kind: 'cost', data: { totalUsd } };
}
