import { isRecord } from '../../overseer/reply/json-values.ts';
import { DIMENSIONS } from '../dimension.ts';
import type { FieldName, FinalFields } from '../final-fields.ts';
import { fieldOf } from './field-aliases.ts';
import type { IntakeReply } from './intake-reply.ts';
import { isYesWord } from './parse-fields.ts';
import type { RawQuestion } from './raw-question.ts';

/** Reads a reply that came as an object: forced by a schema, or JSON of its own accord. */
export function replyFromValue(value: Readonly<Record<string, unknown>>, yes: ReadonlySet<string>): IntakeReply {
	const fields: Partial<Record<FieldName, string | boolean>> = {};
	const inner = isRecord(value['fields']) ? { ...value, ...value['fields'] } : value;
	for (const [key, given] of Object.entries(inner)) {
		const field = fieldOf(key);
		if (field === undefined) continue;
		if (field === 'REQUIREMENTS_COMPLETE') {
			const complete = flag(given, yes);
			if (complete !== undefined) fields[field] = complete;
		} else if (field === 'PROLOG_FACTS') {
			const block = factsText(given);
			if (block !== '') fields[field] = block;
		} else if (typeof given === 'string' && given.trim() !== '' && given.trim().toLowerCase() !== 'none') {
			fields[field] = given.trim();
		}
	}
	const list = value['questions'] ?? value['QUESTIONS'];
	const questions = (Array.isArray(list) ? list.slice(0, 20) : []).flatMap(questionOf);
	return {
		fields: fields as FinalFields,
		questions,
		notes: [],
		empty: questions.length === 0 && Object.keys(fields).length === 0,
	};
}

function flag(given: unknown, yes: ReadonlySet<string>): boolean | undefined {
	if (typeof given === 'boolean') return given;
	if (typeof given === 'number') return given === 1;
	return typeof given === 'string' ? isYesWord(given, yes) : undefined;
}

/** Facts as one text or as a list; in a list each stands alone, so a missing full stop is added, and its quote goes behind. */
function factsText(given: unknown): string {
	if (typeof given === 'string') return given.trim();
	if (!Array.isArray(given)) return '';
	return given
		.slice(0, 2_000)
		.map((one: unknown) => {
			const fact = (typeof one === 'string' ? one : isRecord(one) ? String(one['fact'] ?? '') : '').trim();
			if (fact === '') return '';
			const stopped = /[.。．｡]$/.test(fact) ? fact : `${fact}.`;
			const quote = isRecord(one) && typeof one['quote'] === 'string' ? one['quote'].replace(/\s+/g, ' ').trim() : '';
			const from = isRecord(one) && typeof one['turn'] === 'string' ? `${one['turn'].slice(0, 12)} ` : '';
			return quote === '' ? stopped : `${stopped} % ${from}"${quote}"`;
		})
		.filter((line) => line !== '')
		.join('\n');
}

function questionOf(one: unknown): RawQuestion[] {
	if (typeof one === 'string')
		return one.trim() === '' ? [] : [{ dimension: undefined, text: one.trim(), kind: 'text', options: [] }];
	if (!isRecord(one)) return [];
	const said = one['text'] ?? one['question'];
	if (typeof said !== 'string' || said.trim() === '') return [];
	const given: unknown = one['options'];
	const options = (Array.isArray(given) ? given : [])
		.map((option: unknown) =>
			typeof option === 'string' ? option : isRecord(option) ? String(option['label'] ?? '') : '',
		)
		.map((option) => option.replace(/\s+/g, ' ').trim())
		.filter((option) => option !== '');
	const wanted = String(one['dimension'] ?? '').toUpperCase();
	return [
		{
			dimension: DIMENSIONS.find((dimension) => wanted.startsWith(dimension)),
			text: said.replace(/\s+/g, ' ').trim(),
			kind: options.length < 2 ? 'text' : one['kind'] === 'multi' ? 'multi' : 'single',
			options: options.length < 2 ? [] : options,
		},
	];
}
