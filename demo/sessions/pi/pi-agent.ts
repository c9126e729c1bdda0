import { randomUUID } from 'node:crypto';
import { ASK_TOOL } from '../../../adapters/fleet/pi/pi-dialog.ts';
import { pauseFor } from '../../../adapters/fleet/until-aborted.ts';
import type { PiStore, PiText } from './pi-store.ts';

export interface PiAgentDeps {
	readonly session: PiStore;
	write(event: object): void;
	readonly stepMs: number;
}

/** What the scripted pi does with its task, in pi's own events. */
export interface PiAgent {
	isRunning(): boolean;
	/** Takes words: now, after the run, or (`isSteering`) in the midst of it. */
	prompt(message: string, isSteering: boolean): void;
	abort(): void;
	/** An answer to a dialog. */
	answer(response: Readonly<Record<string, unknown>>): void;
}

type DialogAnswer = { readonly value?: unknown; readonly confirmed?: unknown; readonly cancelled?: unknown };

const RISKY = /\b(?:deploy|push|delete|drop|migrate|release|publish)\b/i;
const FAILS = /\b(?:fail|crash|break)\b/i;

class Aborted extends Error {}

export function createPiAgent({ session, write, stepMs }: PiAgentDeps): PiAgent {
	const waiting: string[] = [];
	const steered: string[] = [];
	let run: AbortController | undefined;
	let dialog: { readonly id: string; settle(answer: DialogAnswer): void } | undefined;

	function say(role: PiText['role'], text: string, more: Partial<PiText> = {}): PiText {
		const message: PiText = { role, content: text === '' ? [] : [{ type: 'text', text }], ...more };
		session.add(message);
		write({ type: 'message_end', message });
		return message;
	}

	async function tool<Result>(toolName: string, args: object, work: () => Promise<Result>): Promise<Result> {
		const toolCallId = `call-${randomUUID().slice(0, 8)}`;
		write({ type: 'tool_execution_start', toolCallId, toolName, args });
		try {
			return await work();
		} finally {
			write({ type: 'tool_execution_end', toolCallId, toolName, isError: false });
		}
	}

	async function rest(signal: AbortSignal): Promise<void> {
		await pauseFor(stepMs, signal);
		if (signal.aborted) throw new Aborted();
		for (const words of steered.splice(0)) {
			say('user', words);
			say('assistant', `Understood: "${lastPart(words)}". I take it into account.`);
		}
	}

	function ask(request: object, signal: AbortSignal): Promise<DialogAnswer> {
		const id = `ui-${randomUUID().slice(0, 8)}`;
		return new Promise<DialogAnswer>((resolve, reject) => {
			dialog = { id, settle: resolve };
			signal.addEventListener('abort', () => reject(new Aborted()), { once: true });
			write({ type: 'extension_ui_request', id, ...request });
		}).finally(() => {
			dialog = undefined;
		});
	}

	async function work(task: string, isFirst: boolean, signal: AbortSignal): Promise<PiText> {
		const about = lastPart(task);
		await tool('read', { path: 'README.md' }, () => rest(signal));
		if (FAILS.test(about))
			return say('assistant', '', { stopReason: 'error', errorMessage: 'the model gave up (as it was told to)' });
		let how = '';
		if (isFirst) {
			const question = 'How thorough should I be?';
			const choices = [{ label: 'A quick look' }, { label: 'Every file' }];
			const asked = { question, context: `The task: ${about}`, choices };
			const options = choices.map(({ label }) => label);
			const given = await tool(ASK_TOOL, asked, () => ask({ method: 'select', title: question, options }, signal));
			how = given.cancelled === true ? '' : ` (${String(given.value)})`;
		}
		await tool('grep', { pattern: about.split(/\s+/)[0] ?? '' }, () => rest(signal));
		if (RISKY.test(about)) {
			const command = `npm run ${RISKY.exec(about)?.[0].toLowerCase()}`;
			const request = { method: 'confirm', title: 'May I run this command?', message: command };
			const given = await tool('bash', { command }, () => ask(request, signal));
			if (given.confirmed !== true)
				return say('assistant', `Done up to the command: "${about}". ${command} was not run.`);
		}
		await tool('edit', { path: 'src/index.ts' }, () => rest(signal));
		return say('assistant', `Done: "${about}"${how}. One file changed, nothing is committed.`);
	}

	async function begin(task: string): Promise<void> {
		const own = new AbortController();
		run = own;
		write({ type: 'agent_start' });
		const isFirst = session.messages().length === 0;
		say('user', task);
		let last: PiText;
		try {
			last = await work(task, isFirst, own.signal);
		} catch (error) {
			if (!(error instanceof Aborted)) throw error;
			last = say('assistant', '', { stopReason: 'aborted' });
		}
		run = undefined;
		write({ type: 'agent_end', messages: [last] });
		const next = [...steered.splice(0), ...waiting.splice(0, 1)].join('\n');
		if (next !== '') await begin(next);
	}

	return {
		isRunning: () => run !== undefined,
		prompt(message, isSteering) {
			if (run === undefined) setImmediate(() => void begin(message));
			else (isSteering ? steered : waiting).push(message);
		},
		abort: () => run?.abort(),
		answer(response) {
			if (dialog?.id === response['id']) dialog?.settle(response as DialogAnswer);
		},
	};
}

/** Words without the frame that a relay has. */
function lastPart(text: string): string {
	return text.split('\n\n').at(-1)?.trim() ?? text;
}
