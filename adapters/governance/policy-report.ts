import type { EngineLoad } from './policy-engine.ts';

/** Something in a policy file that keeps it from being used. Warnings do so too: they are how a rule that never fires looks. */
export interface PolicyProblem {
	readonly file: string;
	/** From 1: the line on which the rule begins, or where reading it failed. */
	readonly line: number;
	readonly kind: 'error' | 'warning';
	readonly message: string;
}

/** One article of the constitution, as its file declares it. */
export interface PolicyArticle {
	readonly id: string;
	readonly title: string;
	/** What it protects, in one sentence. */
	readonly about: string;
	readonly file: string;
	readonly line: number;
}

export type PolicyReport =
	| { readonly ok: true; readonly articles: readonly PolicyArticle[] }
	| { readonly ok: false; readonly problems: readonly PolicyProblem[] };

const unreadable: PolicyReport = {
	ok: false,
	problems: [{ file: 'policies', line: 1, kind: 'error', message: 'the engine gave no list of articles' }],
};

const isRow = (value: unknown): value is [string, number, string, string] =>
	Array.isArray(value) &&
	value.length === 4 &&
	typeof value[1] === 'number' &&
	value.every((cell, place) => place === 1 || typeof cell === 'string');

const isArticleRow = (value: unknown): value is [string, string, string, string, number] =>
	Array.isArray(value) &&
	value.length === 5 &&
	typeof value[4] === 'number' &&
	value.slice(0, 4).every((cell) => typeof cell === 'string');

/** Reads what the engine said about loading; anything unexpected counts as a problem. */
export function readPolicyReport({ outcome, rows }: EngineLoad): PolicyReport {
	if (!Array.isArray(rows) || rows.length === 0) return unreadable;
	if (outcome === 'articles' && rows.every(isArticleRow)) {
		return { ok: true, articles: rows.map(([id, title, about, file, line]) => ({ id, title, about, file, line })) };
	}
	if (outcome !== 'problems' || !rows.every(isRow)) return unreadable;
	const found = rows.map(([file, line, kind, message]) => ({
		file,
		line,
		kind: kind === 'warning' ? ('warning' as const) : ('error' as const),
		message,
	}));
	return { ok: false, problems: found.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line) };
}
