import type { HandoffPacket } from './handoff-packet.ts';

/** How far one sink of the inbox is with a packet. */
export type DeliveryState = 'waiting' | 'delivered' | 'dead';

export interface Delivery {
	readonly sink: string;
	readonly state: DeliveryState;
	readonly attempts: number;
	/** Last failure, one short line without addresses or content. */
	readonly problem?: string;
	readonly updatedAt: number;
	/** Grows with each replay; part of the job's id. */
	readonly generation: number;
}

/** A packet in the inbox of the business analyst. */
export interface InboxEntry {
	readonly packetId: string;
	readonly sessionId: string;
	readonly projectName: string;
	/** Hash of the packet's canonical JSON. */
	readonly hash: string;
	readonly at: number;
	readonly deliveries: readonly Delivery[];
	/** False once everything was delivered and the content was deleted. */
	readonly hasContent: boolean;
}

/** Packets that wait for the business analyst, encrypted, until every sink has them. */
export interface InboxStore {
	/** Stores the packet for these sinks; the same id again changes nothing. */
	put(packet: HandoffPacket, sinks: readonly string[], now: number): Promise<InboxEntry>;
	entry(packetId: string): Promise<InboxEntry | undefined>;
	/** Undefined when it was deleted after delivery, never stored, or cannot be read. */
	packet(packetId: string): Promise<HandoffPacket | undefined>;
	/** Records an outcome. The content goes once every sink has it. */
	settle(
		packetId: string,
		sink: string,
		outcome: { readonly state: DeliveryState; readonly problem?: string },
		now: number,
	): Promise<InboxEntry | undefined>;
	/** Makes a sink that is dead or done wait again; undefined when there is nothing left to send. */
	replay(packetId: string, sink: string, now: number): Promise<InboxEntry | undefined>;
	/** Newest first. */
	list(filter: { readonly state?: DeliveryState; readonly limit: number }): Promise<readonly InboxEntry[]>;
}

/** How a sink failed. `permanent`: trying again changes nothing. */
export type SinkOutcome =
	| { readonly ok: true }
	| { readonly ok: false; readonly permanent: boolean; readonly problem: string };

/** One place that packets are brought to. Doing it twice for one packet id must be harmless. */
export interface InboxSink {
	readonly name: string;
	deliver(packet: HandoffPacket, signal: AbortSignal): Promise<SinkOutcome>;
}
