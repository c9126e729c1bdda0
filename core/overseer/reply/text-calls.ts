import { PARAMETERS } from '../../tooling/parameters.ts';
import type { DecisionCall } from '../decision.ts';
import { closingIndex } from './brackets.ts';
import { callOf, callsFromValue, LIST_KEYS } from './call-values.ts';
import { codeArguments } from './code-arguments.ts';
import { isRecord, jsonAt } from './json-values.ts';
import { markupArguments } from './markup-arguments.ts';
import { toolWord } from './tool-word.ts';

interface Piece {
	readonly calls: readonly DecisionCall[];
	readonly end: number;
}

const SPECIAL_TOKEN = /<[|｜][^|｜<>]{0,40}[|｜]>|\[\/?TOOL_CALLS?\]|\[ARGS\]|\[CALL_ID\][\w-]{0,40}|\bfunctools\b/giu;
const SEPARATORS = /[\s,;]*/y;
const FENCE = /```[ \t]*[\w-]{0,20}[ \t]*\n?/y;
const FENCE_END = /\s*(?:```)?/y;
const WRAPPER = /<(tool_calls?|function_calls?|functioncall|tool_use|tools?|tool_code|calls?|action|invoke_tool)\s*>/iy;
const NAMED_TAG =
	/<(?:function|invoke|tool|tool_call|functioncall)\s*(?:=\s*|\s+name\s*=\s*)["']?([\w.:-]{1,80})["']?\s*(\/?)>/iy;
const TOOL_TAG = /<(\w{1,40})\s*(\/?)>/y;
const PARENTHESISED = /\(\s*([A-Za-z_][\w.:-]{0,80})\s*(?=[{)])/y;
const CODE =
	/(?:print\s*\(\s*|await\s+|function\s+|(?:final )?action\s*:\s*|tool\s*:\s*|calling\s+|[-*•]\s+)?`?([A-Za-z_][\w.:-]{0,80})`?\s*/iy;
const ACTION_INPUT = /action[ _]input\s*:\s*/iy;

/**
 * The calls of a text that is nothing but calls, in any of the dresses in which models print them; undefined when anything
 * else is in it, because a call inside prose may be a quotation.
 */
export function wholeTextCalls(given: string, depth = 0): DecisionCall[] | undefined {
	if (depth > 3) return undefined;
	const calls: DecisionCall[] = [];
	const text = given.replace(SPECIAL_TOKEN, ' ');
	let at = 0;
	while (true) {
		at = skip(SEPARATORS, text, at);
		if (at >= text.length) break;
		const piece = pieceAt(text, at, depth);
		if (piece === undefined || piece.end <= at) return undefined;
		calls.push(...piece.calls);
		at = piece.end;
	}
	return calls.length > 0 ? calls : undefined;
}

function pieceAt(text: string, at: number, depth: number): Piece | undefined {
	const sign = text[at];
	if (sign === '{' || sign === '[') return jsonCalls(text, at);
	if (sign === '`') return fenced(text, at, depth) ?? codeCall(text, at);
	if (sign === '<') return wrapped(text, at, depth) ?? namedTag(text, at, depth) ?? toolTag(text, at);
	if (sign === '(') return parenthesised(text, at);
	return codeCall(text, at);
}

function jsonCalls(text: string, at: number): Piece | undefined {
	const json = jsonAt(text, at);
	if (json === undefined) return undefined;
	const direct = callsFromValue(json.value);
	if (direct !== undefined) return { calls: direct, end: json.end };
	if (!isRecord(json.value)) return undefined;
	const keys = Object.keys(json.value);
	const listKey = LIST_KEYS.find((key) => keys.length === 1 && key === keys[0]);
	const listed = listKey === undefined ? undefined : callsFromValue(json.value[listKey]);
	return listed === undefined ? undefined : { calls: listed, end: json.end };
}

function fenced(text: string, at: number, depth: number): Piece | undefined {
	const opened = match(FENCE, text, at);
	if (opened === undefined) return undefined;
	const start = at + opened[0].length;
	const close = text.indexOf('```', start);
	const calls = wholeTextCalls(text.slice(start, close < 0 ? text.length : close), depth + 1);
	return calls === undefined ? undefined : { calls, end: close < 0 ? text.length : close + 3 };
}

function wrapped(text: string, at: number, depth: number): Piece | undefined {
	const opened = match(WRAPPER, text, at);
	if (opened === undefined) return undefined;
	const start = at + opened[0].length;
	const { inner, end } = until(text, start, `</${opened[1]}`);
	const calls = wholeTextCalls(inner, depth + 1);
	return calls === undefined ? undefined : { calls, end };
}

function namedTag(text: string, at: number, depth: number): Piece | undefined {
	const opened = match(NAMED_TAG, text, at);
	if (opened?.[1] === undefined) return undefined;
	const start = at + opened[0].length;
	if (opened[2] === '/') return { calls: [callOf(opened[1], {})], end: start };
	const tag = /^<(\w+)/.exec(opened[0])?.[1] ?? '';
	const { inner, end } = until(text, start, `</${tag}`);
	const json = depth < 3 ? jsonAt(inner.trim(), 0) : undefined;
	return { calls: [callOf(opened[1], json?.value ?? markupArguments(inner))], end };
}

function toolTag(text: string, at: number): Piece | undefined {
	const opened = match(TOOL_TAG, text, at);
	const name = opened?.[1];
	if (opened === undefined || name === undefined || toolWord(name) === undefined) return undefined;
	const start = at + opened[0].length;
	if (opened[2] === '/') return { calls: [callOf(name, {})], end: start };
	const { inner, end } = until(text, start, `</${name}`);
	return { calls: [callOf(name, jsonAt(inner.trim(), 0)?.value ?? markupArguments(inner))], end };
}

/** Text up to a closing tag and the index after it; a tag that is never closed ends with the text. */
function until(text: string, start: number, closer: string): { inner: string; end: number } {
	const close = text.indexOf(closer, start);
	if (close < 0) return { inner: text.slice(start), end: text.length };
	const bracket = text.indexOf('>', close);
	return { inner: text.slice(start, close), end: bracket < 0 ? text.length : bracket + 1 };
}

function parenthesised(text: string, at: number): Piece | undefined {
	const name = match(PARENTHESISED, text, at)?.[1];
	const end = name !== undefined && toolWord(name) ? closingIndex(text, at) : -1;
	if (name === undefined || end < 0) return undefined;
	const brace = text.indexOf('{', at);
	const json = brace >= 0 && brace < end ? jsonAt(text, brace) : undefined;
	return { calls: [callOf(name, json?.value ?? {})], end };
}

function codeCall(text: string, at: number): Piece | undefined {
	const opened = match(CODE, text, at);
	const name = opened?.[1];
	const tool = name === undefined ? undefined : toolWord(name);
	if (opened === undefined || name === undefined || tool === undefined) return undefined;
	let next = at + opened[0].length;
	next = skip(ACTION_INPUT, text, next);
	if (text[next] === ':') next += 1 + (/^\s*/.exec(text.slice(next + 1, next + 20))?.[0].length ?? 0);
	const closeWrapper = /^print\s*\(/i.test(opened[0]) ? /[`\s]*\)?/y : /`?/y;
	if (text[next] === '(') {
		const end = closingIndex(text, next);
		const names = PARAMETERS[tool].map((parameter) => parameter.name);
		const args = end < 0 ? undefined : codeArguments(text.slice(next + 1, end - 1), names);
		return args === undefined ? undefined : { calls: [callOf(name, args)], end: skip(closeWrapper, text, end) };
	}
	const fence = match(FENCE, text, next)?.[0].length ?? 0;
	const json = jsonAt(text, next + fence);
	if (json !== undefined) {
		return { calls: [callOf(name, json.value)], end: fence > 0 ? skip(FENCE_END, text, json.end) : json.end };
	}
	const isBare = next >= text.length || /[\n,;<]/.test(text[next - 1] ?? '') || /[\n,;<]/.test(text[next] ?? '');
	return isBare ? { calls: [callOf(name, {})], end: next } : undefined;
}

function match(rule: RegExp, text: string, at: number): RegExpExecArray | undefined {
	rule.lastIndex = at;
	return rule.exec(text) ?? undefined;
}

function skip(rule: RegExp, text: string, at: number): number {
	return at + (match(rule, text, at)?.[0].length ?? 0);
}
