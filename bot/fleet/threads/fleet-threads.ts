import { type Client, Events, type Message } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../../core/fleet/outbox.ts';
import type { Clock, Log } from '../../../core/ports.ts';
import { EditDropped } from '../../edit-pace.ts';
import { snowflakeTime } from '../../snowflake.ts';
import { createPersonDoor } from '../door/person-door.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetPlace } from '../fleet-place.ts';
import { createFeedFollower } from './feed-follower.ts';
import { isSessionThread } from './session-thread.ts';
import { createThreadHome, type ThreadHome } from './thread-home.ts';
import { createThreadMail, type ThreadMail } from './thread-mail.ts';
import { createThreadPosts, isForThread } from './thread-posts.ts';

/** Threads of sessions: what sessions say to people, and what people say to them. */
export interface FleetThreads {
	readonly home: ThreadHome;
	readonly mail: ThreadMail;
	/** Whether a message stands in a thread of ours. */
	isIn(message: Message): boolean;
	showDelivery(item: Extract<OutboxItem, { kind: 'delivery' }>): Promise<OutboxShown>;
	attach(client: Client): void;
	start(): void;
	/** Never rejects. */
	catchUp(): Promise<void>;
	upkeep(): void;
	stop(): Promise<void>;
}

/** A thread this young may not be noted yet. */
const TOO_YOUNG_MS = 10_000;
/** Between two looks at one header. */
const HEADER_GAP_MS = 1_500;
/** A message to a session is waited for, however long we were away. */
const MAIL_LIMITS = { maxAgeMs: 30 * 86_400_000, maxMessages: 400 };

export function createFleetThreads(deps: FleetDeps & { readonly place: FleetPlace }): FleetThreads {
	const { ports, clock, log } = deps;
	const home = createThreadHome(deps);
	const mail = createThreadMail({ ...deps, home });
	const headers = createHeaderQueue(home, clock, log);

	const isOurThread = ({ channel, client }: Message) =>
		channel.isThread() && channel.ownerId === client.user?.id && channel.parentId === deps.settings().fleet.channelId;

	const take = async (message: Message<true>) => {
		const sessionId = await home.sessionOf(message.channelId);
		if (sessionId !== undefined) return mail.take(message, sessionId);
		if (clock.now() - snowflakeTime(message.channelId) < TOO_YOUNG_MS) throw new Error('not a session thread yet');
		if (await isSessionThread(message.channel)) return mail.takeGone(message);
	};

	const door = createPersonDoor({
		...deps,
		concerns: isOurThread,
		take,
		startsAt: (threadId) => threadId,
		limits: () => MAIL_LIMITS,
		onCut: (channelId) =>
			deps.onWarning(
				`fleet:cut:${channelId}`,
				`More was written in <#${channelId}> while I was away than I read again; the oldest messages there are left out.`,
			),
	});

	const follower = createFeedFollower({
		...deps,
		feed: ports.feed,
		places: ports.places,
		isAway: () => !deps.client()?.isReady(),
		isShown: isForThread,
		show: createThreadPosts({ ...deps, home }),
		touch: headers.touch,
		onMissed: (count) =>
			deps.onWarning(
				'fleet:feed-missed',
				`${count} events of the fleet were dropped before they could be shown in threads, as more happened than \`fleet.feed\` keeps.`,
			),
	});

	/** Threads that are open; an archived one was not written in, or its message opened it again. */
	const openThreads = (): string[] => {
		const { channelId } = deps.settings().fleet;
		const client = deps.client();
		if (client === undefined || channelId === undefined) return [];
		return client.channels.cache
			.filter((one) => one.isThread() && one.parentId === channelId && one.ownerId === client.user?.id)
			.map(({ id }) => id);
	};

	return {
		home,
		mail,
		isIn: isOurThread,
		showDelivery: mail.showDelivery,
		attach(client) {
			door.attach(client);
			client.on(Events.ChannelUpdate, (_before, channel) => {
				if (channel.id !== deps.settings().fleet.channelId) return;
				deps.place.reopen(channel.id);
				follower.nudge();
			});
		},
		start: follower.start,
		async catchUp() {
			door.forgetPlaces();
			follower.nudge();
			try {
				for (const threadId of openThreads())
					if ((await home.sessionOf(threadId)) !== undefined) await door.catchUp(threadId);
				// What changed while nobody looked at the feed, as with a cleared one.
				headers.touch(new Set((await ports.places.places()).map(({ sessionId }) => sessionId)));
			} catch (error) {
				log.warn({ error }, 'threads of sessions could not be caught up with; each is with its next message');
			}
		},
		upkeep: follower.nudge,
		async stop() {
			await follower.stop();
			await door.stop();
			await headers.stop();
		},
	};
}

/** Headers to be looked at, each at most once in a while. */
function createHeaderQueue(home: Pick<ThreadHome, 'refresh'>, clock: Clock, log: Log) {
	const timers = new Map<string, NodeJS.Timeout>();
	const lastAt = new Map<string, number>();
	const inHand = new Set<Promise<void>>();
	let isStopped = false;

	const look = (sessionId: string) => {
		timers.delete(sessionId);
		lastAt.set(sessionId, clock.now());
		if (lastAt.size > 5_000) lastAt.clear();
		const work = home
			.refresh(sessionId)
			.catch((error: unknown) => {
				if (error instanceof EditDropped) return;
				log.info({ error, sessionId }, 'a header could not be brought up to date; tried again');
				later(sessionId, 5_000);
			})
			.finally(() => inHand.delete(work));
		inHand.add(work);
	};

	const later = (sessionId: string, afterMs: number) => {
		if (isStopped || timers.has(sessionId)) return;
		timers.set(sessionId, setTimeout(look, afterMs, sessionId));
	};

	return {
		touch(sessionIds: ReadonlySet<string>) {
			for (const id of sessionIds)
				later(id, Math.max(0, (lastAt.get(id) ?? -HEADER_GAP_MS) + HEADER_GAP_MS - clock.now()));
		},
		async stop() {
			isStopped = true;
			for (const timer of timers.values()) clearTimeout(timer);
			await Promise.all(inHand);
		},
	};
}
