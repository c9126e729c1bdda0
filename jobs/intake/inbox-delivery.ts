import { UnrecoverableError } from 'bullmq';
import type { HandoffPacket } from '../../core/intake/handoff-packet.ts';
import type { InboxSink, InboxStore, SinkOutcome } from '../../core/intake/inbox.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { SurfaceOutbox } from '../../core/intake/surface.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { JobPayload } from '../contracts.ts';
import { outlastStore } from '../outlast-store.ts';
import type { Attempt } from '../worker.ts';

/** A try that failed and is made again by the queue. */
class DeliveryFailed extends Error {
	override readonly name = 'DeliveryFailed';
	readonly code = 'delivery_failed';
}

export interface InboxDeliveryDeps {
	inbox: InboxStore;
	audit: IntakeAudit;
	surface: Pick<SurfaceOutbox, 'add'>;
	sinks(): readonly InboxSink[];
	clock: Clock;
	log: Log;
	metrics: Metrics;
}

/** Brings a packet to one sink. At least once: a worker that dies after the sink took it brings it again, under the same id. */
export function createInboxDelivery(
	deps: InboxDeliveryDeps,
): (payload: JobPayload<'ba-inbox'>, signal: AbortSignal, attempt: Attempt) => Promise<string> {
	const { inbox, clock, log, metrics } = deps;

	async function tell(sessionId: string, packetId: string, sink: string, generation: number): Promise<void> {
		await deps.surface.add(sessionId, 'discord', {
			id: `${packetId}:dead:${sink}:${generation}`,
			kind: 'notify_admin',
			code: 'undeliverable',
			detail: `${packetId} to ${sink}`,
		});
	}

	return async ({ packetId, sink: name, generation }, signal, attempt) => {
		const entry = await inbox.entry(packetId);
		const delivery = entry?.deliveries.find(({ sink }) => sink === name);
		if (!entry || delivery?.state !== 'waiting' || delivery.generation !== generation) return 'nothing to do';
		const sink = deps.sinks().find((item) => item.name === name);
		const packet = await inbox.packet(packetId);
		const outcome = await bring(sink, packet, signal);
		if (!outcome.ok && signal.aborted) throw new DeliveryFailed('this process is shutting down');

		const isOver = outcome.ok || outcome.permanent || attempt.number >= attempt.of;
		const state = outcome.ok ? 'delivered' : isOver ? 'dead' : 'waiting';
		const problem = outcome.ok ? {} : { problem: outcome.problem };
		const at = clock.now();
		// The sink has it: a store that is away for a moment is no reason to bring it again.
		await outlastStore(() => inbox.settle(packetId, name, { state, ...problem }, at), signal);
		metrics.count('intake_deliveries_total', { outcome: state });
		log.info({ packet: packetId, sink: name, state, attempt: attempt.number, ...problem }, 'delivery');
		if (!isOver) throw new DeliveryFailed(outcome.ok ? '' : outcome.problem);
		await deps.audit.append({
			id: `${packetId}:${name}:${generation}:${state}`,
			sessionId: entry.sessionId,
			entry: { what: 'delivery', packetId, sink: name, outcome: state, at },
		});
		if (outcome.ok) return 'delivered';
		await tell(entry.sessionId, packetId, name, generation);
		throw new UnrecoverableError(`set aside: ${outcome.problem}`);
	};
}

async function bring(
	sink: InboxSink | undefined,
	packet: HandoffPacket | undefined,
	signal: AbortSignal,
): Promise<SinkOutcome> {
	if (!sink) return { ok: false, permanent: true, problem: 'this place is not in the settings any more' };
	if (!packet) return { ok: false, permanent: true, problem: 'the content is gone or cannot be read' };
	try {
		return await sink.deliver(packet, signal);
	} catch (error) {
		return { ok: false, permanent: false, problem: error instanceof Error ? error.name : 'unknown trouble' };
	}
}
