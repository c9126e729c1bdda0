import { dueCards } from '../../core/fleet/needs.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { EditDropped } from '../edit-pace.ts';
import type { CardKeeper, DoubtedMessages } from './cards/card-keeper.ts';
import type { FleetDeps } from './fleet-deps.ts';
import type { FleetPlace } from './fleet-place.ts';
import { type FleetScene, readFleetScene } from './fleet-scene.ts';
import type { StatusKeeper } from './status/status-keeper.ts';

export interface NeedWatchDeps extends FleetDeps {
	readonly place: FleetPlace;
	readonly cards: CardKeeper;
	readonly status: StatusKeeper;
	/** Least time between two looks, whatever happens. */
	readonly calmMs?: number;
}

/** Looks at the fleet whenever something happened: cards and the status line. Reminders come over the outbox. */
export interface NeedWatch {
	/** Looks soon. */
	nudge(): void;
	/** These messages may be gone: those that are ours are looked for with the next look. */
	doubt(messageIds: DoubtedMessages): void;
	stop(): Promise<void>;
}

const CALM_MS = 1_000;
/** When nothing is due: events, presses and the upkeep come before. */
const IDLE_MS = 60_000;
const TROUBLE_MS = 2_000;
const REFUSED_MS = 30_000;
/** Discord takes about one message a second; between some of them everything else is looked at too. */
const CARDS_AT_ONCE = 5;

export function createNeedWatch(deps: NeedWatchDeps): NeedWatch {
	const { ports, cards, status, settings, clock, log } = deps;
	const calmMs = deps.calmMs ?? CALM_MS;
	let timer: NodeJS.Timeout | undefined;
	let statusTimer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let isNudged = false;
	let doubted: DoubtedMessages = 'all';
	/** Cards that were not taken, and until when they are left alone, epoch ms. */
	const refusedUntil = new Map<string, number>();
	let isStopped = false;
	let lookedAt = Number.NEGATIVE_INFINITY;

	/** Cards that code posts by now. Gives when the next one is due, epoch ms. */
	const postDue = async (scene: FleetScene): Promise<number> => {
		const now = clock.now();
		const due = dueCards({
			needs: scene.needs,
			shown: new Set(scene.cards.map(({ id }) => id)),
			concierge: scene.concierge,
			model: ports.price(),
			settings: settings().fleet,
			now,
		});
		let next = due.dueAt ?? Number.POSITIVE_INFINITY;
		const post = due.post.filter(({ id }) => now >= (refusedUntil.get(id) ?? 0));
		for (const need of post.slice(0, CARDS_AT_ONCE)) {
			if (isStopped) break;
			try {
				if ((await cards.post(need)) === 'written') continue;
				// The place is closed for all of them.
				return Math.min(next, now + TROUBLE_MS);
			} catch (error) {
				// One that Discord does not take must not hold up the others.
				log.warn({ error, needId: need.id }, 'a card could not be posted; tried again');
				const againMs = toDiscordFailure(error).isPermanent ? REFUSED_MS : TROUBLE_MS;
				if (refusedUntil.size > 1_000) refusedUntil.clear();
				refusedUntil.set(need.id, now + againMs);
				next = Math.min(next, now + againMs);
			}
		}
		return post.length > CARDS_AT_ONCE ? now : next;
	};

	/** Gives the milliseconds until the next look. */
	const look = async (): Promise<number> => {
		if (!deps.client()?.isReady()) return TROUBLE_MS;
		const scene = await readFleetScene(ports);
		if (doubted === 'all' || doubted.size > 0) {
			const messageIds = doubted;
			doubted = new Set();
			status.doubt();
			await cards.verify(scene, messageIds);
		}
		const dueAt = await postDue(scene);
		// Edits take their turns meanwhile: a card that is new must not wait for all that are old.
		cards.bringAllUp(scene);
		await status.look(scene);
		status.write().catch(againAfter);
		return Math.min(IDLE_MS, Math.max(0, dueAt - clock.now()));
	};

	const againAfter = (error: unknown) => {
		if (isStopped || error instanceof EditDropped) return;
		log.warn({ error }, 'the status of the fleet could not be shown; tried again');
		clearTimeout(statusTimer);
		statusTimer = setTimeout(nudge, TROUBLE_MS);
	};

	const begin = () => {
		clearTimeout(timer);
		if (running !== undefined || isStopped) return;
		isNudged = false;
		lookedAt = clock.now();
		let nextMs = TROUBLE_MS;
		running = look()
			.then((ms) => {
				nextMs = ms;
			})
			.catch((error: unknown) => log.warn({ error }, 'the fleet was not looked at this time'))
			.finally(() => {
				running = undefined;
				if (isStopped) return;
				timer = setTimeout(begin, isNudged ? calmMs : Math.max(calmMs, nextMs));
			});
	};

	const nudge = () => {
		if (isNudged || isStopped) return;
		isNudged = true;
		if (running !== undefined) return;
		clearTimeout(timer);
		timer = setTimeout(begin, Math.max(0, lookedAt + calmMs - clock.now()));
	};

	return {
		nudge,
		doubt(messageIds) {
			if (messageIds === 'all') doubted = 'all';
			else if (doubted !== 'all') doubted = new Set([...doubted, ...messageIds]);
			nudge();
		},
		async stop() {
			isStopped = true;
			clearTimeout(timer);
			clearTimeout(statusTimer);
			await running;
		},
	};
}
