import { type RoomSettings, roomSettings } from '../../../../config/rooms.ts';
import { type EntityState, isAvailable } from '../../../../core/home/entity.ts';
import { T0 } from './room-fixture.ts';

export function roomOf(change: Record<string, unknown> = {}): RoomSettings {
	return roomSettings.parse({ id: 'den', title: 'Den', channelId: '123456789012345678', ...change });
}

/** An entity whose state is as old as `forSeconds` at T0. */
export function entity(
	entityId: string,
	state: string,
	attributes: Record<string, unknown> = {},
	forSeconds = 3_600,
	contextId = 'ctx',
): EntityState {
	return {
		entityId,
		state,
		attributes,
		available: isAvailable(entityId, state, attributes),
		lastChangedAt: T0 - forSeconds * 1_000,
		lastUpdatedAt: T0 - forSeconds * 1_000,
		contextId,
	};
}

export function statesOf(...entities: readonly EntityState[]): Map<string, EntityState> {
	return new Map(entities.map((state) => [state.entityId, state]));
}

export const READY = { connected: true, phase: 'ready' } as const;
