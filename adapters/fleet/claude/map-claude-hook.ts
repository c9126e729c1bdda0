import type { QuestionAnswer } from '../../../core/fleet/question.ts';
import type { ReportedQuestion } from '../../../core/fleet/report.ts';
import type { QueuedReport } from '../report-queue.ts';
import { askUserQuestion, type ClaudeHook } from './claude-hook.ts';

/** A permission or question that Claude Code waits for, under the references of its single questions. */
export interface OpenRequest {
	readonly id: string;
	readonly toolName: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly questions: readonly ReportedQuestion[];
	readonly answers: Readonly<Record<string, QuestionAnswer>>;
}

/** A call of a tool that has begun. */
interface ClaudeCall {
	readonly key: string;
	/** What it is made of; a request for permission has no id of its call. */
	readonly made: string;
	/** For people. */
	readonly what: string;
}

export interface ClaudeState {
	readonly isWorking: boolean;
	readonly open: readonly OpenRequest[];
	/** Calls that have not ended, oldest first: until they do, Claude Code gives no other sign. */
	readonly running: readonly ClaudeCall[];
}

export const FRESH_CLAUDE: ClaudeState = { isWorking: false, open: [], running: [] };

export interface ClaudeMapped {
	readonly state: ClaudeState;
	readonly reports: readonly QueuedReport[];
	/** Request of this hook: its response is to wait for the answer. */
	readonly asked?: OpenRequest;
}

const TEXT_MAX = 15_000;
const CALLS_MAX = 20;

/** What one hook means for the fleet. Pure; `newId` names a request, for Claude Code gives it no id. */
export function mapClaudeHook(state: ClaudeState, hook: ClaudeHook, newId: string): ClaudeMapped {
	const working: QueuedReport[] = state.isWorking ? [] : [{ kind: 'working', data: {} }];
	switch (hook.hook_event_name) {
		case 'SessionStart':
			return { state: FRESH_CLAUDE, reports: [report('started'), report('idle')] };
		case 'UserPromptSubmit': {
			const said: QueuedReport[] = hook.prompt
				? [{ kind: 'text', data: { role: 'person', text: cut(hook.prompt) } }]
				: [];
			// A new prompt means that whatever was asked before is over.
			return {
				state: { isWorking: true, open: [], running: [] },
				reports: [...closings(state.open, 'closed'), ...working, ...said, ...runningChange(state, [])],
			};
		}
		case 'PreToolUse': {
			const text = cut(`${hook.tool_name ?? 'tool'} ${JSON.stringify(hook.tool_input ?? {})}`, 300);
			const running = withCall(state.running, hook);
			return {
				state: { ...state, isWorking: true, running },
				reports: [...working, { kind: 'text', data: { role: 'tool', text, ...runningData(state, running) } }],
			};
		}
		case 'PermissionRequest': {
			const asked = readRequest(hook, newId);
			const questions = asked.questions.map((question): QueuedReport => ({ kind: 'question', data: { question } }));
			const next = { ...state, isWorking: true, open: [...state.open, asked] };
			return { state: next, reports: [...working, ...questions], asked };
		}
		case 'PostToolUse':
		case 'PostToolUseFailure': {
			const done = state.open.find((request) => isSameCall(request, hook));
			const open = state.open.filter((request) => request !== done);
			const closed = done === undefined ? [] : closings([done], 'answered');
			const running = state.running.filter(({ key }) => key !== callKey(hook));
			return {
				state: { isWorking: true, open, running },
				reports: [...closed, ...working, ...runningChange(state, running)],
			};
		}
		case 'Stop': {
			const text = hook.last_assistant_message;
			const data = text ? { text: cut(text) } : {};
			return { state: FRESH_CLAUDE, reports: [...closings(state.open, 'closed'), { kind: 'finished', data }] };
		}
		case 'StopFailure': {
			const words = hook.last_assistant_message;
			const code = hook.error ?? hook.reason;
			const reason = cut(words && code ? `${words} (${code})` : (words ?? code ?? 'the turn failed'), 4_000);
			return {
				state: FRESH_CLAUDE,
				reports: [...closings(state.open, 'closed'), { kind: 'failed', data: { reason } }],
			};
		}
		case 'SessionEnd': {
			const data = hook.reason ? { reason: cut(hook.reason, 4_000) } : {};
			return { state: FRESH_CLAUDE, reports: [...closings(state.open, 'closed'), { kind: 'ended', data }] };
		}
		default:
			// Notifications repeat what PermissionRequest said earlier and better.
			return { state, reports: [] };
	}
}

/** One answer of a person; `response` once the whole request is answered. */
export function answerClaude(
	state: ClaudeState,
	ref: string,
	answer: QuestionAnswer,
): { readonly state: ClaudeState; readonly requestId?: string; readonly response?: unknown } | undefined {
	const request = state.open.find(({ questions }) => questions.some((question) => question.ref === ref));
	if (request === undefined) return undefined;
	const next: OpenRequest = { ...request, answers: { ...request.answers, [ref]: answer } };
	if (!next.questions.every((question) => question.ref in next.answers)) {
		return { state: { ...state, open: state.open.map((one) => (one === request ? next : one)) } };
	}
	const open = state.open.filter((one) => one !== request);
	const response = responseTo(next);
	// A call that was refused never begins, and Claude Code may say nothing of its end.
	const isRefused = request.toolName !== 'AskUserQuestion' && answer.values[0] !== 'allow';
	const running = isRefused ? state.running.filter(({ made }) => made !== madeOf(request)) : state.running;
	return { state: { ...state, open, running }, requestId: request.id, response };
}

function responseTo(request: OpenRequest): unknown {
	const [first] = request.questions;
	const given = first === undefined ? undefined : request.answers[first.ref];
	let decision: Record<string, unknown>;
	if (request.toolName === 'AskUserQuestion') {
		const answers = Object.fromEntries(
			request.questions.map(({ ref, text }) => {
				const { values, text: own } = request.answers[ref] as QuestionAnswer;
				return [text, [...values, ...(own?.trim() ? [own.trim()] : [])].join(', ')];
			}),
		);
		decision = { behavior: 'allow', updatedInput: { ...request.input, answers } };
	} else if (given?.values[0] === 'allow') decision = { behavior: 'allow' };
	else decision = { behavior: 'deny', message: given?.text?.trim() || 'A person said no.' };
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function readRequest(hook: ClaudeHook, id: string): OpenRequest {
	const toolName = hook.tool_name ?? 'tool';
	const input = hook.tool_input ?? {};
	const asked = toolName === 'AskUserQuestion' ? askUserQuestion.safeParse(input) : undefined;
	const questions: ReportedQuestion[] = asked?.success
		? asked.data.questions.map(({ question, options, multiSelect }, index) => ({
				ref: `${id}#${index}`,
				kind: options.length > 0 ? ('choice' as const) : ('text' as const),
				// The whole text is the key of the answer.
				text: question.slice(0, TEXT_MAX),
				choices: options.slice(0, 100).map(({ label, description }) => ({
					label: cut(label, 4_000),
					value: cut(label, 4_000),
					...(description === undefined ? {} : { description: cut(description, 4_000) }),
				})),
				multi: multiSelect,
				freeText: true,
			}))
		: [
				{
					ref: id,
					kind: 'permission',
					text: `May it use ${cut(toolName, 200)}?`,
					context: cut(typeof input['command'] === 'string' ? input['command'] : JSON.stringify(input, null, 1)),
					choices: [
						{ label: 'Allow', value: 'allow' },
						{ label: 'Deny', value: 'deny' },
					],
					multi: false,
					freeText: false,
				},
			];
	return { id, toolName, input, questions, answers: {} };
}

function madeOf({ toolName, input }: Pick<OpenRequest, 'toolName' | 'input'>): string {
	return `${toolName} ${JSON.stringify(input)}`;
}

/** Claude Code's id of a call; where it gives none, what the call is made of. */
function callKey({ tool_use_id: id, tool_name: toolName = 'tool', tool_input: input = {} }: ClaudeHook): string {
	return id ?? madeOf({ toolName, input });
}

/** One more call; its own asking tool waits for a person, and so is none that runs. */
function withCall(running: readonly ClaudeCall[], hook: ClaudeHook): readonly ClaudeCall[] {
	const { tool_name: name = 'tool', tool_input: input = {} } = hook;
	if (name === 'AskUserQuestion') return running;
	const detail = [input['command'], input['description'], input['file_path'], input['url'], input['pattern']];
	const told = detail.find((text) => typeof text === 'string');
	const what = cut(typeof told === 'string' ? `${name}: ${told}` : name, 300);
	const key = callKey(hook);
	const made = madeOf({ toolName: name, input });
	return [...running.filter((call) => call.key !== key), { key, made, what }].slice(-CALLS_MAX);
}

/** What runs longest, where that changed. The house then knows why nothing is heard. */
function runningData(before: ClaudeState, [first]: readonly ClaudeCall[]): { readonly running?: string } {
	return first?.key === before.running[0]?.key ? {} : { running: first?.what ?? '' };
}

/** The same as a report of its own. */
export function runningChange(before: ClaudeState, running: readonly ClaudeCall[]): QueuedReport[] {
	const data = runningData(before, running);
	return data.running === undefined ? [] : [{ kind: 'alive', data }];
}

/** The hook of the finished call may have answers in its input, so only what was asked is compared. */
function isSameCall(request: OpenRequest, hook: ClaudeHook): boolean {
	if (request.toolName !== hook.tool_name) return false;
	const input = hook.tool_input ?? {};
	return Object.entries(request.input).every(([key, value]) => JSON.stringify(input[key]) === JSON.stringify(value));
}

function closings(open: readonly OpenRequest[], how: 'answered' | 'closed'): QueuedReport[] {
	return open.flatMap(({ questions }) =>
		questions.map(({ ref }): QueuedReport => ({ kind: 'question_closed', data: { ref, how } })),
	);
}

function report(kind: QueuedReport['kind']): QueuedReport {
	return { kind, data: {} };
}

function cut(text: string, max = TEXT_MAX): string {
	return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
