import type { OverseerSettings } from '../../config/overseer.ts';
import type { ModelReply } from '../model/model-port.ts';
import type { Decision, DecisionCall, DecisionMode } from './decision.ts';
import { ruleCalls } from './reply/call-rules.ts';
import { callOf } from './reply/call-values.ts';
import { decisionFromValue, type RawDecision } from './reply/decision-value.ts';
import { isRecord } from './reply/json-values.ts';
import { readText } from './reply/reply-text.ts';
import { isSilence } from './reply/silence.ts';

export type NormalisableReply = Pick<ModelReply, 'text' | 'structured' | 'calls' | 'stop'> &
	Partial<Pick<ModelReply, 'truncated'>>;

/**
 * Turns whatever a model answered into one decision. Never throws; takes time linear in the answer. Output that cannot be
 * understood is `SKIP` with a note saying why. Calls to tools that are blocked or unknown stay in it: refusing them is the
 * executor's task, which puts them on record.
 */
export function normaliseDecision(reply: NormalisableReply, settings: OverseerSettings): Decision {
	if (reply.truncated) return silent('prompt_cut');
	if (reply.stop === 'refusal') return silent('refusal');
	const native = reply.calls.map((call) => callOf(String(call.name ?? ''), call.arguments));
	if (reply.stop === 'length') return cutShort(reply.text, native);

	const notes: string[] = [];
	const read = isRecord(reply.structured) ? decisionFromValue(reply.structured) : undefined;
	const isSpeechless = native.length > 0 && reply.text.trim() === '';
	const raw = read ?? (isSpeechless ? undefined : readText(reply.text, notes));
	if (raw === undefined && native.length === 0) return silent(...(notes.length > 0 ? notes : ['empty']));
	const merged: RawDecision = {
		mode: native.length > 0 ? undefined : raw?.mode,
		chat: raw?.chat,
		calls: [...native, ...(raw?.calls ?? [])],
		oddCalls: raw?.oddCalls ?? 0,
	};
	return decide(merged, settings.decision.maxToolCalls, notes);
}

function silent(...notes: string[]): Decision {
	return { mode: 'SKIP', calls: [], notes };
}

/** Applies the rules that hold for every provider and shape. */
function decide(raw: RawDecision, maxCalls: number, notes: string[]): Decision {
	if (raw.oddCalls > 0) notes.push('odd_call');
	const { said, others } = foldChat(raw.calls);
	const words = [raw.chat ?? '', ...said].map((text) => text.trim()).filter((text) => text !== '');
	const chat = words.find((text) => !isSilence(text));
	if (new Set(words).size > 1) notes.push('many_chats');

	if (raw.mode === 'SKIP') {
		if (chat !== undefined || others.length > 0) notes.push('skip_with_content');
		return { mode: 'SKIP', calls: [], notes, ...refusedBecause(others, 'mode_without_action') };
	}
	if (raw.mode === 'CHAT' && others.length > 0) {
		// Said to be words only; acting would be the riskier reading.
		notes.push('chat_with_calls');
		return { ...finish(chat, [], notes), ...refusedBecause(others, 'mode_without_action') };
	}
	const ruled = ruleCalls(others, maxCalls);
	notes.push(...ruled.notes);
	if (raw.mode?.startsWith('ACTION') && others.length === 0) notes.push('action_without_call');
	return { ...finish(chat, ruled.calls, notes), ...(ruled.refused.length > 0 ? { refused: ruled.refused } : {}) };
}

function finish(chat: string | undefined, calls: readonly DecisionCall[], notes: string[]): Decision {
	const mode: DecisionMode =
		calls.length > 0 ? (chat === undefined ? 'ACTION' : 'ACTION+CHAT') : chat === undefined ? 'SKIP' : 'CHAT';
	return { mode, ...(chat === undefined ? {} : { chat }), calls, notes };
}

function refusedBecause(calls: readonly DecisionCall[], reason: 'mode_without_action' | 'truncated') {
	return calls.length === 0 ? {} : { refused: calls.map((call) => ({ ...call, reason })) };
}

/** `chat_say` is speech like any other: its words join the chat and it is no call any more. */
function foldChat(calls: readonly DecisionCall[]): { said: string[]; others: DecisionCall[] } {
	const others = calls.filter(({ tool }) => tool !== 'chat_say');
	const said = calls
		.filter(({ tool }) => tool === 'chat_say')
		.map(({ args }) => {
			if (typeof args === 'string') return args;
			if (!isRecord(args)) return '';
			const words = args['text'] ?? args['message'] ?? args['chat'] ?? args['content'];
			return typeof words === 'string' ? words : '';
		});
	return { said, others };
}

/** An answer cut at the output limit: no call of it is ever run; whole sentences of plain words may stay. */
function cutShort(text: string, native: readonly DecisionCall[]): Decision {
	const notes = ['truncated'];
	const raw = readText(text, []);
	const looksPlain = raw?.chat !== undefined && raw.calls.length === 0 && raw.chat === text.trim();
	const sentences = looksPlain ? /^[\s\S]*[.!?…](?=\s|$)/u.exec(text.slice(0, 4_000))?.[0].trim() : undefined;
	const refused = refusedBecause([...native, ...(raw?.calls ?? [])], 'truncated');
	return { ...finish(sentences === '' ? undefined : sentences, [], notes), ...refused };
}
