import { readFileSync } from 'node:fs';

/** Lines of a recorded stream. */
export function recorded(name: string): unknown[] {
	const text = readFileSync(new URL(`./${name}.jsonl`, import.meta.url), 'utf8');
	return text
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as unknown);
}
