import { FIELD_NAMES, type FieldName, type FinalFields } from '../final-fields.ts';
import { labelLine, undress } from './label-line.ts';

export interface ParsedFields {
	readonly fields: FinalFields;
	/** The reply without its fields and fences: what may hold questions. */
	readonly rest: string;
	/** `duplicate_field`, `conflicting_marker`, `marker_in_code`, `marker_quoted`, `marker_bare`, `marker_unclear`. */
	readonly notes: readonly string[];
}

/** Fields whose value is one line; what follows belongs to the talk again. */
const ONE_LINE: ReadonlySet<FieldName> = new Set(['REQUIREMENTS_COMPLETE', 'ESCALATE_TO', 'PROJECT_NAME']);
const FENCE = /^\s{0,8}(?:[-*+]\s+)?(`{3,}|~{3,})\s*([\w+-]{0,20})\s*$/;
const RULE = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/;

interface Given {
	readonly field: FieldName;
	readonly lines: string[];
	readonly depth: number;
	readonly bare: boolean;
	/** A fence was opened inside the value: only what is in it counts. */
	fenced: string[] | undefined;
}

/**
 * Takes the five fields out of a model's reply, whatever their dress. A field is a label at the start of a line with a colon;
 * one that is mentioned in prose or in a block quote is not given. The marker alone in a code block is not given either: it
 * needs company. Linear in the text. Thinking must have been taken out before. `yes` are the words, lower-case, that mean
 * complete.
 */
export function parseFields(text: string, yes: ReadonlySet<string>): ParsedFields {
	const notes: string[] = [];
	const rest: string[] = [];
	const given: Given[] = [];
	let open: Given | undefined;
	let depth = 0;
	for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
		const fence = FENCE.exec(line);
		if (fence !== null) {
			depth = fence[2] !== '' || depth === 0 ? depth + 1 : depth - 1;
			if (open !== undefined && depth > open.depth) open.fenced ??= [];
			if (open !== undefined && (depth < open.depth || (open.fenced !== undefined && depth === open.depth)))
				open = undefined;
			continue;
		}
		if (/^\s*>/.test(line)) {
			if (labelLine(line.replace(/^[\s>]+/, '')) !== undefined) notes.push('marker_quoted');
			else rest.push(line);
			continue;
		}
		const label = labelLine(line);
		if (label !== undefined) {
			open = { field: label.field, lines: [label.value], depth, bare: label.bare, fenced: undefined };
			given.push(open);
			// A marker without a colon has no value to wait for.
			if (label.bare && label.field === 'REQUIREMENTS_COMPLETE') open = undefined;
			continue;
		}
		if (RULE.test(line)) {
			open = undefined;
			continue;
		}
		const isFull = open !== undefined && ONE_LINE.has(open.field) && open.lines.some((one) => undress(one) !== '');
		if (isFull) open = undefined;
		if (open === undefined) rest.push(line);
		else (open.fenced ?? open.lines).push(line);
	}
	return { fields: settle(given, yes, notes), rest: rest.join('\n').trim(), notes };
}

function givenValue(one: Given): string {
	const lines = one.fenced?.some((line) => line.trim() !== '') ? one.fenced : one.lines;
	if (one.field === 'PROLOG_FACTS')
		return lines
			.join('\n')
			.replace(/^\s*(?:\*\*|__)/, '')
			.trim();
	const value = lines.join('\n').trim();
	return undress(ONE_LINE.has(one.field) ? (value.split('\n', 1)[0] ?? '') : value);
}

const NOTHING = /^(?:none|n\/a|null|nil|-|—)?\.?$/i;

function settle(given: readonly Given[], yes: ReadonlySet<string>, notes: string[]): FinalFields {
	const values = new Map<FieldName, string[]>();
	for (const one of given) {
		if (one.field === 'REQUIREMENTS_COMPLETE') continue;
		const value = givenValue(one);
		if (NOTHING.test(value)) continue;
		values.set(one.field, [...(values.get(one.field) ?? []), value]);
	}
	const fields: Record<string, string | boolean> = {};
	for (const name of FIELD_NAMES) {
		const all = values.get(name) ?? [];
		if (new Set(all).size > 1) notes.push('duplicate_field');
		// Facts given twice are all looked at; of other fields the last word counts.
		const value = name === 'PROLOG_FACTS' ? all.join('\n') : all.at(-1);
		if (value !== undefined && value !== '') fields[name] = value;
	}
	const complete = completion(given, values.size > 0, yes, notes);
	return (complete === undefined ? fields : { ...fields, REQUIREMENTS_COMPLETE: complete }) as FinalFields;
}

function completion(
	given: readonly Given[],
	hasCompany: boolean,
	yes: ReadonlySet<string>,
	notes: string[],
): boolean | undefined {
	const verdicts: boolean[] = [];
	for (const one of given) {
		if (one.field !== 'REQUIREMENTS_COMPLETE') continue;
		const value = givenValue(one);
		if (one.depth > 0 && !hasCompany) notes.push('marker_in_code');
		else if (one.bare && value === '') {
			notes.push('marker_bare');
			if (hasCompany) verdicts.push(true);
		} else {
			const isYes = isYesWord(value, yes);
			if (!isYes && !/^(?:false|no|not?\b|partial|nein|non|否|0)/i.test(value)) notes.push('marker_unclear');
			verdicts.push(isYes);
		}
	}
	if (verdicts.length === 0) return undefined;
	if (new Set(verdicts).size > 1) notes.push('conflicting_marker');
	return verdicts.every(Boolean);
}

/** The whole value must be the word: "yes, but …" is no yes. */
export function isYesWord(value: string, yes: ReadonlySet<string>): boolean {
	const word = value
		.slice(0, 40)
		.toLowerCase()
		.replace(/(?:[\s.!。！*_`✅✔"']|\ufe0f)+/gu, '');
	return word === '1' || yes.has(word);
}
