import type { AnyThreadChannel, Client, Message } from 'discord.js';
import type { DeliveryResult } from '../../../core/fleet/session-control.ts';
import type { Translate } from '../../catalogue.ts';
import { snowflakeTime } from '../../snowflake.ts';
import { inline } from '../../views/view.ts';

/** How something that a person put into a session stands, as the line about it says. */
export type LineState = 'sending' | DeliveryResult;

const ICONS = { sending: '⏳', queued: '📨', delivered: '✅', failed: '❌' } as const;

/** Words behind the icon. */
function stateText(state: LineState, isInterrupt: boolean, t: Translate): string {
	if (state === 'sending') return `${ICONS.sending} ${t('fleet.thread.line.sending')}`;
	if (state.kind === 'queued')
		return `${ICONS.queued} ${t(isInterrupt ? 'fleet.thread.line.urgent' : 'fleet.thread.line.queued')}`;
	if (state.kind === 'delivered') return `${ICONS.delivered} ${t('fleet.thread.line.delivered')}`;
	return `${ICONS.failed} ${t('fleet.thread.line.failed', { why: inline(state.why, 300) })}`;
}

/** Under a person's own message: only how it stands. */
export function replyLine(state: LineState, isInterrupt: boolean, t: Translate, note?: string): string {
	return `${note === undefined ? '' : `-# ${note}\n`}-# ${isInterrupt ? '⚡ ' : ''}${stateText(state, isInterrupt, t)}`;
}

/** For what was sent by a command: who sent what, and how it stands. `head` is one of our texts, `words` are theirs. */
export function commandLine(
	command: {
		readonly head: string;
		readonly interactionId: string;
		readonly words: string;
		readonly isInterrupt: boolean;
	},
	state: LineState,
	t: Translate,
): string {
	const quote = command.words === '' ? '' : `\n${command.words.replace(/^/gm, '> ')}`;
	return `${command.head} ${timeOf(command.interactionId)}${quote}\n${replyLine(state, command.isInterrupt, t)}`;
}

function timeOf(interactionId: string): string {
	return `<t:${Math.floor(snowflakeTime(interactionId) / 1_000)}:T>`;
}

/** The same line with another state. */
export function withState(text: string, state: LineState, t: Translate): string {
	const lines = text.split('\n');
	const last = lines.pop() ?? '';
	const isInterrupt = last.startsWith('-# ⚡ ');
	return [...lines, replyLine(state, isInterrupt, t)].join('\n');
}

/** Whether the line still says that it is being sent: whoever wrote it has not come to its end. */
export function isSending(text: string): boolean {
	return (text.split('\n').at(-1) ?? '').includes(ICONS.sending);
}

/** Where an item of the inbox came from: a message in the thread, a command, or a form that wrote no line of its own. */
export interface ItemOrigin {
	readonly kind: 'message' | 'command' | 'form';
	readonly id: string;
}

const KINDS = { m: 'message', c: 'command', f: 'form' } as const;

export function originOf(itemId: string): ItemOrigin | undefined {
	const found = /^([mcf])-(\d{17,20})$/.exec(itemId);
	if (found === null) return undefined;
	return { kind: KINDS[found[1] as keyof typeof KINDS], id: found[2] ?? '' };
}

/** Our line about an item, found by what it answers or by its time; no store has to remember it. */
export async function findLine(
	client: Client,
	thread: AnyThreadChannel,
	origin: ItemOrigin,
): Promise<Message | undefined> {
	if (origin.kind === 'form') return undefined;
	const later = await thread.messages.fetch({ after: origin.id, limit: 100, cache: false });
	const time = timeOf(origin.id);
	return later.find(
		({ author, reference, content }) =>
			author.id === client.user?.id &&
			(origin.kind === 'message'
				? reference?.messageId === origin.id && content.startsWith('-# ')
				: reference === null && content.split('\n')[0]?.endsWith(time) === true),
	);
}
