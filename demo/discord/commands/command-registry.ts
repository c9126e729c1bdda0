import { type APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10';
import { invalidForm, refusal } from '../discord-error.ts';
import type { World } from '../state/world.ts';
import { checkCommand, type LooseCommand } from './command-rules.ts';

const maxPerType: Partial<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };

/** Commands of every application, global (`guildId` undefined) and of the guild. */
export interface CommandRegistry {
	list(applicationId: string, guildId?: string): APIApplicationCommand[];
	/** What a person can pick: guild commands hide global ones of the same name and type. */
	visible(applicationId: string): APIApplicationCommand[];
	find(applicationId: string, id: string, guildId?: string): APIApplicationCommand;
	/** Replaces all; a command that stays keeps its id. */
	replace(applicationId: string, commands: LooseCommand[], guildId?: string): APIApplicationCommand[];
	/** Creates, or overwrites the one with the same name and type. `created` tells which. */
	upsert(
		applicationId: string,
		command: LooseCommand,
		guildId?: string,
	): { command: APIApplicationCommand; created: boolean };
	update(applicationId: string, id: string, change: LooseCommand, guildId?: string): APIApplicationCommand;
	remove(applicationId: string, id: string, guildId?: string): void;
	clear(): void;
}

export function createCommandRegistry(world: World): CommandRegistry {
	const stores = new Map<string, Map<string, APIApplicationCommand>>();

	const storeOf = (applicationId: string, guildId?: string): Map<string, APIApplicationCommand> => {
		const key = `${applicationId}/${guildId ?? 'global'}`;
		const store = stores.get(key) ?? new Map<string, APIApplicationCommand>();
		stores.set(key, store);
		return store;
	};

	const settle = (applicationId: string, command: LooseCommand, id: string, guildId?: string): APIApplicationCommand =>
		({
			default_member_permissions: null,
			nsfw: false,
			contexts: null,
			integration_types: [0],
			...command,
			type: command.type ?? ApplicationCommandType.ChatInput,
			description: command.description ?? '',
			id,
			application_id: applicationId,
			version: world.nextId(),
			...(guildId === undefined ? {} : { guild_id: guildId }),
		}) as unknown as APIApplicationCommand;

	const sameCommand = (a: APIApplicationCommand, b: LooseCommand): boolean =>
		a.name === b.name && a.type === (b.type ?? ApplicationCommandType.ChatInput);

	const registry: CommandRegistry = {
		list: (applicationId, guildId) => [...storeOf(applicationId, guildId).values()],
		visible: (applicationId) => {
			const own = registry.list(applicationId, world.guildId);
			const global = registry.list(applicationId);
			return [...own, ...global.filter((one) => !own.some((two) => two.name === one.name && two.type === one.type))];
		},
		find: (applicationId, id, guildId) => {
			const command = storeOf(applicationId, guildId).get(id);
			if (command === undefined) throw refusal('unknownCommand');
			return command;
		},
		replace: (applicationId, commands, guildId) => {
			if (!Array.isArray(commands)) throw invalidForm('', 'LIST_TYPE_CONVERT', 'Only iterables may be used.');
			const seen = new Set<string>();
			for (const [index, command] of commands.entries()) {
				checkCommand(command, String(index));
				const key = `${command.type ?? 1}/${command.name}`;
				if (seen.has(key)) {
					throw invalidForm(
						`${index}.name`,
						'APPLICATION_COMMANDS_DUPLICATE_NAME',
						'Application command names must be unique',
					);
				}
				seen.add(key);
				const limit = maxPerType[command.type ?? 1] ?? 100;
				const count = commands.filter((one) => (one.type ?? 1) === (command.type ?? 1)).length;
				if (count > limit) throw refusal('tooManyCommands');
			}
			const store = storeOf(applicationId, guildId);
			const previous = [...store.values()];
			store.clear();
			for (const command of commands) {
				const id = previous.find((one) => sameCommand(one, command))?.id ?? world.nextId();
				store.set(id, settle(applicationId, command, id, guildId));
			}
			return [...store.values()];
		},
		upsert: (applicationId, command, guildId) => {
			checkCommand(command, '');
			const store = storeOf(applicationId, guildId);
			const previous = [...store.values()].find((one) => sameCommand(one, command));
			if (previous === undefined && store.size >= 130) throw refusal('tooManyCommands');
			const id = previous?.id ?? world.nextId();
			const settled = settle(applicationId, command, id, guildId);
			store.set(id, settled);
			return { command: settled, created: previous === undefined };
		},
		update: (applicationId, id, change, guildId) => {
			const previous = registry.find(applicationId, id, guildId);
			const merged = { ...(previous as unknown as LooseCommand), ...change };
			checkCommand(merged, '');
			const settled = settle(applicationId, merged, id, guildId);
			storeOf(applicationId, guildId).set(id, settled);
			return settled;
		},
		remove: (applicationId, id, guildId) => {
			registry.find(applicationId, id, guildId);
			storeOf(applicationId, guildId).delete(id);
		},
		clear: () => stores.clear(),
	};
	return registry;
}
