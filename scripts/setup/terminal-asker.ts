import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { type Asker, type Check, type Option, optionFor, SetupStopped } from './asker.ts';

export interface TerminalOptions {
	readonly input: Readable;
	readonly output: Writable;
	/** Answers of a run that was broken off, by key: they are offered as defaults. */
	readonly draft: Readonly<Record<string, string>>;
	/** Is told each answer that did, so that a broken run can go on. */
	readonly remember: (key: string, answer: string) => Promise<void>;
}

/** Asks a person at a terminal; an answer that does not do is asked for again with the reason. */
export function createTerminalAsker({ input, output, draft, remember }: TerminalOptions): Asker {
	let muted = false;
	const screen = new Writable({
		write(chunk, _encoding, done) {
			if (!muted) output.write(chunk);
			done();
		},
	});
	const lines = createInterface({ input, output: screen, terminal: 'isTTY' in input && input.isTTY === true });
	let ended = false;
	lines.on('SIGINT', () => lines.close());
	// Lines that come before they are asked for (a pasted block, a pipe) would be lost by question().
	const waiting: string[] = [];
	let wake: (() => void) | undefined;
	lines.on('line', (line) => {
		waiting.push(line);
		wake?.();
	});
	lines.on('close', () => {
		ended = true;
		wake?.();
	});

	async function read(prompt: string, secret = false): Promise<string> {
		output.write(prompt);
		muted = secret;
		while (waiting.length === 0) {
			if (ended) throw new SetupStopped('input_ended', 'Stopped. npm run setup goes on from here.');
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
		muted = false;
		if (secret) output.write('\n');
		return (waiting.shift() ?? '').trim();
	}

	const say = (line: string) => void output.write(`${line}\n`);
	const list = (options: readonly Option[], marked: readonly string[]) => {
		for (const [index, { value, label }] of options.entries())
			say(`  ${marked.includes(value) ? '*' : ' '}${String(index + 1).padStart(3)}  ${label}`);
	};
	async function passes<T>(answer: T, check?: Check<T>): Promise<boolean> {
		const problem = await check?.(answer);
		if (problem !== undefined) say(`  ✗ ${problem}`);
		return problem === undefined;
	}

	return {
		say,
		async text({ key, ask, initial, secret, check }) {
			const fallback = draft[key] ?? initial;
			const kept = ask.includes('Enter') ? '' : ' [Enter takes the one there is]';
			const hint = fallback ? (secret ? kept : ` [${fallback}]`) : '';
			for (;;) {
				const answer = (await read(`${ask}${hint}: `, secret)) || fallback;
				if (answer === undefined) say('  ✗ Something has to be entered.');
				else if (await passes(answer, check)) {
					await remember(key, answer);
					return answer;
				}
			}
		},
		async choose({ key, ask, options, initial, none, check }) {
			const fallback = options.find(({ value }) => value === (draft[key] ?? initial))?.value;
			say(ask);
			list(options, fallback === undefined ? [] : [fallback]);
			for (;;) {
				const hint = fallback !== undefined ? 'Enter: the one marked *' : none ? 'Enter: none' : '';
				const answer = await read(
					`  Number${hint ? ` (${hint}${none && fallback !== undefined ? ', 0: none' : ''})` : ''}: `,
				);
				if (none && (answer === '0' || (answer === '' && fallback === undefined))) return undefined;
				const found = answer === '' ? fallback : optionFor(answer, options, true)?.value;
				if (found === undefined) say('  ✗ A number of the list is needed.');
				else if (await passes(found, check)) {
					await remember(key, found);
					return found;
				}
			}
		},
		async chooseMany({ key, ask, options, initial }) {
			const kept = draft[key]?.split(',').filter((one) => options.some(({ value }) => value === one));
			const fallback = kept ?? initial;
			if (options.length === 0) return [];
			say(ask);
			list(options, fallback);
			for (;;) {
				const answer = await read('  Numbers, such as 1,3 (Enter: those marked *, 0: none): ');
				const parts = answer.split(/[\s,]+/).filter((part) => part !== '');
				const found = answer === '0' ? [] : parts.map((part) => optionFor(part, options, true)?.value);
				const chosen = answer === '' ? [...fallback] : found.filter((one) => one !== undefined);
				if (answer !== '' && answer !== '0' && found.includes(undefined)) say('  ✗ Only numbers of the list.');
				else {
					await remember(key, chosen.join(','));
					return [...new Set(chosen)];
				}
			}
		},
		async confirm({ ask, initial }) {
			for (;;) {
				const answer = (await read(`${ask} [${initial ? 'Y/n' : 'y/N'}]: `)).toLowerCase();
				if (answer === '') return initial;
				if (/^(y|yes|j|ja)$/.test(answer)) return true;
				if (/^(n|no|nein)$/.test(answer)) return false;
				say('  ✗ y or n');
			}
		},
		close: () => lines.close(),
	};
}
