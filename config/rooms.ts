import { z } from 'zod';
import { liftSettings, neatoSettings, roverSettings } from './devices.ts';
import { entityId, slug, snowflake } from './primitives.ts';
import { roomExamples } from './room-examples.ts';

const label = z.string().min(1).max(40);

const light = z.strictObject({
	entityId: entityId
		.refine((id) => /^(light|switch)\./.test(id), 'a light.* or switch.* entity')
		.describe('A lamp, or an outlet that a lamp hangs on.'),
	label: label.describe('What people call it.'),
	show: z
		.enum(['state', 'color'])
		.default('state')
		.describe('color: the overseer reads the name of its colour instead of on or off.'),
});

export const roomSettings = z
	.strictObject({
		id: slug.describe('Short name in keys and addresses; keep it once chosen.'),
		title: z.string().min(1).max(80).describe('What people call the room.'),
		channelId: snowflake.describe('Discord channel whose people the room belongs to.'),
		adminChannelId: snowflake.optional().describe('Channel of its live panel; the common admin channel when absent.'),
		lights: z
			.array(light)
			.max(40)
			.default([])
			.describe('Lamps that may be seen and switched. Nothing else is ever touched.'),
		lift: liftSettings.optional().describe('A lift: one cover entity, or two switches.'),
		neato: neatoSettings.optional().describe('A vacuum: one vacuum entity, or the buttons and sensors of ESPHome.'),
		rovers: z.array(roverSettings).max(20).default([]).describe('Rovers that people drive.'),
		scripts: z
			.array(
				z.strictObject({
					entityId: entityId.describe('A script.* entity.'),
					label: label.describe('What people call it.'),
				}),
			)
			.max(20)
			.default([])
			.describe('Home Assistant scripts that may be run.'),
		buttonBoxEntityIds: z
			.array(entityId.refine((id) => /^(input_number|number)\./.test(id), 'an input_number.* or number.* entity'))
			.max(4)
			.optional()
			.describe('Counters of the button box, button 1 first. Used only when overseer.buttonBox.enabled is set.'),
		lightsLockButtonEntityId: entityId
			.optional()
			.describe('Pressing this Home Assistant button toggles the lights lock.'),
		presenceEntityIds: z
			.array(entityId)
			.max(10)
			.default([])
			.describe('Any of these being on means that somebody is in the room.'),
	})
	.meta({ examples: roomExamples });

export type RoomSettings = z.infer<typeof roomSettings>;
export type LightSettings = z.infer<typeof light>;
export type LiftSettings = NonNullable<RoomSettings['lift']>;
export type NeatoSettings = NonNullable<RoomSettings['neato']>;
export type RoverSettings = z.infer<typeof roverSettings>;

/** Every Home Assistant entity the room mentions: the only ones that are ever read or written. Sorted, unique. */
export function roomEntityIds(room: RoomSettings): string[] {
	const { lift, neato } = room;
	const ids = [
		...room.lights.map((item) => item.entityId),
		...room.scripts.map((item) => item.entityId),
		...room.presenceEntityIds,
		...(room.buttonBoxEntityIds ?? []),
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
