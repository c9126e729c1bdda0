import { z } from 'zod';
import { entityId, milliseconds, slug, snowflake } from './primitives.ts';

const label = z.string().min(1).max(40);

/** A lamp, or an outlet that a lamp hangs on. `show: color` prints the colour's name instead of on/off. */
const light = z.strictObject({
	entityId: entityId.refine((id) => /^(light|switch)\./.test(id), 'a light.* or switch.* entity'),
	label,
	show: z.enum(['state', 'color']).default('state'),
});

const liftCover = z.strictObject({
	driver: z.literal('cover'),
	entityId: entityId.refine((id) => id.startsWith('cover.'), 'a cover.* entity'),
	travelMs: milliseconds.min(1_000).default(25_000),
});

/** Two switches, one a direction: never both on, and a pause between them for the relay and the motor. */
const liftSwitches = z.strictObject({
	driver: z.literal('switches'),
	upEntityId: entityId,
	downEntityId: entityId,
	interlockMs: milliseconds.min(250).default(9_000),
});

const vacuumEntity = z.strictObject({
	driver: z.literal('vacuum'),
	entityId: entityId.refine((id) => id.startsWith('vacuum.'), 'a vacuum.* entity'),
	chargingEntityId: entityId.optional(),
	errorEntityId: entityId.optional(),
	/** Button that clears errors, where the robot has one. */
	clearErrorsEntityId: entityId.optional(),
});

const vacuumEsphome = z.strictObject({
	driver: z.literal('esphome'),
	buttons: z.strictObject({
		houseClean: entityId,
		resume: entityId,
		sendToBase: entityId,
		locate: entityId,
		clearErrors: entityId,
		pause: entityId.optional(),
	}),
	sensors: z.strictObject({
		charging: entityId,
		robotState: entityId,
		uiState: entityId.optional(),
		error: entityId,
		alert: entityId.optional(),
	}),
	resumeAfterMs: milliseconds.default(3_000),
});

const rover = z.strictObject({
	id: slug,
	label: label.optional(),
	/** `entities` reads Home Assistant, `http` waits for reports at /room/<room>/rovers/<id>. */
	source: z.enum(['entities', 'http']).default('entities'),
	drivingEntityId: entityId.optional(),
	driverEntityId: entityId.optional(),
	dockedEntityId: entityId.optional(),
	chargingEntityId: entityId.optional(),
	hazardEntityId: entityId.optional(),
});

export const roomSettings = z.strictObject({
	id: slug,
	title: z.string().min(1).max(80),
	/** Discord channel whose people the room belongs to. */
	channelId: snowflake,
	/** Channel of the live panel; the common admin channel when absent. */
	adminChannelId: snowflake.optional(),
	lights: z.array(light).max(40).default([]),
	lift: z.discriminatedUnion('driver', [liftCover, liftSwitches]).optional(),
	neato: z.discriminatedUnion('driver', [vacuumEntity, vacuumEsphome]).optional(),
	rovers: z.array(rover).max(20).default([]),
	scripts: z.array(z.strictObject({ entityId, label })).max(20).default([]),
	/** Pressing this Home Assistant button toggles the lights lock. */
	lightsLockButtonEntityId: entityId.optional(),
	/** Any of these being `on` means somebody is in the room. */
	presenceEntityIds: z.array(entityId).max(10).default([]),
});

export type RoomSettings = z.infer<typeof roomSettings>;
export type LightSettings = z.infer<typeof light>;
export type LiftSettings = NonNullable<RoomSettings['lift']>;
export type NeatoSettings = NonNullable<RoomSettings['neato']>;
export type RoverSettings = z.infer<typeof rover>;

/** Every Home Assistant entity the room mentions: the only ones that are ever read or written. Sorted, unique. */
export function roomEntityIds(room: RoomSettings): string[] {
	const { lift, neato } = room;
	const ids = [
		...room.lights.map((item) => item.entityId),
		...room.scripts.map((item) => item.entityId),
		...room.presenceEntityIds,
		room.lightsLockButtonEntityId,
		...(lift?.driver === 'cover' ? [lift.entityId] : lift ? [lift.upEntityId, lift.downEntityId] : []),
		...(neato?.driver === 'vacuum'
			? [neato.entityId, neato.chargingEntityId, neato.errorEntityId, neato.clearErrorsEntityId]
			: neato
				? [...Object.values(neato.buttons), ...Object.values(neato.sensors)]
				: []),
		...room.rovers.flatMap((item) => [
			item.drivingEntityId,
			item.driverEntityId,
			item.dockedEntityId,
			item.chargingEntityId,
			item.hazardEntityId,
		]),
	];
	return [...new Set(ids.filter((id) => id !== undefined))].sort();
}
