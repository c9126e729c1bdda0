import type { NeatoSettings } from '../../config/rooms.ts';
import type { NeatoCommands } from './neato-commands.ts';

/** Buttons and sensors of an ESPHome board in the robot. */
export function esphomeCommands(neato: Extract<NeatoSettings, { driver: 'esphome' }>): NeatoCommands {
	const { buttons, sensors } = neato;
	const press = (entityId: string) => ({ domain: 'button', service: 'press', entityId });
	return {
		// A paused job swallows the start; the second press lets it go on. To a robot that cleans it means nothing.
		start: { commands: [press(buttons.houseClean), press(buttons.resume)], pauseMs: neato.resumeAfterMs },
		...(buttons.pause && { pause: press(buttons.pause) }),
		sendHome: press(buttons.sendToBase),
		locate: press(buttons.locate),
		clearErrors: press(buttons.clearErrors),
		shownBy: Object.values(sensors).filter((id) => id !== undefined),
	};
}
