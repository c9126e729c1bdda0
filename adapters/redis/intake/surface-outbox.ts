import { z } from 'zod';
import type { IntakeStore } from '../../../core/intake/intake-store.ts';
import type {
	Showing,
	Shown,
	SurfaceItem,
	SurfaceItems,
	SurfaceName,
	SurfaceOutbox,
} from '../../../core/intake/surface.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { createIntakeKeys } from './intake-keys.ts';
import { PUT_OUT, SHOWN, sessionKeys, TAKE_DUE } from './intake-scripts.ts';
import type { Sealer } from './sealer.ts';

export interface SurfaceLimits {
	/** One process has a session's items to itself for so long. */
	readonly claimMs: number;
	/** How often is looked without a nudge. */
	readonly everyMs: number;
	readonly firstRetryMs: number;
	readonly lastRetryMs: number;
	/** Sessions shown side by side. */
	readonly parallel: number;
}

const LIMITS: SurfaceLimits = {
	claimMs: 20_000,
	everyMs: 2_000,
	firstRetryMs: 1_000,
	lastRetryMs: 60_000,
	parallel: 16,
};

export function createSurfaceOutbox(deps: {
	redis: RedisConnection;
	stored: Stored;
	sealer: Sealer;
	store: Pick<IntakeStore, 'load'>;
	limits?: SurfaceLimits;
}): SurfaceOutbox & SurfaceItems {
	const { redis, stored, sealer, store } = deps;
	const limits = deps.limits ?? LIMITS;
	const keys = createIntakeKeys(redis.prefix);
	const topic = redis.keys.topic('intake-move');

	function readItem(
		sessionId: string,
		surface: SurfaceName,
		line: string,
	): { id: string; item: SurfaceItem | undefined } {
		const space = line.indexOf(' ');
		const id = line.slice(0, space);
		try {
			return { id, item: JSON.parse(sealer.open(line.slice(space + 1), `${sessionId}|effect|${id}`)) };
		} catch {
			stored.report(keys.out(surface, sessionId), 'an item cannot be read');
			return { id, item: undefined };
		}
	}

	async function takeOff(sessionId: string, surface: SurfaceName, itemId: string): Promise<boolean> {
		const until = redis.now() + limits.claimMs;
		return (await redis.run(SHOWN, sessionKeys(keys, sessionId), [sessionId, surface, itemId, until])) === 1;
	}

	const postpone = (sessionId: string, surface: SurfaceName, ms: number) =>
		redis.ask((client) => client.zadd(keys.showing(surface), 'XX', redis.now() + ms, sessionId));

	return {
		async add(sessionId, surface, item) {
			const sealed = sealer.seal(JSON.stringify(item), `${sessionId}|effect|${item.id}`);
			await redis.run(PUT_OUT, sessionKeys(keys, sessionId), [sessionId, surface, item.id, sealed, redis.now(), topic]);
		},

		async items(sessionId, surface) {
			const lines = await redis.ask((client) => client.lrange(keys.out(surface, sessionId), 0, -1));
			return lines.map((line) => readItem(sessionId, surface, line));
		},

		consume(surface, show) {
			const log = redis.log.child({ surface });
			const failures = new Map<string, number>();
			const busy = new Set<string>();
			const running = new Set<Promise<void>>();
			let stopped = false;
			let looking = false;
			let again = false;

			/** True: shown, take it off. False: this session waits. */
			async function showOne(showing: Showing): Promise<boolean> {
				let shown: Shown;
				try {
					shown = await show(showing);
				} catch (error) {
					const count = (failures.get(showing.item.id) ?? 0) + 1;
					if (failures.size > 10_000) failures.clear();
					failures.set(showing.item.id, count);
					const afterMs = Math.min(limits.firstRetryMs * 2 ** (count - 1), limits.lastRetryMs);
					log.warn({ session: showing.sessionId, item: showing.item.id, count, error }, 'not shown; tried again');
					await postpone(showing.sessionId, surface, afterMs);
					return false;
				}
				failures.delete(showing.item.id);
				if (shown.kind === 'later') {
					await postpone(showing.sessionId, surface, shown.afterMs);
					return false;
				}
				if (shown.kind === 'dropped')
					log.warn({ session: showing.sessionId, item: showing.item.id, reason: shown.reason }, 'cannot be shown');
				return true;
			}

			async function showAll(sessionId: string): Promise<void> {
				for (;;) {
					if (stopped) {
						// Nothing is under way here: another process may go on at once.
						await postpone(sessionId, surface, 0);
						return;
					}
					const line = await redis.ask((client) => client.lindex(keys.out(surface, sessionId), 0));
					if (line === null) {
						await takeOff(sessionId, surface, '');
						return;
					}
					const { id, item } = readItem(sessionId, surface, line);
					if (item) {
						const loaded = await store.load(sessionId);
						const session = 'session' in loaded ? loaded.session : undefined;
						if (!(await showOne({ item, session, sessionId }))) return;
					}
					if (!(await takeOff(sessionId, surface, id))) return;
				}
			}

			async function look(): Promise<void> {
				if (stopped) return;
				if (looking) {
					again = true;
					return;
				}
				looking = true;
				try {
					do {
						again = false;
						const room = limits.parallel - busy.size;
						if (room <= 0) break;
						const now = redis.now();
						const found = await redis.run(TAKE_DUE, [keys.showing(surface)], [now, room, now + limits.claimMs]);
						for (const sessionId of z.array(z.string()).parse(found)) begin(sessionId);
					} while (again && !stopped);
				} catch (error) {
					if (!stopped) log.warn({ error }, 'the outbox cannot be read; tried again');
				} finally {
					looking = false;
				}
			}

			function begin(sessionId: string): void {
				if (busy.has(sessionId)) return;
				busy.add(sessionId);
				const work = showAll(sessionId)
					.catch((error) => log.warn({ session: sessionId, error }, 'showing was broken off; tried again'))
					.finally(() => {
						busy.delete(sessionId);
						running.delete(work);
						void look();
					});
				running.add(work);
			}

			const timer = setInterval(() => void look(), limits.everyMs);
			timer.unref();
			const unhear = redis.topics.listen(
				topic,
				() => void look(),
				() => void look(),
			);
			void look();
			return async () => {
				stopped = true;
				clearInterval(timer);
				await unhear();
				await Promise.allSettled([...running]);
			};
		},
	};
}
