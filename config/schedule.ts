import { z } from 'zod';

/** When something recurs. `cron` has five fields in the owner's time zone. */
export type Schedule =
	| { readonly kind: 'off' }
	| { readonly kind: 'every'; readonly ms: number }
	| { readonly kind: 'cron'; readonly expression: string };

export type ParsedSchedule =
	| { readonly ok: true; readonly schedule: Schedule }
	| { readonly ok: false; readonly why: string };

const EXAMPLE = 'off, every 15m, 0 9 * * * or @daily';
const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const nicknames: Readonly<Record<string, string>> = {
	'@hourly': '0 * * * *',
	'@daily': '0 0 * * *',
	'@midnight': '0 0 * * *',
	'@weekly': '0 0 * * 0',
	'@monthly': '0 0 1 * *',
	'@yearly': '0 0 1 1 *',
	'@annually': '0 0 1 1 *',
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields = [
	{ name: 'minute', low: 0, high: 59, words: [], offset: 0 },
	{ name: 'hour', low: 0, high: 23, words: [], offset: 0 },
	{ name: 'day of month', low: 1, high: 31, words: [], offset: 0 },
	{ name: 'month', low: 1, high: 12, words: months, offset: 1 },
	{ name: 'day of week', low: 0, high: 7, words: days, offset: 0 },
] as const;
type Field = (typeof fields)[number];

/** The numbers a field stands for, or what is wrong with it. */
function readField(text: string, field: Field): number[] | string {
	const span = field.high - field.low + 1;
	const number = (word: string): number => {
		const index = (field.words as readonly string[]).indexOf(word.toLowerCase());
		if (index >= 0) return index + field.offset;
		return /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
	};
	const values: number[] = [];
	for (const part of text.split(',')) {
		const [, range = '', step] = /^([^/-]+(?:-[^/-]+)?)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
		if (range === '') return `${field.name} "${part}" is not a number, range or step`;
		const [from, to] = range === '*' ? [field.low, field.high] : range.split('-').map(number);
		if (step !== undefined && range !== '*' && to === undefined) return `a step needs * or a range, such as */${step}`;
		const last = to ?? from!;
		const every = step === undefined ? 1 : Number(step);
		if (!(from! >= field.low && last <= field.high && from! <= last))
			return `${field.name} goes from ${field.low} to ${field.high}`;
		if (every < 1) return 'a step is at least 1';
		if (every >= span)
			return `every ${every} does not fit a ${field.name} field: it would run at each ${field.name} ${from}`;
		for (let value = from!; value <= last; value += every) values.push(value);
	}
	return values;
}

/** Reads a schedule text. Texts that other readers take but run at another rate are refused with what they would do. */
export function parseSchedule(text: string): ParsedSchedule {
	const refuse = (why: string): ParsedSchedule => ({ ok: false, why });
	const trimmed = text.trim();
	if (trimmed === '') return refuse('empty');
	if (trimmed.length > 120) return refuse('too long');
	if (trimmed === 'off') return { ok: true, schedule: { kind: 'off' } };
	if (/^every\b/.test(trimmed)) {
		const [, amount, unit] = /^every (\d{1,6}) ?([a-z]*)$/.exec(trimmed) ?? [];
		if (amount === undefined) return refuse('not a time');
		if (unit === '') return refuse(`a unit is missing: every ${amount}s, ${amount}m, ${amount}h or ${amount}d`);
		const ms = Number(amount) * (units[unit!] ?? Number.NaN);
		if (Number.isNaN(ms)) return refuse(`"${unit}" is no unit: s, m, h or d`);
		if (ms < 10_000) return refuse('at least every 10s');
		if (ms > 366 * units['d']!) return refuse('at most every 366d');
		return { ok: true, schedule: { kind: 'every', ms } };
	}
	if (trimmed.startsWith('@')) {
		const expression = nicknames[trimmed.toLowerCase()];
		return expression ? { ok: true, schedule: { kind: 'cron', expression } } : refuse('not a known @ name');
	}
	const parts = trimmed.split(/\s+/);
	if (parts.length === 6) return refuse('six fields mean seconds, and * there runs each second; use five');
	if (parts.length !== 5) return refuse('not a schedule');
	const read = fields.map((field, index) => readField(parts[index]!, field));
	const wrong = read.find((value) => typeof value === 'string');
	if (wrong !== undefined) return refuse(wrong as string);
	const [, , dates, monthList] = read as number[][];
	const longest = (month: number) => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31);
	// With a weekday given as well, either of the two is enough in cron, so an impossible date alone does not matter.
	if (parts[4] === '*' && !monthList!.some((month) => dates!.some((date) => date <= longest(month))))
		return refuse('that date never comes');
	return { ok: true, schedule: { kind: 'cron', expression: parts.join(' ') } };
}

/** Setting of a recurring time, kept as written; {@link parseSchedule} reads it. */
export const schedule = z.string().superRefine((text, context) => {
	const parsed = parseSchedule(text);
	if (!parsed.ok) context.addIssue({ code: 'custom', message: `${EXAMPLE} (${parsed.why})` });
});
