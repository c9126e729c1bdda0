import { closingIndex } from '../overseer/reply/brackets.ts';
import { TOOL_NAMES } from '../tooling/tool-name.ts';

const TOOL = TOOL_NAMES.join('|');
const TOOL_WRAPPER =
	/<\/?\s{0,4}(tool_calls?|function_calls?|functioncall|function|invoke|tool_use|tool_code|tools?|parameter|parameters|arguments)\b[^<>]{0,200}>/iu;
const TOOL_CALL = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${TOOL})\\s{0,2}\\(`, 'iu');
const TAG = /<\/?[A-Za-z!][^<>\n]{0,120}>/gu;

export interface Stripped {
	readonly text: string;
	/** Something was taken out. */
	readonly hadMarkup: boolean;
}

/** Takes code fences, objects, tags and printed calls out of a line; words around them stay. Linear in the text. */
export function withoutMarkup(given: string): Stripped {
	let text = withoutFences(given);
	text = withoutWrappers(text);
	text = withoutObjects(text);
	text = withoutCalls(text).replace(TAG, ' ');
	return { text, hadMarkup: text !== given };
}

function withoutFences(text: string): string {
	const parts = text.split(/`{3,}|~{3,}/);
	return parts.filter((_, index) => index % 2 === 0).join(' ');
}

/** From a tool tag to its closing tag; one that is never closed takes the rest along. */
function withoutWrappers(text: string): string {
	let rest = text;
	let kept = '';
	for (let round = 0; round < 20; round += 1) {
		const open = TOOL_WRAPPER.exec(rest);
		if (open === null) return kept + rest;
		kept += `${rest.slice(0, open.index)} `;
		const after = rest.slice(open.index + open[0].length);
		if (open[0].startsWith('</')) {
			rest = after;
			continue;
		}
		const close = after.toLowerCase().indexOf(`</${(open[1] ?? '').toLowerCase()}`);
		if (close < 0) return kept;
		const end = after.indexOf('>', close);
		rest = end < 0 ? '' : after.slice(end + 1);
	}
	return kept;
}

function withoutObjects(text: string): string {
	let kept = '';
	let from = 0;
	for (let round = 0; round < 50; round += 1) {
		const open = text.indexOf('{', from);
		if (open < 0) return (kept + text.slice(from)).replaceAll('}', ' ');
		const end = closingIndex(text, open);
		kept += `${text.slice(from, open)} `;
		if (end < 0) {
			// A short stray brace is a typo, an unclosed object is a broken answer.
			if (/^\{\s*["'\w]/u.test(text.slice(open, open + 20))) return kept.replaceAll('}', ' ');
			from = open + 1;
		} else from = end;
	}
	return kept;
}

function withoutCalls(text: string): string {
	let rest = text;
	for (let round = 0; round < 20; round += 1) {
		const tool = TOOL_CALL.exec(rest);
		const call = tool === null ? codeCall(rest) : { start: tool.index, open: tool.index + tool[0].length - 1 };
		if (call === undefined) return rest;
		const end = closingIndex(rest, call.open);
		rest = `${rest.slice(0, call.start)} ${end < 0 ? '' : rest.slice(end)}`;
	}
	return '';
}

/** The first call in code style, `some_thing(` or `some.thing(`; looked for backwards from each bracket, so never slowly. */
function codeCall(text: string): { start: number; open: number } | undefined {
	for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
		const before = text.slice(Math.max(0, open - 90), open);
		const name = /[A-Za-z][\w.]{1,80}\s{0,2}$/u.exec(before);
		if (name !== null && /[a-z0-9][._][a-z]/iu.test(name[0])) return { start: open - name[0].length, open };
	}
	return undefined;
}
