import type { InboxStore } from '../../core/intake/inbox.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { IntakeWork } from '../../core/intake/intake-work.ts';
import type { Leases } from '../../core/overseer/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';

export interface TickDeps {
	work: IntakeWork;
	inbox: InboxStore;
	audit: IntakeAudit;
	leases: Leases;
	wake(sessionId: string): Promise<void>;
	carryOut(sessionId: string, effectId: string): Promise<void>;
	/** Makes sure that a delivery that waits has its job. */
	revive(packetId: string, sink: string, generation: number): Promise<void>;
	clock: Clock;
	log: Log;
	everyMs?: number;
	/** How often is looked for conversations past their time and for packets without a job. */
	tidyEveryMs?: number;
}

const EVERY_MS = 500;
const TIDY_EVERY_MS = 30_000;
const BATCH = 200;
const EFFECT_AGAIN_MS = 5_000;
const LEASE = 'intake-ticks';

/**
 * Wakes sessions whose time has come, finds what lost its worker or its job, and deletes what is past its time. One process
 * at a time does this; a wake-up too many is harmless.
 */
export function startTickLoop(deps: TickDeps): { stop(): Promise<void> } {
	const { work, clock, log } = deps;
	const everyMs = deps.everyMs ?? EVERY_MS;
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;
	let tidiedAt = Number.NEGATIVE_INFINITY;
	let running = Promise.resolve();

	async function tidy(now: number): Promise<void> {
		for (const id of await work.purge(now)) {
			log.info({ session: id }, 'the conversation was deleted: its time is over');
			await deps.audit.append({
				id: `${id}:purged`,
				sessionId: id,
				entry: { what: 'privacy', act: 'purged', by: 'retention', at: now },
			});
		}
		for (const { packetId, deliveries } of await deps.inbox.list({ state: 'waiting', limit: 500 }))
			for (const { sink, state, generation } of deliveries)
				if (state === 'waiting') await deps.revive(packetId, sink, generation);
	}

	async function tick(): Promise<void> {
		if (!(await deps.leases.hold(LEASE, everyMs * 4 + 4_000))) return;
		const now = clock.now();
		for (const id of await work.due(now, BATCH)) await deps.wake(id);
		for (const { sessionId, effectId } of await work.idleEffects(now, BATCH, EFFECT_AGAIN_MS))
			await deps.carryOut(sessionId, effectId);
		if (now - tidiedAt < (deps.tidyEveryMs ?? TIDY_EVERY_MS)) return;
		tidiedAt = now;
		await tidy(now);
	}

	function next(): void {
		if (stopped) return;
		timer = setTimeout(() => {
			running = tick()
				.catch((error) => log.warn({ error }, 'intakes were not looked after this time'))
				.finally(next);
		}, everyMs);
		timer.unref();
	}
	next();

	return {
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await running;
			await deps.leases.release(LEASE).catch(() => undefined);
		},
	};
}
