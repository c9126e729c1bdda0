import type { SurfaceName } from '../../../core/intake/surface.ts';

/**
 * Names of the keys of all intakes. They share one hash tag: a step changes the session, its queue, what is to be done and
 * the lists of what is due, all at once.
 */
export function createIntakeKeys(prefix: string) {
	const key = (part: string, id?: string): string => `{${prefix}:intake}:v1:${part}${id === undefined ? '' : `:${id}`}`;
	return {
		session: (id: string) => key('session', id),
		/** Events that wait, oldest first, as `<seq> <sealed>`. */
		events: (id: string) => key('events', id),
		/** Names of events that were handed in. */
		seen: (id: string) => key('seen', id),
		/** Effects for workers: id to sealed effect. */
		work: (id: string) => key('work', id),
		/** Who has such an effect in hand: id to `<until> <claim>`. */
		claims: (id: string) => key('claims', id),
		/** Items for people, oldest first, as `<id> <sealed>`. */
		out: (surface: SurfaceName, id: string) => key(`out-${surface}`, id),
		/** Ids of all items that were ever put out. */
		outIds: (id: string) => key('out-ids', id),
		calls: (id: string) => key('calls', id),
		due: key('due'),
		effects: key('effects'),
		showing: (surface: SurfaceName) => key(`showing-${surface}`),
		deletion: key('deletion'),
		all: key('all'),
		requester: (id: string) => key('requester', id),
		threads: key('threads'),
		once: (id: string) => key('once', id),
		audit: key('audit'),
		auditIds: key('audit-ids'),
		packet: (id: string) => key('packet', id),
		packets: key('packets'),
		nonce: (id: string) => key('nonce', id),
	};
}

export type IntakeKeys = ReturnType<typeof createIntakeKeys>;
