import type { z } from 'zod';
import type { RedisConnection } from './connection.ts';

const REPEAT_MS = 60_000;

/** Reads values that Redis keeps as JSON. A value that does not fit is reported with its key, at most once a minute. */
export interface Stored {
	/** Undefined when the text is absent or does not fit `schema`; `where` names the key and what of it. */
	parse<T>(schema: z.ZodType<T>, text: string | null | undefined, where: string): T | undefined;
	/** Says that a value is damaged, without its content. */
	report(where: string, problem: string): void;
}

export function createStored({ log, now }: Pick<RedisConnection, 'log' | 'now'>): Stored {
	const reportedAt = new Map<string, number>();

	function report(where: string, problem: string): void {
		const at = now();
		const last = reportedAt.get(where);
		if (last !== undefined && Math.abs(at - last) < REPEAT_MS) return;
		if (reportedAt.size > 1_000) reportedAt.clear();
		reportedAt.set(where, at);
		log.error({ key: where, problem }, 'a value in Redis is damaged');
	}

	return {
		report,
		parse(schema, text, where) {
			if (text === null || text === undefined) return undefined;
			let value: unknown;
			try {
				value = JSON.parse(text);
			} catch {
				report(where, 'not JSON');
				return undefined;
			}
			const result = schema.safeParse(value);
			if (result.success) return result.data;
			report(where, result.error.issues.map((issue) => `${issue.path.join('.') || 'value'}: ${issue.code}`).join('; '));
			return undefined;
		},
	};
}
