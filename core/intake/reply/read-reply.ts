import { isRecord, jsonAt } from '../../overseer/reply/json-values.ts';
import { withoutThinking } from '../../overseer/reply/thinking.ts';
import type { IntakeReply } from './intake-reply.ts';
import { parseFields } from './parse-fields.ts';
import { questionsInText } from './question-text.ts';
import { replyFromValue } from './structured-reply.ts';

/** A reply longer than this is no reply of an intake; what lies behind is not read. */
const READ_MAX = 262_144;

/**
 * Reads a model's answer, forced into a schema or free text. Thinking is taken out first. Never throws; linear. Only ever
 * given the model's own text: what a person writes is never looked through for fields.
 */
export function readReply(reply: { text: string; structured?: unknown }, yes: ReadonlySet<string>): IntakeReply {
	if (isRecord(reply.structured)) {
		const read = replyFromValue(reply.structured, yes);
		if (!read.empty) return read;
	}
	const { text } = withoutThinking(reply.text.slice(0, READ_MAX));
	const whole = wholeJson(text);
	if (whole !== undefined) {
		const read = replyFromValue(whole, yes);
		if (!read.empty) return read;
	}
	const { fields, rest, notes } = parseFields(text, yes);
	const questions = questionsInText(rest);
	return { fields, questions, notes, empty: questions.length === 0 && Object.keys(fields).length === 0 };
}

/** The text is one JSON object, bare or fenced. */
function wholeJson(text: string): Readonly<Record<string, unknown>> | undefined {
	const opened = text.trimStart().replace(/^```[ \t]*\w{0,20}\s*/, '');
	if (!opened.startsWith('{')) return undefined;
	const json = jsonAt(opened, 0);
	if (json === undefined || !isRecord(json.value)) return undefined;
	return /^[\s`]*$/.test(opened.slice(json.end)) ? json.value : undefined;
}
