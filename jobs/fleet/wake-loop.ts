import type { FeedStore } from '../../core/fleet/stores.ts';
import { decideWake } from '../../core/fleet/wake.ts';
import type { Leases } from '../../core/overseer/stores.ts';
import type { Log } from '../../core/ports.ts';
import type { KillSwitch } from '../kill-switch.ts';
import type { PlainWords } from './plain-words.ts';
import { readWakeScene, type WakeSceneDeps } from './wake-scene.ts';

export interface WakeLoopDeps extends WakeSceneDeps {
	readonly feed: Pick<FeedStore, 'facts' | 'onAppend'>;
	readonly leases: Leases;
	readonly plain: PlainWords;
	readonly killSwitch: Pick<KillSwitch, 'isPaused'>;
	/** Has a worker run what is due. */
	enqueue(wakeId: string | undefined): Promise<void>;
	readonly log: Log;
}

export interface WakeLoop {
	/** Looks soon, as when something happened. */
	nudge(): void;
	stop(): Promise<void>;
}

const LEASE = 'fleet-wakes';
/** Least time between two looks, whatever happens. */
const CALM_MS = 200;
/** A turn that was queued begins within this time, or is queued again. */
const QUEUED_MS = 2_000;
const LEASE_EXTRA_MS = 5_000;

/** Looks whether the concierge is to be woken: with every event, when something falls due, and with each tick. */
export function createWakeLoop(deps: WakeLoopDeps): WakeLoop {
	const { concierge, leases, log } = deps;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let nudged = false;
	let stopped = false;

	/** Gives the milliseconds until the next look. */
	async function look(): Promise<number> {
		const { tickMs } = deps.settings().concierge;
		if (!(await leases.hold(LEASE, tickMs + LEASE_EXTRA_MS))) return Math.min(tickMs, LEASE_EXTRA_MS);
		if (await deps.killSwitch.isPaused()) return QUEUED_MS;
		const { input, version } = await readWakeScene(deps);
		const result = decideWake(input);
		const { abandoned } = result;
		if (abandoned !== undefined) log.error({ wake: abandoned.id, why: abandoned.why }, 'a turn was given up');
		if (abandoned?.ask !== undefined) await deps.plain.apologise(abandoned.ask, ({ notAnswered }) => notAnswered);
		// Somebody else wrote: what they did is looked at at once.
		if (result.state !== input.state && !(await concierge.commit(version, result.state))) return CALM_MS;
		if (result.state.notice !== undefined) await deps.plain.settleNotice();
		if (result.wake === undefined) return Math.max(CALM_MS, Math.min(tickMs, result.dueAt - input.now));
		await deps.enqueue(result.wake.id);
		return QUEUED_MS;
	}

	function begin(): void {
		clearTimeout(timer);
		if (running || stopped) return;
		nudged = false;
		const startedAt = performance.now();
		let nextMs = QUEUED_MS;
		running = look()
			.then((ms) => {
				nextMs = ms;
			})
			.catch((error) => log.warn({ error }, 'the concierge was not looked after this time'))
			.finally(() => {
				running = undefined;
				if (stopped) return;
				const calmMs = Math.max(0, CALM_MS - (performance.now() - startedAt));
				timer = setTimeout(begin, nudged ? calmMs : Math.max(calmMs, nextMs));
				timer.unref();
			});
	}

	function nudge(): void {
		if (nudged || stopped) return;
		nudged = true;
		if (running) return;
		clearTimeout(timer);
		timer = setTimeout(begin, CALM_MS);
		timer.unref();
	}

	const unhear = deps.feed.onAppend(nudge);
	begin();

	return {
		nudge,
		async stop() {
			stopped = true;
			clearTimeout(timer);
			await unhear();
			await running;
			await leases.release(LEASE).catch(() => undefined);
		},
	};
}
