import type { NeatoSettings } from '../../config/rooms.ts';
import type { NeatoCommands } from './neato-commands.ts';

/** A `vacuum` entity with its own services. */
export function vacuumCommands(neato: Extract<NeatoSettings, { driver: 'vacuum' }>): NeatoCommands {
	const { entityId, chargingEntityId, errorEntityId, clearErrorsEntityId } = neato;
	const vacuum = (service: string) => ({ domain: 'vacuum', service, entityId });
	return {
		start: { commands: [vacuum('start')], pauseMs: 0 },
		pause: vacuum('pause'),
		sendHome: vacuum('return_to_base'),
		locate: vacuum('locate'),
		...(clearErrorsEntityId && { clearErrors: { domain: 'button', service: 'press', entityId: clearErrorsEntityId } }),
		shownBy: [entityId, chargingEntityId, errorEntityId].filter((id) => id !== undefined),
	};
}
