import type { Home } from '../../core/home/home-port.ts';
import type { Clock, Metrics } from '../../core/ports.ts';

/** The same home with its calls counted and timed, and its reconnections counted. */
export function createMeteredHome(home: Home, metrics: Metrics, clock: Clock): Home {
	let wasLost = false;
	home.onStatus(({ phase }) => {
		if (phase === 'lost') wasLost = true;
		if (phase === 'ready' && wasLost) {
			wasLost = false;
			metrics.count('home_reconnects_total');
		}
	});
	return {
		...home,
		async call(request) {
			const startedAt = clock.now();
			const result = await home.call(request);
			const { domain } = request;
			metrics.count('home_calls_total', { domain, outcome: result.kind });
			metrics.observe('home_call_seconds', Math.max(0, clock.now() - startedAt) / 1_000, { domain });
			return result;
		},
	};
}
