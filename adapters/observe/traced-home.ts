import type { Home } from '../../core/home/home-port.ts';
import type { Log } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';

/** The same home with every command as a step and a line in the log: the last that is known of a message's effect. */
export function createTracedHome(home: Home, tracer: Tracer, log: Log): Home {
	return {
		...home,
		call(request) {
			const { domain, service } = request;
			return tracer.step('home.call', { kind: 'client', attributes: { domain, service } }, async (step) => {
				const result = await home.call(request);
				const end = { outcome: result.kind, ...(result.kind === 'ok' && { contextId: result.contextId }) };
				step.note(end);
				log.info({ domain, service, ...end }, 'a command went to the house');
				return result;
			});
		},
	};
}
