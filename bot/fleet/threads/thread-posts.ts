import type { AnyThreadChannel, Message } from 'discord.js';
import { splitText } from '../../../core/chat/split.ts';
import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import { bare } from '../../../core/fleet/quote.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { CLOSED_MENTIONS, nonceOf } from '../../relay/outgoing.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetPlace } from '../fleet-place.ts';
import { plainText } from '../plain-text.ts';
import type { ThreadHome } from './thread-home.ts';

/** Whether an event is something that a session says to people. */
function isSaid(event: FeedEvent): boolean {
	return event.kind === 'message' && event.cause.role === 'session' && event.sessionId === event.cause.whoId;
}

/** Whether an event holds the last words of a run: the answer to whoever wrote to the session. */
function isLastWords(event: FeedEvent): boolean {
	return (
		event.kind === 'finished' && typeof event.data?.['words'] === 'string' && event.sessionId === event.cause.whoId
	);
}

/** Whether an event is something that the concierge relays into a session. */
function isRelayed(event: FeedEvent): boolean {
	return event.kind === 'concierge_sent' && event.sessionId !== undefined;
}

/** Whether an event is to be read in a thread. */
export function isForThread(event: FeedEvent): boolean {
	return isSaid(event) || isLastWords(event) || isRelayed(event);
}

/** What a session said, as posts in its thread: its name, then its words; they ping nobody and hide no address. */
export function saidPosts(event: FeedEvent): { readonly messages: readonly string[]; readonly file?: string } {
	const { words } = event.data ?? {};
	const text = typeof words === 'string' && words.trim() !== '' ? words : event.text;
	const open = text.replace(/\]\((?=\s*<?[a-z][a-z0-9+.-]*:)/gi, '] (');
	return splitText(`**${bare(event.sessionName ?? 'session', 60)}:**\n${open}`);
}

/** Nothing can be shown there now; operators were told. */
class ChannelShut extends Error {
	readonly code = 'fleet_channel_shut';
}

/** How far back is looked for what may stand already: some hundred posts. */
const PAGES_MAX = 5;
const PAGE = 100;
/** Clocks of Discord and of whoever reports may differ. */
const CLOCKS_MS = 5_000;

/**
 * Posts what sessions say in their threads; what may stand there already is looked for first. Rejects when Discord or the
 * store is away, and then it comes again.
 */
export function createThreadPosts(
	deps: FleetDeps & { readonly place: Pick<FleetPlace, 'words' | 'channel'>; readonly home: ThreadHome },
): (event: FeedEvent, mayStand: boolean) => Promise<void> {
	const { ports, place, home, log, metrics } = deps;

	const postsOf = (event: FeedEvent): ReturnType<typeof saidPosts> =>
		isSaid(event) || isLastWords(event)
			? saidPosts(event)
			: { messages: [`${place.words()('fleet.thread.relayed')}\n${plainText(event.text, 1_500)}`] };

	const post = async (thread: AnyThreadChannel, event: FeedEvent, mayStand: boolean) => {
		const { messages, file } = postsOf(event);
		const standing = mayStand ? await standingIn(thread, event.at) : new Set<string>();
		for (const [index, content] of messages.entries()) {
			if (standing.has(content.trim())) continue;
			const isLast = index === messages.length - 1;
			await thread.send({
				content,
				nonce: nonceOf(`fleet-said:${event.seq}:${event.at}`, index),
				enforceNonce: true,
				allowedMentions: CLOSED_MENTIONS,
				...(file !== undefined && isLast
					? { files: [{ name: 'continued.md', attachment: Buffer.from(file, 'utf8') }] }
					: {}),
			});
		}
		metrics.count('discord_sends_total', { outcome: 'fleet_said' });
	};

	const standingIn = async (thread: AnyThreadChannel, since: number) => {
		const found = new Set<string>();
		let before: string | undefined;
		for (let page = 0; page < PAGES_MAX; page += 1) {
			const options = { limit: PAGE, cache: false, ...(before === undefined ? {} : { before }) };
			const recent = await thread.messages.fetch(options);
			const isSince = ({ createdTimestamp }: Message) => createdTimestamp >= since - CLOCKS_MS;
			for (const message of recent.values())
				if (message.author.id === thread.client.user.id && isSince(message)) found.add(message.content.trim());
			const oldest = recent.last();
			if (recent.size < PAGE || oldest === undefined || !isSince(oldest)) break;
			before = oldest.id;
		}
		return found;
	};

	return async (event, mayStand) => {
		const { sessionId } = event;
		if (sessionId === undefined) return;
		const { session } = await ports.sessions.load(sessionId, [], []);
		if (session === undefined) return;
		// A muted one opens nothing, neither a thread nor an archived one again; nor does what others say to a session, nor
		// the end of a run, which the parent message shows.
		const isQuiet = session.muted === true || !isSaid(event);
		const thread = isQuiet ? await home.find(sessionId) : await home.open(sessionId);
		if (thread === undefined) {
			// As long as the channel takes nothing at all the words wait for it.
			if (!isQuiet && (await place.channel()) === undefined) throw new ChannelShut('the fleet channel takes no posts');
			return;
		}
		if (session.muted === true && thread.archived === true) return;
		const giveUp = (reason: string) => {
			log.warn({ sessionId, seq: event.seq, reason }, 'what a session said cannot be posted');
			deps.onWarning(
				`fleet-thread:${sessionId}:${reason}`,
				`What the session ${bare(session.name, 60)} says cannot be posted in <#${thread.id}> (${reason}); \`/log\` has it. Repair: unlock the thread, or let me write there.`,
			);
		};
		if (thread.locked === true && !thread.manageable) return giveUp('locked');
		try {
			await post(thread, event, mayStand);
		} catch (error) {
			const { isPermanent, reason } = toDiscordFailure(error);
			if (!isPermanent) throw error;
			giveUp(reason);
		}
	};
}
