import type { SiteStore } from '../core/overseer/stores.ts';
import type { Log, Metrics } from '../core/ports.ts';

/** Whether an admin has paused everything, as this process sees it. */
export interface KillSwitch {
	/** As stored now. Rejects when the store is away. */
	isPaused(): Promise<boolean>;
	/** Fires when everything is paused, within a second; the one given while it is paused has fired already. */
	signal(): AbortSignal;
	/** Hears of each pause when it begins; returns its remover. */
	onPause(listener: () => void): () => void;
	/** Hears of each end of a pause; returns its remover. */
	onResume(listener: () => void): () => void;
	stop(): Promise<void>;
}

/** Half of what a pause may take, so that a word that got lost costs no more than that. */
const LOOK_EVERY_MS = 400;

/**
 * Follows the kill switch by its word and, should that get lost, by looking. A store that does not answer changes nothing:
 * without it nothing that could be paused runs anyway.
 */
export function createKillSwitch(deps: {
	site: Pick<SiteStore, 'read' | 'onChange'>;
	log: Log;
	metrics: Metrics;
	lookEveryMs?: number;
}): KillSwitch {
	const { site, log, metrics } = deps;
	const onPause = new Set<() => void>();
	const onResume = new Set<() => void>();
	const listenTo = (listeners: Set<() => void>) => (listener: () => void) => {
		listeners.add(listener);
		return () => void listeners.delete(listener);
	};
	let paused = false;
	let running = new AbortController();
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;

	function note(now: boolean): void {
		if (now === paused || stopped) return;
		paused = now;
		metrics.gauge('house_paused', now ? 1 : 0);
		log.warn({ paused: now }, now ? 'an admin paused everything' : 'the pause is over');
		if (now) running.abort(new Error('everything is paused'));
		else running = new AbortController();
		for (const listener of now ? onPause : onResume) listener();
	}

	async function look(): Promise<boolean> {
		const now = (await site.read()).paused;
		note(now);
		return now;
	}

	function next(): void {
		if (stopped) return;
		timer = setTimeout(() => {
			look()
				.catch(() => undefined)
				.finally(next);
		}, deps.lookEveryMs ?? LOOK_EVERY_MS);
		timer.unref();
	}

	const unhear = site.onChange((policy) => note(policy.paused));
	metrics.gauge('house_paused', 0);
	look()
		.catch(() => undefined)
		.finally(next);

	return {
		isPaused: look,
		signal: () => running.signal,
		onPause: listenTo(onPause),
		onResume: listenTo(onResume),
		async stop() {
			stopped = true;
			clearTimeout(timer);
			onPause.clear();
			onResume.clear();
			await unhear();
		},
	};
}
