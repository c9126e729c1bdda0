import { roomStateView } from '../views/room-state.ts';
import { type Command, roomCommand } from './command.ts';

/** `/room …` */
export const roomCommands: readonly Command[] = [
	roomCommand(
		{ path: 'room state', action: 'room.view', help: 'command.room.state', example: '/room state' },
		async (room, { t }, { world, site }) => roomStateView(room, await world(room.id), await site.read(), t),
	),
];
