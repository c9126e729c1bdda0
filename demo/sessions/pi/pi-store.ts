import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface PiText {
	readonly role: 'user' | 'assistant';
	readonly content: readonly { readonly type: 'text'; readonly text: string }[];
	readonly stopReason?: string;
	readonly errorMessage?: string;
}

/** A session's file in pi's shape: a header, then a message a line. */
export interface PiStore {
	readonly id: string;
	readonly path: string;
	messages(): readonly PiText[];
	add(message: PiText): void;
	costUsd(): number;
}

const USD_A_MESSAGE = 0.006;

/** Takes a session up from its file, or begins one. */
export function openPiSession(wish: {
	readonly folder: string;
	readonly file: string | undefined;
	readonly id: string;
	readonly directory: string;
}): PiStore {
	const found = wish.file === undefined ? undefined : readKept(wish.file);
	const id = found?.id ?? wish.id;
	const path = resolve(wish.file ?? join(wish.folder, `${id}.jsonl`));
	const messages = found?.messages ?? [];
	if (found === undefined) {
		mkdirSync(wish.folder, { recursive: true });
		writeFileSync(path, `${JSON.stringify({ type: 'session', id, cwd: wish.directory })}\n`);
	}
	return {
		id,
		path,
		messages: () => messages,
		add(message) {
			messages.push(message);
			appendFileSync(path, `${JSON.stringify({ type: 'message', message })}\n`);
		},
		costUsd: () => USD_A_MESSAGE * messages.filter(({ role }) => role === 'assistant').length,
	};
}

function readKept(path: string): { id: string; messages: PiText[] } | undefined {
	const [first, ...rest] = readFileSync(path, 'utf8')
		.split('\n')
		.filter((line) => line !== '');
	if (first === undefined) return undefined;
	const header = JSON.parse(first) as { id: string };
	const messages = rest.map((line) => (JSON.parse(line) as { message: PiText }).message);
	return { id: header.id, messages };
}
