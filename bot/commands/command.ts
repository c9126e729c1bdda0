import type { RoomSettings } from '../../config/rooms.ts';
import type { Action, Person } from '../../core/access/permissions.ts';
import type { Language, TextKey, Translate, Vars } from '../catalogue.ts';
import type { BotDeps } from '../deps.ts';
import type { View } from '../views/view.ts';

/** What a command may use: the house's ports, nothing of Discord. */
export type CommandDeps = Pick<
	BotDeps,
	| 'settings'
	| 'site'
	| 'overrides'
	| 'status'
	| 'audit'
	| 'memory'
	| 'votes'
	| 'active'
	| 'roomStore'
	| 'world'
	| 'lastPrompt'
	| 'usage'
	| 'reload'
	| 'clock'
	| 'log'
>;

export interface CommandRequest {
	readonly person: Person;
	/** As the person is called here; shown, never decided by. */
	readonly personName: string;
	readonly language: Language;
	readonly t: Translate;
	readonly channelId: string;
	/** Unique; the same request delivered again has the same. */
	readonly interactionId: string;
	/** As Discord gives it: `de`, `en-GB`. */
	readonly locale: string;
	readonly text: (option: string) => string | undefined;
	readonly number: (option: string) => number | undefined;
}

/** An answer, or why there is none: refusals are expected and no errors. */
export type CommandResult = View | { readonly refused: TextKey; readonly vars?: Vars };

export interface Command {
	/** As typed: `overseer stage`. */
	readonly path: string;
	/** What the person must be allowed to do; undefined for what everybody may. */
	readonly action?: Action;
	readonly help: TextKey;
	readonly example: string;
	/** Whether it is of any use to a person, where `action` does not say that. */
	readonly isFor?: (person: Person) => boolean;
	run(request: CommandRequest, deps: CommandDeps): Promise<CommandResult>;
}

/** A command about one room: the one that is named, else that of the channel, else the only one. */
export function roomCommand(
	command: Omit<Command, 'run'>,
	run: (room: RoomSettings, request: CommandRequest, deps: CommandDeps) => Promise<CommandResult>,
): Command {
	return {
		...command,
		async run(request, deps) {
			const { rooms, discord } = deps.settings();
			const room = findRoom(rooms, request.text('room'), request.channelId, discord.adminChannelId);
			if (room !== undefined) return run(room, request, deps);
			if (rooms.length === 0) return { refused: 'refused.noRooms' };
			const names = rooms.slice(0, 20).map((candidate) => `\`${candidate.id}\``);
			return { refused: 'refused.room', vars: { rooms: names.join(', ') } };
		},
	};
}

function findRoom(
	rooms: readonly RoomSettings[],
	named: string | undefined,
	channelId: string,
	commonAdminChannelId: string | undefined,
): RoomSettings | undefined {
	if (named !== undefined) {
		const wanted = named.trim().toLowerCase();
		return rooms.find((room) => room.id === wanted) ?? rooms.find((room) => room.title.toLowerCase() === wanted);
	}
	const here = rooms.filter((room) => room.channelId === channelId);
	const administered = rooms.filter((room) => (room.adminChannelId ?? commonAdminChannelId) === channelId);
	return [here, administered, rooms].find((candidates) => candidates.length === 1)?.[0];
}
