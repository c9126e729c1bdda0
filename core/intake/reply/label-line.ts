import type { FieldName } from '../final-fields.ts';
import { fieldOf } from './field-aliases.ts';

const COLON = /[:：﹕꞉]/u;
/** Bullets, numbers and heading marks before a label. */
const LEAD = /^[\s\u00a0]*(?:[-*+•‣▪]\s+|\d{1,2}[.)]\s+|#{1,6}\s*)*/u;

export interface LabelLine {
	readonly field: FieldName;
	/** What follows the colon on the same line. */
	readonly value: string;
	/** A bare marker without colon and value. */
	readonly bare: boolean;
}

/** The label a line begins with; undefined for prose that only mentions one. Looks at the first 120 characters only. */
export function labelLine(line: string): LabelLine | undefined {
	const lead = LEAD.exec(line)?.[0].length ?? 0;
	const head = line.slice(lead, lead + 120);
	const colon = head.search(COLON);
	if (colon < 0) {
		const field = fieldOf(head);
		return field !== undefined && line.length < 80 ? { field, value: '', bare: true } : undefined;
	}
	const field = fieldOf(head.slice(0, colon));
	return field === undefined ? undefined : { field, value: line.slice(lead + colon + 1), bare: false };
}

const DRESS = new Set('*_`"\'“”«» \t\n\r\u00a0\u202f\u3000');

/** A value without the marks that were wrapped around it. */
export function undress(value: string): string {
	let start = 0;
	let end = value.length;
	while (start < end && DRESS.has(value[start] as string)) start += 1;
	while (end > start && DRESS.has(value[end - 1] as string)) end -= 1;
	return value.slice(start, end);
}
