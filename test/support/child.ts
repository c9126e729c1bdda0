import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A real process of ours that a test may kill. */
export interface TestChild {
	readonly process: ChildProcess;
	/** What it printed, line by line. */
	readonly lines: string[];
	/** What went wrong in it, for the message of a failing test. */
	stderr(): string;
	/** Ends it with a signal and waits until it is gone. */
	end(signal: NodeJS.Signals): Promise<void>;
}

/** Runs a TypeScript file with arguments; `env` replaces the environment when given. */
export function startChild(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): TestChild {
	const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
	const lines: string[] = [];
	let errors = '';
	createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
	child.stderr.on('data', (chunk) => {
		errors += chunk;
	});
	child.stdin.on('error', () => undefined);
	return {
		process: child,
		lines,
		stderr: () => errors,
		async end(signal) {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const gone = once(child, 'exit');
			child.kill(signal);
			await gone;
		},
	};
}
