import { foldSigns } from '../../chat/sanitise.ts';
import { closingIndex } from './brackets.ts';
import { looksLikeCall } from './call-likeness.ts';
import { decisionFromValue, modeWord, type RawDecision } from './decision-value.ts';
import { harmonyParts } from './harmony.ts';
import { isRecord, jsonAt } from './json-values.ts';
import { isSilence } from './silence.ts';
import { wholeTextCalls } from './text-calls.ts';
import { withoutThinking } from './thinking.ts';

/** No decision is longer; what lies behind is not read. */
const READ_MAX = 16_000;
const HEADER =
	/^\s*(?:\*\*)?(?:(?:decision|mode)\s*[:=]\s*)?(ACTION\s*\+\s*CHAT|ACTION_CHAT|SKIP|CHAT|ACTION)(?:\*\*)?\s*(?:[:\n]|-\s|$)/;

/** Reads an answer given as text; undefined when nothing in it may be used, with the reason among `notes`. */
export function readText(given: string, notes: string[]): RawDecision | undefined {
	const isLong = given.length > READ_MAX;
	if (isLong) notes.push('too_long');
	const harmony = harmonyParts(isLong ? given.slice(0, READ_MAX) : given);
	if (harmony?.calls.length) return { chat: harmony.text || undefined, calls: harmony.calls, oddCalls: 0 };
	const { text, hadThinking } = withoutThinking(harmony?.text ?? given.slice(0, READ_MAX));
	if (text === '') {
		notes.push(hadThinking || harmony !== undefined ? 'thinking_only' : 'empty');
		return undefined;
	}
	if (isSilence(text)) return { mode: 'SKIP', calls: [], oddCalls: 0 };

	const whole = wholeDecision(text);
	if (whole !== undefined) return whole;
	const calls = isLong ? undefined : wholeTextCalls(text);
	if (calls !== undefined) return { calls, oddCalls: 0 };

	const header = HEADER.exec(text);
	if (header?.[1] !== undefined) return underHeader(header[1], text.slice(header[0].length).trim(), notes);
	return fromProse(text, notes);
}

/** The text is one decision object, bare or fenced. */
function wholeDecision(text: string): RawDecision | undefined {
	const opened = text.replace(/^```[ \t]*\w{0,20}\s*/, '').trim();
	const bare = opened.endsWith('```') ? opened.slice(0, -3).trim() : opened;
	const json = jsonAt(bare, 0);
	if (json === undefined || bare.slice(json.end).trim() !== '') return undefined;
	const value = Array.isArray(json.value) && json.value.length === 1 ? json.value[0] : json.value;
	return decisionFromValue(value);
}

/** The answer names its mode on the first line. */
function underHeader(word: string, rest: string, notes: string[]): RawDecision | undefined {
	const mode = modeWord(word);
	if (mode === 'SKIP') return { mode, calls: [], oddCalls: 0 };
	if (rest === '') return { mode, calls: [], oddCalls: 0 };
	const calls = wholeTextCalls(rest);
	if (calls !== undefined) return { mode, calls, oddCalls: 0 };
	const prose = fromProse(rest, notes);
	return prose === undefined ? undefined : { ...prose, mode: prose.mode ?? mode };
}

/** Words. A decision object among them may speak, but a call among words is never run: it may be a quotation. */
function fromProse(text: string, notes: string[]): RawDecision | undefined {
	const folded = foldSigns(text);
	const brace = folded.indexOf('{');
	const json = brace < 0 ? undefined : jsonAt(folded, brace);
	if (json !== undefined && isRecord(json.value) && modeWord(json.value['mode'] ?? json.value['decision'])) {
		const inner = decisionFromValue(json.value);
		notes.push(inner?.calls.length ? 'calls_in_prose' : 'json_in_prose');
		return inner && { mode: inner.mode === 'SKIP' ? 'SKIP' : undefined, chat: inner.chat, calls: [], oddCalls: 0 };
	}
	if (/^[\s`]*(?:json\s*)?[[{]/i.test(folded) && !/^\s*\[[^\]"{]{1,60}\]\s*\S/.test(folded)) {
		const open = folded.search(/[[{]/);
		const isWhole = jsonAt(folded, open)?.end === folded.trimEnd().length;
		if (isWhole || closingIndex(folded, open) < 0 || looksLikeCall(folded)) {
			notes.push('invalid_json');
			return undefined;
		}
	}
	if (/^\s*<\/?\w[^>]{0,80}>|^\s*\[TOOL_CALLS?\]/i.test(folded) && looksLikeCall(folded)) {
		notes.push('invalid_call');
		return undefined;
	}
	if (looksLikeCall(folded)) notes.push('calls_in_prose');
	return { chat: text, calls: [], oddCalls: 0 };
}
