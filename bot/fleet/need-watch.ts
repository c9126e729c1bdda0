import { dueCards } from '../../core/fleet/needs.ts';
import type { CardKeeper } from './cards/card-keeper.ts';
import { createReminders } from './cards/reminders.ts';
import type { FleetDeps } from './fleet-deps.ts';
import type { FleetPlace } from './fleet-place.ts';
import { type FleetScene, readFleetScene } from './fleet-scene.ts';
import type { StatusKeeper } from './status/status-keeper.ts';

export interface NeedWatchDeps extends FleetDeps {
	readonly place: FleetPlace;
	readonly cards: CardKeeper;
	readonly status: StatusKeeper;
	/** Least time between two looks, whatever happens; Discord takes about one edit a second. */
	readonly calmMs?: number;
}

/** Looks at the fleet whenever something happened: cards, reminders, status line. */
export interface NeedWatch {
	/** Looks soon. */
	nudge(): void;
	/** Messages of ours may be gone: they are looked for with the next look. */
	doubt(): void;
	stop(): Promise<void>;
}

const CALM_MS = 1_000;
/** When nothing is due: events, presses and the upkeep come before. */
const IDLE_MS = 60_000;
const TROUBLE_MS = 5_000;

export function createNeedWatch(deps: NeedWatchDeps): NeedWatch {
	const { ports, cards, status, settings, clock, log } = deps;
	const calmMs = deps.calmMs ?? CALM_MS;
	const remind = createReminders(deps);
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let isNudged = false;
	let isDoubted = true;
	let isStopped = false;
	let lookedAt = Number.NEGATIVE_INFINITY;

	const safely = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> => {
		try {
			return await work();
		} catch (error) {
			log.warn({ error }, what);
			isNudged = true;
			return undefined;
		}
	};

	/** Cards that code posts by now. Gives when the next one is due, epoch ms. */
	const postDue = async (scene: FleetScene): Promise<number | undefined> => {
		const { fleet } = settings();
		const { post, dueAt } = dueCards({
			needs: scene.needs,
			shown: new Set(scene.cards.map(({ id }) => id)),
			concierge: scene.concierge,
			model: ports.price(),
			settings: fleet,
			now: clock.now(),
		});
		for (const need of post) {
			const written = await safely('a card could not be posted; tried again', () => cards.post(need));
			if (written !== 'written') return Math.min(dueAt ?? Number.POSITIVE_INFINITY, clock.now() + TROUBLE_MS);
		}
		return dueAt;
	};

	/** Gives the milliseconds until the next look. */
	const look = async (): Promise<number> => {
		if (!deps.client()?.isReady()) return TROUBLE_MS;
		const before = await readFleetScene(ports);
		if (isDoubted) {
			isDoubted = false;
			status.doubt();
			await cards.verify(before);
		}
		const dueAt = await postDue(before);
		await cards.bringAllUp(before);
		const remindAt = await safely('reminders were not looked at this time', () => remind(before));
		await safely('the status of the fleet could not be shown', () => status.show(before));
		const next = Math.min(dueAt ?? Number.POSITIVE_INFINITY, remindAt ?? Number.POSITIVE_INFINITY);
		return Math.min(IDLE_MS, Math.max(0, next - clock.now()));
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
		doubt() {
			isDoubted = true;
			nudge();
		},
		async stop() {
			isStopped = true;
			clearTimeout(timer);
			await running;
		},
	};
}
