import type { OverseerSettings } from '../../config/overseer.ts';
import { type RoomSettings, roomEntityIds } from '../../config/rooms.ts';
import type { Home } from '../../core/home/home-port.ts';
import type { RoomStore } from '../../core/overseer/room-store.ts';
import type { SitePolicy } from '../../core/overseer/site.ts';
import type { RoomNudges, SiteStore, StatusStore, Throttle } from '../../core/overseer/stores.ts';
import type { WorldEvent } from '../../core/overseer/trigger.ts';
import type { WorldView } from '../../core/overseer/world.ts';
import { FRESH_WORLD_MEMORY, observeWorld, siteEvents, type WorldMemory } from '../../core/overseer/world-events.ts';
import { worldOrigins } from '../../core/overseer/world-facts.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { RoomScenes } from './room-scene.ts';

/** Presses of the lock button within this time are one. */
const BUTTON_REST_MS = 1_000;

export interface WorldWatchDeps {
	rooms(): readonly RoomSettings[];
	settings(): OverseerSettings;
	home: Home;
	scenes: RoomScenes;
	store: RoomStore;
	/** Where processes without a line to the house read what stands in a room. */
	worlds: StatusStore<WorldView>;
	nudges: RoomNudges;
	site: SiteStore;
	throttle: Throttle;
	clock: Clock;
	log: Log;
}

/**
 * Turns changes of the house into events of its rooms. Every worker watches; an event seen by several has one id and is
 * stored once. Returns the remover.
 */
export function startWorldWatch(deps: WorldWatchDeps): () => Promise<void> {
	const { home, clock, log } = deps;
	const memories = new Map<string, WorldMemory>();
	const timers = new Map<string, NodeJS.Timeout>();
	const busy = new Map<string, Promise<void>>();
	let stopped = false;

	const record = async (roomId: string, events: readonly WorldEvent[]): Promise<void> => {
		for (const event of events) {
			if (await deps.store.addEvent(roomId, event)) await deps.nudges.send(roomId).catch(() => undefined);
		}
	};

	const look = async (room: RoomSettings): Promise<void> => {
		const world = await deps.scenes.world(room);
		const seen = observeWorld(memories.get(room.id) ?? FRESH_WORLD_MEMORY, world, {
			room: room.id,
			now: clock.now(),
			debounceMs: deps.settings().gate.debounceMs,
			origins: worldOrigins(room, home.states()),
		});
		// Remembered only once the events are stored: while Redis is away, the next look finds them again.
		await record(room.id, seen.events);
		await deps.worlds.write(room.id, world);
		memories.set(room.id, seen.memory);
		clearTimeout(timers.get(room.id));
		if (seen.dueAt === undefined || stopped) return;
		const again = setTimeout(() => lookSoon(room), Math.max(20, seen.dueAt - clock.now()));
		again.unref();
		timers.set(room.id, again);
	};

	const lookSoon = (room: RoomSettings): void => {
		if (stopped) return;
		const next = (busy.get(room.id) ?? Promise.resolve())
			.then(() => look(room))
			.catch((error: Error) => {
				log.warn({ room: room.id, error }, 'a look at the house was not stored; the next one sees it too');
				const again = setTimeout(() => lookSoon(room), 2_000);
				again.unref();
				timers.set(room.id, again);
			});
		busy.set(room.id, next);
	};

	const roomsWith = (entityId: string) => deps.rooms().filter((room) => roomEntityIds(room).includes(entityId));

	const toggleLock = async (pressedAt: number): Promise<void> => {
		if (!(await deps.throttle.once(`lock-button-${pressedAt}`, 60_000))) return;
		if (!(await deps.throttle.once('lock-button', BUTTON_REST_MS))) return;
		const policy = await deps.site.read();
		await deps.site.setLightsLock(policy.lightsLock === 'none' ? 'on' : 'none');
	};

	const stopChanges = home.onChange(({ entityId, before, after }) => {
		for (const room of roomsWith(entityId)) {
			lookSoon(room);
			// Nothing that happened, but heartbeats come sooner while somebody is there.
			if (room.presenceEntityIds.includes(entityId) && before?.state !== after?.state)
				deps.store
					.markDue(room.id, clock.now())
					.catch((error: Error) => log.debug({ room: room.id, error }, 'presence is noticed at the next look'));
			const pressed = entityId === room.lightsLockButtonEntityId && before && after && before.state !== after.state;
			if (pressed && after.available && before.available)
				toggleLock(after.lastUpdatedAt).catch((error: Error) => log.error({ error }, 'lock button had no effect'));
		}
	});
	const stopStatus = home.onStatus(() => {
		for (const room of deps.rooms()) lookSoon(room);
	});
	// Connected before anybody listened: without a first look now, the first change would be the first look.
	if (home.status().connected) for (const room of deps.rooms()) lookSoon(room);

	let policy: SitePolicy | undefined;
	const policyKnown = deps.site.read().then((now) => {
		policy ??= now;
	});
	policyKnown.catch((error: Error) => log.warn({ error }, 'site policy not read at start'));
	const stopSite = deps.site.onChange((now) => {
		const events = policy ? siteEvents(policy, now, clock.now()) : [];
		policy = now;
		for (const room of deps.rooms()) {
			record(room.id, events)
				.then(() => deps.store.markDue(room.id, clock.now()))
				.then(() => deps.nudges.send(room.id))
				.catch((error: Error) => log.warn({ room: room.id, error }, 'change of policy not told to the room'));
		}
	});

	return async () => {
		stopped = true;
		stopChanges();
		stopStatus();
		for (const timer of timers.values()) clearTimeout(timer);
		await stopSite();
		await Promise.allSettled(busy.values());
	};
}
