import type { RoomSettings } from '../../config/rooms.ts';

/** The Discord channel of a bus room; undefined for rooms that are no longer configured. */
export function channelOfRoom(room: string, rooms: readonly RoomSettings[]): string | undefined {
	const other = /^discord:(\d{17,20})$/.exec(room)?.[1];
	return other ?? rooms.find((candidate) => candidate.id === room)?.channelId;
}
