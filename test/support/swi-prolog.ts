import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Term } from '../../core/intake/prolog/term.ts';

/** A term as SWI-Prolog read it: atom, string, integer, float, list, compound; the rest is no part of a plain fact. */
export type SwiTerm =
	| { readonly a: string }
	| { readonly s: string }
	| { readonly i: string }
	| { readonly f: string }
	| { readonly l: readonly SwiTerm[] }
	| { readonly c: readonly [string | null, readonly SwiTerm[]] }
	| { readonly v: 1 }
	| { readonly d: 1 }
	| { readonly o: 1 };

export type SwiRead = readonly (SwiTerm | 'error')[];

/** Version of the SWI-Prolog on this machine; undefined when there is none. */
export function swiVersion(): string | undefined {
	const run = spawnSync('swipl', ['--version'], { encoding: 'utf8', timeout: 30_000 });
	return run.status === 0 ? run.stdout.trim() : undefined;
}

/** Lets SWI-Prolog read texts, all of each or its first term only. Reads up to the first syntax error. */
export async function readWithSwi(
	blocks: readonly { readonly mode: 'all' | 'first'; readonly text: string }[],
	timeoutMs = 240_000,
): Promise<SwiRead[]> {
	const child = spawn('swipl', ['-q', '-f', 'none', '--stack-limit=2g', 'test/support/swi-reader.pl'], {
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
	let out = '';
	let complaints = '';
	child.stdout.setEncoding('utf8').on('data', (piece: string) => {
		out += piece;
	});
	child.stderr.setEncoding('utf8').on('data', (piece: string) => {
		complaints += piece;
	});
	child.stdin.on('error', () => undefined);
	const ended = new Promise<void>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', () => resolve());
	});
	const lines = blocks.map(
		({ mode, text }) => `${mode} ${Array.from(text, (sign) => sign.codePointAt(0)).join(' ')}\n`,
	);
	child.stdin.end(lines.join(''));
	await ended;
	clearTimeout(timer);
	const answers = out.split('\n').slice(0, -1);
	if (answers.length !== blocks.length)
		throw new Error(`SWI-Prolog answered ${answers.length} of ${blocks.length} blocks: ${complaints.slice(0, 500)}`);
	return answers.map((line) => JSON.parse(line) as SwiRead);
}

/** What SWI-Prolog says while it loads a text as a file; empty when it loads without a message. */
export function messagesOfSwi(text: string): string {
	const dir = mkdtempSync(join(tmpdir(), 'swi-load-'));
	try {
		const path = join(dir, 'facts.pl');
		writeFileSync(path, text);
		const run = spawnSync('swipl', ['-q', '-f', 'none', '-g', 'halt', path], { encoding: 'utf8', timeout: 60_000 });
		return `${run.stdout}${run.stderr}${run.status === 0 ? '' : `ended with ${run.status}`}`;
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

/** The same term in SWI's form; numbers by value, since `1.50` and `1.5` are one number. */
export function asSwiTerm(term: Term): SwiTerm {
	switch (term.kind) {
		case 'atom':
			return { a: term.name };
		case 'string':
			return { s: term.value };
		case 'number':
			return /[.eE]/.test(term.lexeme) ? { f: String(Number(term.lexeme)) } : { i: BigInt(term.lexeme).toString() };
		case 'list':
			return { l: term.items.map(asSwiTerm) };
		case 'compound':
			return { c: [term.name, term.args.map(asSwiTerm)] };
	}
}

/** One spelling for floats, so that both sides can be compared as text. */
export function spellSwi(term: SwiTerm | 'error'): string {
	return JSON.stringify(term, (key, value: unknown) => (key === 'f' ? Number(value) : value));
}

/** Whether a term is callable and holds no variable, dict or other thing. Not recursive: terms may be very deep. */
export function isGroundCallable(term: SwiTerm): boolean {
	if (!('a' in term) && !('c' in term)) return false;
	const open: SwiTerm[] = [term];
	for (let next = open.pop(); next; next = open.pop()) {
		if ('v' in next || 'd' in next || 'o' in next) return false;
		if ('l' in next) open.push(...next.l);
		if ('c' in next) {
			if (next.c[0] === null) return false;
			open.push(...next.c[1]);
		}
	}
	return true;
}
