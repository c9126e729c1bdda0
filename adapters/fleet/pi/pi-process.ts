import { spawn } from 'node:child_process';
import { createJsonLines } from '../json-lines.ts';

/** What a pi process answered to one command. `silent`: nothing in time, or it is gone. */
export type PiAnswer =
	| { readonly kind: 'ok'; readonly data: unknown }
	| { readonly kind: 'refused'; readonly why: string }
	| { readonly kind: 'silent' };

export interface PiExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	/** The process could not be started at all. */
	readonly startError?: NodeJS.ErrnoException;
	/** End of what it wrote for people. */
	readonly said: string;
}

/** One pi child in RPC mode. Nothing of it throws or rejects. */
export interface PiProcess {
	readonly pid: number | undefined;
	/** Settles when the child is gone. */
	readonly exit: Promise<PiExit>;
	/** Sends a command and waits for its answer, `deadlineMs` at most. */
	ask(command: Readonly<Record<string, unknown>>, deadlineMs: number): Promise<PiAnswer>;
	/** Writes one line; false when it did not reach the child's pipe. */
	write(line: Readonly<Record<string, unknown>>, deadlineMs: number): Promise<boolean>;
	/** Closes its input, which ends it; signals follow when it stays. Resolves when it is gone. */
	end(graceMs: number): Promise<void>;
}

export interface PiLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly directory: string;
	readonly env: NodeJS.ProcessEnv;
}

const SAID_MAX = 2_000;

/** Starts a child; `onEvent` gets every line that is no answer to a command, in order. */
export function startPiProcess(launch: PiLaunch, onEvent: (value: unknown) => void): PiProcess {
	const child = spawn(launch.command, [...launch.args], {
		cwd: launch.directory,
		env: launch.env,
		stdio: ['pipe', 'pipe', 'pipe'],
		// A group of its own: Ctrl-C in our terminal is for us, and we end it in order.
		detached: true,
	});
	const waiting = new Map<string, { type: unknown; settle: (answer: PiAnswer) => void }>();
	let lastId = 0;
	let said = '';
	let isGone = false;

	const exit = new Promise<PiExit>((resolve) => {
		const finish = (end: Omit<PiExit, 'said'>) => {
			if (isGone) return;
			isGone = true;
			for (const { settle } of [...waiting.values()]) settle({ kind: 'silent' });
			resolve({ ...end, said: said.trim() });
		};
		child.once('error', (startError) => {
			if (child.pid === undefined) finish({ code: null, signal: null, startError });
		});
		// `close` comes after the last output was read.
		child.once('close', (code, signal) => finish({ code, signal }));
		child.once('exit', (code, signal) => {
			// A grandchild may keep the pipes open for ever.
			setTimeout(() => finish({ code, signal }), 1_000).unref();
		});
	});
	child.on('error', () => undefined);
	for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);

	const lines = createJsonLines(
		(value) => {
			const answer = value as { type?: unknown; id?: unknown; command?: unknown; success?: unknown };
			if (typeof value !== 'object' || value === null) return;
			if (answer.type !== 'response') {
				onEvent(value);
				return;
			}
			// Some versions leave the id out when they do not know the command.
			const id =
				typeof answer.id === 'string' ? answer.id : [...waiting].find(([, { type }]) => type === answer.command)?.[0];
			if (id !== undefined) waiting.get(id)?.settle(toAnswer(value as Record<string, unknown>));
		},
		(line) => {
			said = `${said}\n${line}`.slice(-SAID_MAX);
		},
	);
	child.stdout.on('data', lines);
	child.stderr.on('data', (chunk: Buffer) => {
		said = (said + chunk.toString('utf8')).slice(-SAID_MAX);
	});

	function write(line: Readonly<Record<string, unknown>>, deadlineMs: number): Promise<boolean> {
		return new Promise((resolve) => {
			if (isGone || !child.stdin.writable) {
				resolve(false);
				return;
			}
			const timer = setTimeout(() => resolve(false), deadlineMs);
			child.stdin.write(`${JSON.stringify(line)}\n`, (error) => {
				clearTimeout(timer);
				resolve(!error);
			});
		});
	}

	/** To the child and what it started, as the shell would. */
	function signalAll(signal: NodeJS.Signals): void {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, signal);
		} catch {
			child.kill(signal);
		}
	}

	return {
		pid: child.pid,
		exit,
		write,
		ask(command, deadlineMs) {
			const id = `c${++lastId}`;
			return new Promise((resolve) => {
				const settle = (answer: PiAnswer) => {
					clearTimeout(timer);
					waiting.delete(id);
					resolve(answer);
				};
				const timer = setTimeout(() => settle({ kind: 'silent' }), deadlineMs);
				waiting.set(id, { type: command['type'], settle });
				void write({ ...command, id }, deadlineMs).then((isWritten) => {
					if (!isWritten) settle({ kind: 'silent' });
				});
			});
		},
		async end(graceMs) {
			if (!isGone) child.stdin.end();
			if (await within(exit, graceMs)) return;
			signalAll('SIGTERM');
			if (await within(exit, graceMs)) return;
			signalAll('SIGKILL');
			await within(exit, graceMs);
		},
	};
}

function toAnswer(value: Record<string, unknown>): PiAnswer {
	if (value['success'] === true) return { kind: 'ok', data: value['data'] };
	return { kind: 'refused', why: String(value['error'] ?? 'pi refused').slice(0, 500) };
}

function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => resolve(false), ms);
		void promise.then(() => {
			clearTimeout(timer);
			resolve(true);
		});
	});
}
