import { z } from 'zod';
import { entityId, milliseconds, slug } from './primitives.ts';

const liftCover = z.strictObject({
	driver: z.literal('cover').describe('One cover entity.'),
	entityId: entityId.refine((id) => id.startsWith('cover.'), 'a cover.* entity').describe('The cover.'),
	travelMs: milliseconds.min(1_000).default(25_000).describe('How long a whole move takes.'),
});

/** Two switches, one a direction: never both on, and a pause between them for the relay and the motor. */
const liftSwitches = z.strictObject({
	driver: z.literal('switches').describe('Two switches, one a direction; never both on.'),
	upEntityId: entityId.describe('The switch that moves it up.'),
	downEntityId: entityId.describe('The switch that moves it down.'),
	interlockMs: milliseconds.min(250).default(9_000).describe('Pause between switching one off and the other on.'),
});

export const liftSettings = z.discriminatedUnion('driver', [liftCover, liftSwitches]);

const vacuumEntity = z.strictObject({
	driver: z.literal('vacuum').describe('One vacuum entity.'),
	entityId: entityId.refine((id) => id.startsWith('vacuum.'), 'a vacuum.* entity').describe('The vacuum.'),
	chargingEntityId: entityId.optional().describe('Sensor that is on while it charges.'),
	errorEntityId: entityId.optional().describe('Sensor with its error, where the vacuum does not say it itself.'),
	clearErrorsEntityId: entityId.optional().describe('Button that clears errors, where the robot has one.'),
});

const vacuumEsphome = z.strictObject({
	driver: z.literal('esphome').describe('Buttons and sensors of an ESPHome board.'),
	buttons: z
		.strictObject({
			houseClean: entityId.describe('Starts cleaning.'),
			resume: entityId.describe('Goes on after a pause.'),
			sendToBase: entityId.describe('Drives home.'),
			locate: entityId.describe('Makes it beep.'),
			clearErrors: entityId.describe('Clears errors and alerts.'),
			pause: entityId.optional().describe('Pauses, where there is such a button.'),
		})
		.describe('What is pressed.'),
	sensors: z
		.strictObject({
			charging: entityId.describe('On while it charges.'),
			robotState: entityId.describe('What the robot does.'),
			uiState: entityId.optional().describe('What its own screen shows.'),
			error: entityId.describe('Its error, or that there is none.'),
			alert: entityId.optional().describe('Its alert, or that there is none.'),
		})
		.describe('What is read.'),
	resumeAfterMs: milliseconds.default(3_000).describe('Pause between waking it and the command.'),
});

export const neatoSettings = z.discriminatedUnion('driver', [vacuumEntity, vacuumEsphome]);

export const roverSettings = z.strictObject({
	id: slug.describe('Short name.'),
	label: z.string().min(1).max(40).optional().describe('What people call it.'),
	source: z
		.enum(['entities', 'http'])
		.default('entities')
		.describe('entities: read from Home Assistant. http: reports itself at /room/<room>/rovers/<id>.'),
	drivingEntityId: entityId.optional().describe('On while somebody drives it.'),
	driverEntityId: entityId.optional().describe('Name of the one who drives it.'),
	dockedEntityId: entityId.optional().describe('On while it stands in its dock.'),
	chargingEntityId: entityId.optional().describe('On while it charges.'),
	hazardEntityId: entityId.optional().describe('Its hazard, such as stuck or tilted; off, none or empty = none.'),
});
