import type { Handed } from '../../adapters/fleet/reporters/reporter.ts';
import { pauseFor } from '../../adapters/fleet/until-aborted.ts';
import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { ReportedQuestion, SessionReport } from '../../core/fleet/report.ts';
import { type Hands, type SessionScript, type Task, TurnOver } from './session-script.ts';

export interface ScriptedSessionDeps {
	readonly stepMs: number;
	report(kind: SessionReport['kind'], data: SessionReport['data']): void;
	readonly newId: () => string;
	/** How often it says that it is still there. */
	readonly aliveMs?: number;
}

/** One agent that plays its script and takes what people send, as a client of the house like any other. */
export interface ScriptedSession {
	take(item: InboxItem): Handed;
	/** Ends it with a word why; resolves when its script has stopped. */
	end(reason: string): Promise<void>;
}

const ALIVE_MS = 60_000;

export function createScriptedSession(script: SessionScript, deps: ScriptedSessionDeps): ScriptedSession {
	const { report, stepMs } = deps;
	const over = new AbortController();
	const waiting: Task[] = [];
	let turn = new AbortController();
	let isRunning = false;
	let isAborted = false;
	let totalUsd = 0;
	let asked: { readonly question: ReportedQuestion; answer(words: string): void } | undefined;
	let wake: () => void = () => undefined;

	async function pause(steps: number, signal: AbortSignal): Promise<void> {
		await pauseFor(steps * stepMs, signal);
		if (signal.aborted) throw new TurnOver('broken off');
	}

	function handsFor(signal: AbortSignal): Hands {
		const say = (role: 'agent' | 'tool', text: string) => report('text', { role, text });
		return {
			rest: (steps) => pause(steps, signal),
			think: (text) => say('agent', text),
			use: (line) => say('tool', line),
			tell: (text) => report('text', { role: 'agent', text, toPerson: true }),
			summarise: (text) => report('summary', { text, totalUsd }),
			spend(usd) {
				totalUsd += usd;
			},
			heard() {
				const task = waiting.shift();
				if (task !== undefined) note(task);
				return task;
			},
			async ask(wish) {
				if (signal.aborted) throw new TurnOver('broken off');
				const question = { ...wish, ref: deps.newId() };
				const words = await new Promise<string>((resolve, reject) => {
					asked = { question, answer: resolve };
					signal.addEventListener('abort', () => reject(new TurnOver('broken off')), { once: true });
					report('question', { question, totalUsd });
				}).finally(() => {
					asked = undefined;
				});
				report('text', { role: 'person', text: words });
				report('working', {});
				return words;
			},
		};
	}

	/** A message is part of the transcript once the agent takes it up. */
	function note(task: Task): void {
		if (task.from !== 'script') report('text', { role: task.from, text: task.text });
	}

	async function run(task: Task): Promise<boolean> {
		turn = new AbortController();
		isRunning = true;
		report('working', { totalUsd });
		note(task);
		try {
			const end = await script.run(task, handsFor(turn.signal));
			report(end.kind, end.kind === 'finished' ? { text: end.text, totalUsd } : { reason: end.reason, totalUsd });
			return end.kind === 'finished';
		} catch (error) {
			if (!(error instanceof TurnOver)) {
				report('failed', { reason: `its script broke: ${String(error)}`, totalUsd });
				return false;
			}
			if (isAborted && !over.signal.aborted) report('aborted', { totalUsd });
			isAborted = false;
			return false;
		} finally {
			isRunning = false;
		}
	}

	/** The next message, or the script's own next task when none comes in time. */
	async function next(wentWell: boolean): Promise<Task | undefined> {
		const again = wentWell ? script.again : undefined;
		const awake = new AbortController();
		wake = () => awake.abort();
		if (waiting.length === 0 && !over.signal.aborted) {
			if (again !== undefined) await pauseFor(again.afterSteps * stepMs, awake.signal);
			else
				await new Promise<void>((resolve) => awake.signal.addEventListener('abort', () => resolve(), { once: true }));
		}
		wake = () => undefined;
		if (over.signal.aborted) return undefined;
		return waiting.shift() ?? { text: again?.task ?? script.opening, from: 'script', who: script.name };
	}

	async function live(): Promise<void> {
		const alive = setInterval(() => {
			if (isRunning) report('alive', {});
		}, deps.aliveMs ?? ALIVE_MS);
		try {
			report('started', { totalUsd });
			let task: Task | undefined = { text: script.opening, from: 'script', who: script.name };
			while (task !== undefined) task = await next(await run(task));
		} finally {
			clearInterval(alive);
		}
	}

	const ended = live();

	function message({ text = '', from, mode }: InboxItem): Handed {
		if (text.trim() === '') return { ok: false, why: 'there are no words in it' };
		const isInterrupt = mode === 'interrupt' && from.role === 'person' && isRunning;
		if (isInterrupt && asked !== undefined) return { ok: false, why: 'it waits for an answer to its question' };
		const task: Task = { text, from: from.role, who: from.who };
		if (isInterrupt) {
			waiting.unshift(task);
			turn.abort();
		} else {
			waiting.push(task);
			wake();
		}
		return { ok: true };
	}

	function answer({ ref, answer: given }: InboxItem): Handed {
		if (asked === undefined || asked.question.ref !== ref)
			return { ok: false, why: 'the question is not open any more' };
		const labels = (given?.values ?? []).map(
			(value) => asked?.question.choices.find((choice) => (choice.value ?? choice.label) === value)?.label ?? value,
		);
		asked.answer([...labels, ...(given?.text === undefined ? [] : [given.text])].join(', '));
		return { ok: true };
	}

	function end(reason: string): Promise<void> {
		if (!over.signal.aborted) {
			over.abort();
			turn.abort();
			wake();
			report('ended', { reason, totalUsd });
		}
		return ended;
	}

	return {
		take(item) {
			if (over.signal.aborted) return { ok: false, why: 'the session has ended' };
			switch (item.kind) {
				case 'message':
					return message(item);
				case 'answer':
					return answer(item);
				case 'abort':
					isAborted = isRunning;
					turn.abort();
					return { ok: true };
				case 'stop':
					void end(`stopped by ${item.from.who}`);
					return { ok: true };
			}
		},
		end,
	};
}
