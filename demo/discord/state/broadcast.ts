/** Who may hear of an event before intents are looked at. */
export type EventScope =
	| { kind: 'guild' }
	| { kind: 'channel'; channelId: string }
	| { kind: 'users'; userIds: readonly string[]; channelId?: string };

/** Something that happened, under its gateway name. The payload depends on who looks (own reactions, own membership). */
export interface WorldEvent {
	type: string;
	scope: EventScope;
	render(viewerId: string): object;
}

export interface Broadcast {
	publish(event: WorldEvent): void;
	/** Returns the function that ends the subscription. */
	subscribe(listener: (event: WorldEvent) => void): () => void;
}

export function createBroadcast(): Broadcast {
	const listeners = new Set<(event: WorldEvent) => void>();
	return {
		publish: (event) => {
			for (const listener of [...listeners]) listener(event);
		},
		subscribe: (listener) => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
}
