import type { ModelReply } from '../model/model-port.ts';
import { isRecord, jsonAt, readArguments } from '../overseer/reply/json-values.ts';
import { withoutThinking } from '../overseer/reply/thinking.ts';
import type { ProposedHubCall } from './hub-call.ts';

export type HubReply =
	| {
			readonly kind: 'turn';
			readonly say: string;
			readonly calls: readonly ProposedHubCall[];
			readonly isPlain: boolean;
	  }
	/** The answer reached its length limit: no call of it counts. `say`: whole sentences of plain words, if there are. */
	| { readonly kind: 'cut'; readonly say: string }
	| { readonly kind: 'refusal' }
	| { readonly kind: 'empty' }
	/** Looks like a turn and cannot be read as one. */
	| { readonly kind: 'broken' };

const READ_MAX = 24_000;
const CALLS_MAX = 8;

/**
 * What a model answered, whatever its shape: the object that was asked for, native calls, the object in a fence or in the
 * midst of words, or plain words. Why it stopped is looked at first: half a call is no call.
 */
export function readHubReply(reply: Pick<ModelReply, 'text' | 'structured' | 'calls' | 'stop'>): HubReply {
	if (reply.stop === 'refusal') return { kind: 'refusal' };
	const { text } = withoutThinking(reply.text.slice(0, READ_MAX));
	if (reply.stop === 'length') return { kind: 'cut', say: /[{[]|```/.test(text) ? '' : wholeSentences(text) };
	const native = reply.calls.map((call) => ({ tool: String(call.name ?? ''), args: readArguments(call.arguments) }));
	const structured = isRecord(reply.structured) ? turnOf(reply.structured) : undefined;
	if (structured !== undefined) return turn(structured.say, [...native, ...structured.calls], false);
	if (text === '') return native.length > 0 ? turn('', native, false) : { kind: 'empty' };
	const found = objectIn(text);
	if (found !== undefined) return turn(found.say, [...native, ...found.calls], false);
	// An object that was begun and cannot be read is damage; it must never be shown as words.
	if (/^\s*(?:```\w*\s*)?[{[]/.test(text) || /"(?:calls|tool|args)"\s*:/.test(text)) {
		return native.length > 0 ? turn('', native, false) : { kind: 'broken' };
	}
	return turn(text, native, true);
}

function turn(say: string, calls: readonly ProposedHubCall[], isPlain: boolean): HubReply {
	return { kind: 'turn', say: say.trim(), calls: calls.slice(0, CALLS_MAX), isPlain };
}

interface RawTurn {
	readonly say: string;
	readonly calls: readonly ProposedHubCall[];
}

function turnOf(value: Readonly<Record<string, unknown>>): RawTurn | undefined {
	const listed = value['calls'] ?? value['tool_calls'];
	const said = value['say'] ?? value['answer'] ?? value['text'];
	if (typeof value['tool'] === 'string') return { say: typeof said === 'string' ? said : '', calls: [callOf(value)] };
	if (listed === undefined && typeof said !== 'string') return undefined;
	const list = Array.isArray(listed) ? listed : isRecord(listed) ? [listed] : [];
	return { say: typeof said === 'string' ? said : '', calls: list.filter(isRecord).map(callOf) };
}

function callOf(value: Readonly<Record<string, unknown>>): ProposedHubCall {
	const inner = isRecord(value['function']) ? value['function'] : value;
	const name = inner['tool'] ?? inner['name'];
	const args = inner['args'] ?? inner['arguments'] ?? inner['parameters'];
	if (args !== undefined) return { tool: String(name ?? ''), args: readArguments(args) };
	// Arguments laid flat beside the name.
	const { tool: _, name: __, type: ___, ...flat } = inner;
	return { tool: String(name ?? ''), args: flat };
}

/** The object that the whole text is, bare or fenced. One amid other words is a quotation, unless it is the only one. */
function objectIn(text: string): RawTurn | undefined {
	const start = text.indexOf('{');
	if (start < 0) return undefined;
	const piece = jsonAt(text, start);
	if (piece === undefined || !isRecord(piece.value)) return undefined;
	const around = `${text.slice(0, start)}${text.slice(piece.end)}`.replace(/```\w*/g, '').trim();
	const read = turnOf(piece.value);
	if (read === undefined) return undefined;
	if (around === '') return read;
	// Words around it: they may explain it, or quote it. Nothing is called on the strength of a quotation.
	return read.calls.length === 0 ? read : undefined;
}

function wholeSentences(text: string): string {
	return (/^[\s\S]*[.!?…](?=\s|$)/u.exec(text.slice(0, 8_000))?.[0] ?? '').trim();
}
