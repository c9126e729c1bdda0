import type { HandoffPacket } from '../../core/intake/handoff-packet.ts';
import type { InboxStore } from '../../core/intake/inbox.ts';
import type { Clock } from '../../core/ports.ts';
import { jobId } from '../contracts.ts';
import type { Queues } from '../queues.ts';

export interface SinkPolicy {
	readonly name: string;
	readonly attempts: number;
	readonly backoffMs: number;
}

export interface InboxQueue {
	/** Stores the packet and queues it for every sink; the same packet again changes nothing. Rejects when it is not durable. */
	put(packet: HandoffPacket): Promise<void>;
	/** Queues one sink's delivery under its generation. */
	queue(packetId: string, sink: string, generation: number): Promise<void>;
}

/** Job id of one delivery: the same delivery is queued once. */
export function deliveryJobId(packetId: string, sink: string, generation: number): string {
	return jobId('packet', packetId, sink, String(generation));
}

/** The way into the business analyst's inbox. */
export function createInboxQueue(deps: {
	inbox: InboxStore;
	queues: Pick<Queues, 'add'>;
	sinks(): readonly SinkPolicy[];
	clock: Clock;
}): InboxQueue {
	const policyOf = (sink: string) => deps.sinks().find(({ name }) => name === sink);

	async function queue(packetId: string, sink: string, generation: number): Promise<void> {
		const { attempts, backoffMs } = policyOf(sink) ?? { attempts: 1, backoffMs: 1_000 };
		await deps.queues.add(
			'ba-inbox',
			{ packetId, sink, generation },
			{
				jobId: deliveryJobId(packetId, sink, generation),
				attempts,
				backoff: { type: 'exponential', delay: backoffMs, jitter: 0.3 },
			},
		);
	}

	return {
		queue,
		async put(packet) {
			const names = deps.sinks().map(({ name }) => name);
			const entry = await deps.inbox.put(packet, names, deps.clock.now());
			for (const { sink, state, generation } of entry.deliveries)
				if (state === 'waiting') await queue(packet.id, sink, generation);
		},
	};
}
