import type { NumberedMessage } from '../chat/message.ts';
import { isRecord, readArguments } from './reply/json-values.ts';
import type { PendingDecision } from './trigger.ts';
import type { LightView, WorldView } from './world.ts';

export type ChatVerdict =
	| { readonly kind: 'post'; readonly replyTo?: string }
	| { readonly kind: 'drop'; readonly reason: 'stale' | 'answered' };

/**
 * May the words of a decision still be posted? Unasked words not when what caused them is old. An answer always, but a late
 * one, or one with other talk in between, as a reply to the line it answers; not when every address was answered meanwhile.
 */
export function judgeChat(input: {
	readonly decision: Pick<PendingDecision, 'id' | 'addresses' | 'since' | 'newestAt' | 'trigger'>;
	/** Epoch ms. */
	readonly now: number;
	readonly staleAfterMs: number;
	/** The room as it is now, oldest first. */
	readonly messages: readonly NumberedMessage[];
	readonly ownSource?: string;
}): ChatVerdict {
	const { decision, now, staleAfterMs, messages, ownSource = 'overseer' } = input;
	if (decision.addresses.length === 0) {
		const age = now - (decision.newestAt ?? decision.since);
		return age > staleAfterMs ? { kind: 'drop', reason: 'stale' } : { kind: 'post' };
	}
	const answered = new Set(
		messages
			.filter(({ bot, source, decisionId }) => bot && source === ownSource && decisionId !== decision.id)
			.flatMap(({ replyTo }) => (replyTo === undefined ? [] : [replyTo.id])),
	);
	const open = decision.addresses.filter(({ messageId }) => !answered.has(messageId));
	const newest = open.at(-1);
	if (newest === undefined) return { kind: 'drop', reason: 'answered' };
	const seq = messages.find(({ id }) => id === newest.messageId)?.seq;
	const isBuried = seq === undefined || messages.some((line) => !line.bot && line.seq > seq);
	const isLate = now - newest.at > staleAfterMs;
	return isLate || isBuried || open.length > 1 ? { kind: 'post', replyTo: newest.messageId } : { kind: 'post' };
}

/**
 * Has what a call touches changed between the state it was decided on and now? Then the call belongs to a room that is no
 * more and is dropped. Tools that touch no thing never go stale this way.
 */
export function worldMoved(tool: string, args: unknown, before: WorldView, after: WorldView): boolean {
	if (tool.startsWith('lift_')) return before.lift?.position !== after.lift?.position;
	if (tool.startsWith('neato_'))
		return before.neato?.state !== after.neato?.state || before.neato?.error !== after.neato?.error;
	if (tool !== 'ha_set_entity' && tool !== 'ha_set_light') return false;
	const one = touchedLight(args, before);
	const two = touchedLight(args, after);
	if (one === undefined || two === undefined) return false;
	return one.state !== two.state || one.color !== two.color || one.brightnessPct !== two.brightnessPct;
}

function touchedLight(args: unknown, { lights }: WorldView): LightView | undefined {
	const read = readArguments(args);
	const raw = isRecord(read) ? (read['entity_id'] ?? read['entityId'] ?? read['entity']) : undefined;
	if (typeof raw !== 'string') return undefined;
	const key = plain(raw);
	const exact = lights.find(({ entityId }) => plain(entityId) === key);
	if (exact !== undefined) return exact;
	const alike = lights.filter(({ entityId, label, friendlyName }) =>
		[entityId.split('.')[1] ?? '', label, friendlyName ?? ''].some((name) => plain(name) === key),
	);
	return alike.length === 1 ? alike[0] : undefined;
}

function plain(text: string): string {
	return text
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
}
