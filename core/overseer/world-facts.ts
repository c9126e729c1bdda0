import type { RoomSettings } from '../../config/rooms.ts';
import type { EntityState } from '../home/entity.ts';
import type { WorldEvent } from './trigger.ts';
import type { WorldView } from './world.ts';

/** One thing about the room that may change and be worth an event. */
export interface WorldFact {
	readonly key: string;
	readonly subject: string;
	readonly aspect: 'there' | 'docked' | 'control' | 'hazard' | 'error';
	/** `''` = no, none, nobody. */
	readonly value: string;
}

/** When and in which Home Assistant context a fact last changed, by its key. */
export type WorldOrigins = ReadonlyMap<string, { readonly at: number; readonly contextId: string }>;

/**
 * The facts whose changes are events. Alerts of the vacuum, switched lamps and colours are none: they are seen in the state
 * and wake nobody. While Home Assistant is away nothing is known about the rest.
 */
export function worldFacts(world: WorldView): WorldFact[] {
	const facts: WorldFact[] = [];
	const add = (subject: string, aspect: WorldFact['aspect'], value: string | boolean | undefined) => {
		if (value === undefined) return;
		facts.push({ key: `${subject}.${aspect}`, subject, aspect, value: value === true ? 'yes' : value || '' });
	};
	add('home', 'there', world.homeReady);
	for (const rover of world.rovers) {
		if (!world.homeReady && !rover.available) continue;
		add(rover.id, 'there', rover.available);
		if (!rover.available) continue;
		add(rover.id, 'docked', rover.docked);
		add(rover.id, 'control', rover.driver ?? (rover.driving ? 'somebody' : ''));
		add(rover.id, 'hazard', rover.hazard ?? '');
	}
	if (!world.homeReady) return facts;
	const { lift, neato } = world;
	if (lift) add('lift', 'there', lift.available);
	if (lift?.available)
		add('lift', 'error', lift.position === 'conflict' ? 'both directions on' : lift.stale ? 'stuck' : '');
	if (neato) add('neato', 'there', neato.connected);
	if (neato?.connected) {
		if (neato.state !== 'unknown' && neato.state !== 'error') add('neato', 'docked', neato.state === 'docked');
		add('neato', 'error', neato.error ?? (neato.state === 'error' ? 'error' : ''));
	}
	for (const { entityId, available } of world.lights) add(entityId, 'there', available);
	return facts;
}

/** Where the facts of a room come from in Home Assistant; facts from elsewhere have no entry. */
export function worldOrigins(room: RoomSettings, states: ReadonlyMap<string, EntityState>): WorldOrigins {
	const origins = new Map<string, { at: number; contextId: string }>();
	const from = (key: string, ...ids: (string | undefined)[]) => {
		for (const id of ids) {
			const state = id === undefined ? undefined : states.get(id);
			const known = origins.get(key);
			if (state === undefined || (known !== undefined && known.at >= state.lastChangedAt)) continue;
			origins.set(key, { at: state.lastChangedAt, contextId: state.contextId });
		}
	};
	for (const rover of room.rovers) {
		from(`${rover.id}.docked`, rover.dockedEntityId);
		from(`${rover.id}.control`, rover.driverEntityId, rover.drivingEntityId);
		from(`${rover.id}.hazard`, rover.hazardEntityId);
		from(`${rover.id}.there`, rover.drivingEntityId, rover.driverEntityId, rover.dockedEntityId);
	}
	const { lift, neato } = room;
	if (lift?.driver === 'cover') for (const aspect of ['there', 'error']) from(`lift.${aspect}`, lift.entityId);
	if (lift?.driver === 'switches') {
		for (const aspect of ['there', 'error']) from(`lift.${aspect}`, lift.upEntityId, lift.downEntityId);
	}
	if (neato?.driver === 'vacuum') {
		for (const aspect of ['there', 'docked']) from(`neato.${aspect}`, neato.entityId);
		from('neato.error', neato.errorEntityId ?? neato.entityId);
	}
	if (neato?.driver === 'esphome') {
		const { sensors } = neato;
		from('neato.docked', sensors.uiState, sensors.robotState, sensors.charging);
		from('neato.there', sensors.robotState, sensors.charging, sensors.error);
		from('neato.error', sensors.error);
	}
	for (const { entityId } of room.lights) from(`${entityId}.there`, entityId);
	return origins;
}

/** Kind and words of a change; undefined for changes that are none (an error or hazard that went away). */
export function describeChange(fact: WorldFact, before: string): Pick<WorldEvent, 'kind' | 'text'> | undefined {
	const { subject, value } = fact;
	switch (fact.aspect) {
		case 'there':
			return value === 'yes'
				? { kind: 'device_back', text: `${subject} is back` }
				: { kind: 'device_gone', text: `${subject} is gone` };
		case 'docked':
			return value === 'yes'
				? { kind: 'dock', text: `${subject} docked` }
				: { kind: 'undock', text: `${subject} left its dock` };
		case 'control': {
			if (value === '') return { kind: 'control', text: `${before} let go of ${subject}` };
			const from = before === '' ? '' : ` from ${before}`;
			return { kind: 'control', text: `${value} took ${subject}${from}` };
		}
		case 'hazard':
			return value === '' ? undefined : { kind: 'hazard', text: `${subject}: ${value}` };
		case 'error':
			return value === '' ? undefined : { kind: 'device_error', text: `${subject}: ${value}` };
	}
}
