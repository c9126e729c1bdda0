import type { RoomSettings } from '../../config/rooms.ts';

/** Rooms that match what was typed so far: at most 25, from the settings alone, so that it is always in time. */
export function autocompleteRooms(rooms: readonly RoomSettings[], typed: string): { name: string; value: string }[] {
	const wanted = typed.trim().toLowerCase();
	const starts = (room: RoomSettings) => room.id.startsWith(wanted) || room.title.toLowerCase().startsWith(wanted);
	const holds = (room: RoomSettings) => room.id.includes(wanted) || room.title.toLowerCase().includes(wanted);
	return [...rooms.filter(starts), ...rooms.filter((room) => !starts(room) && holds(room))]
		.slice(0, 25)
		.map((room) => ({ name: room.title.slice(0, 100), value: room.id }));
}
