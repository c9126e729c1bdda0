import type { Home } from '../../core/home/home-port.ts';
import type { SiteMode } from '../../core/overseer/site.ts';
import type { SiteStore } from '../../core/overseer/stores.ts';
import type { Metrics } from '../../core/ports.ts';

const SITE_MODES: readonly SiteMode[] = ['open', 'admin', 'lockdown'];

type Collector = () => Promise<void>;

interface CountedQueue {
	readonly name: string;
	getJobCounts(...states: ('waiting' | 'active' | 'delayed' | 'failed')[]): Promise<Record<string, number>>;
}

/** Jobs of each queue by state. */
export function collectQueues(metrics: Metrics, queues: readonly CountedQueue[]): Collector {
	return async () => {
		await Promise.all(
			queues.map(async (queue) => {
				const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
				for (const [state, count] of Object.entries(counts))
					metrics.gauge('majordomo_queue_depth', count, { queue: queue.name, state });
			}),
		);
	};
}

/** Whether Redis answers, and its memory. `info` gives the memory section of INFO and rejects while Redis is away. */
export function collectRedis(metrics: Metrics, info: () => Promise<string>): Collector {
	return async () => {
		metrics.gauge('redis_connected', 0);
		const used = /^used_memory:(\d+)/m.exec(await info())?.[1];
		metrics.gauge('redis_connected', 1);
		if (used !== undefined) metrics.gauge('redis_memory_bytes', Number(used));
	};
}

/** What admins set for the whole house. */
export function collectSite(metrics: Metrics, site: Pick<SiteStore, 'read'>): Collector {
	return async () => {
		const policy = await site.read();
		metrics.gauge('house_paused', policy.paused ? 1 : 0);
		for (const mode of SITE_MODES) metrics.gauge('house_mode', policy.mode === mode ? 1 : 0, { mode });
	};
}

/** Whether Home Assistant is there, and how many of the configured entities it lacks. */
export function collectHome(
	metrics: Metrics,
	home: Pick<Home, 'status' | 'states'>,
	entityIds: readonly string[],
): Collector {
	return async () => {
		const { connected } = home.status();
		metrics.gauge('home_connected', connected ? 1 : 0);
		if (!connected) return;
		const states = home.states();
		metrics.gauge('home_entities_missing', entityIds.filter((id) => !states.has(id)).length);
	};
}
