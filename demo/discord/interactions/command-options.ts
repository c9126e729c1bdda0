import {
	type APIApplicationCommand,
	type APIApplicationCommandOption,
	type APIInteractionDataResolved,
	ApplicationCommandOptionType,
} from 'discord-api-types/v10';
import { ControlError } from '../control/control-error.ts';
import { storeFile } from '../messages/attachments.ts';
import type { UploadedFile } from '../messages/message-body.ts';
import { channelPermissions } from '../state/permissions.ts';
import { renderChannel, renderMember, renderRole, renderUser } from '../state/render.ts';
import { findNamed, type World } from '../state/world.ts';

export interface FilledOption {
	name: string;
	type: number;
	value?: string | number | boolean;
	focused?: boolean;
	options?: FilledOption[];
}

export type OptionValues = Record<string, string | number | boolean | UploadedFile>;

interface Filling {
	world: World;
	channelId: string;
	resolved: APIInteractionDataResolved;
	/** Autocomplete sends what has been typed so far, unchecked. */
	partial: boolean;
}

const Kind = ApplicationCommandOptionType;

/** Adds a user (and member) to what an interaction resolves. */
export function resolveUser(
	world: World,
	resolved: APIInteractionDataResolved,
	userId: string,
	channelId: string,
): void {
	const account = world.accounts.get(userId);
	const channel = world.channels.get(channelId);
	if (account === undefined || channel === undefined) return;
	resolved.users = { ...resolved.users, [userId]: renderUser(account) };
	if (!account.isMember) return;
	resolved.members = {
		...resolved.members,
		[userId]: { ...renderMember(account), permissions: channelPermissions(world, userId, channel).toString() },
	};
}

/** Adds a role or a channel to what an interaction resolves. */
export function resolveThing(world: World, resolved: APIInteractionDataResolved, id: string): void {
	const role = world.roles.get(id);
	if (role !== undefined) resolved.roles = { ...resolved.roles, [id]: renderRole(role) };
	const channel = world.channels.get(id);
	if (channel !== undefined) {
		const shown = { ...renderChannel(world, channel), permissions: '0' };
		resolved.channels = { ...resolved.channels, [id]: shown as never };
	}
}

function missing(what: string, name: string): never {
	throw new ControlError('invalid-option', `${what} "${name}" does not exist`);
}

function isFile(value: unknown): value is UploadedFile {
	return typeof value === 'object' && value !== null && 'bytes' in value;
}

/** One value as the picked type, with the checks Discord's client makes before it sends. */
function coerce(
	filling: Filling,
	option: APIApplicationCommandOption,
	raw: OptionValues[string],
): FilledOption['value'] {
	const { world, resolved } = filling;
	const refuse = (why: string): never => {
		throw new ControlError('invalid-option', `option "${option.name}": ${why}`);
	};
	if (isFile(raw)) {
		if (option.type !== Kind.Attachment) return refuse('takes no file');
		const attachment = storeFile(world, filling.channelId, raw);
		resolved.attachments = { ...resolved.attachments, [attachment.id]: attachment };
		return attachment.id;
	}
	const text = String(raw);
	switch (option.type) {
		case Kind.String: {
			const length = [...text].length;
			if (length > (option.max_length ?? 6000))
				return refuse(`must be ${option.max_length ?? 6000} or fewer characters`);
			if (length < (option.min_length ?? 0)) return refuse(`must be at least ${option.min_length} characters`);
			return pickChoice(option.choices, text) ?? (option.choices?.length ? refuse('is not one of the choices') : text);
		}
		case Kind.Integer:
		case Kind.Number: {
			const picked = pickChoice(option.choices, text);
			if (picked !== undefined) return Number(picked);
			if (option.choices?.length) return refuse('is not one of the choices');
			const value = Number(text);
			if (Number.isNaN(value) || (option.type === Kind.Integer && !Number.isInteger(value)))
				return refuse('is not a number');
			if (value < (option.min_value ?? Number.NEGATIVE_INFINITY)) return refuse(`must be at least ${option.min_value}`);
			if (value > (option.max_value ?? Number.POSITIVE_INFINITY)) return refuse(`must be at most ${option.max_value}`);
			return value;
		}
		case Kind.Boolean:
			if (!/^(true|false)$/i.test(text)) return refuse('must be true or false');
			return text.toLowerCase() === 'true';
		case Kind.User: {
			const account = findNamed(world.accounts.values(), text) ?? missing('user', text);
			resolveUser(world, resolved, account.id, filling.channelId);
			return account.id;
		}
		case Kind.Channel: {
			const channel = findNamed(world.channels.values(), text) ?? missing('channel', text);
			resolveThing(world, resolved, channel.id);
			return channel.id;
		}
		case Kind.Role: {
			const role = findNamed(world.roles.values(), text) ?? missing('role', text);
			resolveThing(world, resolved, role.id);
			return role.id;
		}
		case Kind.Mentionable: {
			const account = findNamed(world.accounts.values(), text);
			if (account !== undefined) resolveUser(world, resolved, account.id, filling.channelId);
			const role = account === undefined ? findNamed(world.roles.values(), text) : undefined;
			if (role !== undefined) resolveThing(world, resolved, role.id);
			return (account ?? role ?? missing('user or role', text)).id;
		}
		default:
			return refuse('takes no plain value');
	}
}

/** By value first, by shown name second. */
function pickChoice<T extends string | number>(
	choices: readonly { name: string; value: T }[] | undefined,
	text: string,
): T | undefined {
	return (choices?.find((one) => String(one.value) === text) ?? choices?.find((one) => one.name === text))?.value;
}

function fill(
	filling: Filling,
	declared: readonly APIApplicationCommandOption[],
	values: OptionValues,
	focused?: string,
): FilledOption[] {
	const known = new Set(declared.map((one) => one.name));
	const unknown = Object.keys(values).find((name) => !known.has(name));
	if (unknown !== undefined) throw new ControlError('invalid-option', `the command has no option "${unknown}"`);
	if (focused !== undefined && !known.has(focused)) missing('option', focused);
	return declared.flatMap((option) => {
		const raw = values[option.name];
		const isFocused = option.name === focused;
		if (raw === undefined || (raw === '' && !isFocused)) {
			if (isFocused) return { name: option.name, type: option.type, value: '', focused: true };
			if (option.required === true && !filling.partial) {
				throw new ControlError('invalid-option', `option "${option.name}" is required`);
			}
			return [];
		}
		if (isFocused) return { name: option.name, type: option.type, value: String(raw), focused: true };
		return { name: option.name, type: option.type, value: coerce(filling, option, raw) };
	});
}

/**
 * Fills the options of a command, walking `path` ("room state" → `['state']`) through its subcommands.
 * Throws ControlError `invalid-option` where Discord's own client would not let a person send.
 */
export function fillOptions(
	world: World,
	channelId: string,
	command: APIApplicationCommand,
	path: readonly string[],
	values: OptionValues,
	focused?: string,
): { options: FilledOption[]; resolved: APIInteractionDataResolved } {
	const filling: Filling = { world, channelId, resolved: {}, partial: focused !== undefined };
	const walk = (declared: readonly APIApplicationCommandOption[], rest: readonly string[]): FilledOption[] => {
		const nested = declared.filter((one) => one.type === Kind.Subcommand || one.type === Kind.SubcommandGroup);
		const [head, ...tail] = rest;
		if (nested.length === 0) {
			if (head !== undefined) missing('subcommand', head);
			return fill(filling, declared, values, focused);
		}
		const chosen = nested.find((one) => one.name === head);
		if (chosen === undefined) {
			throw new ControlError('invalid-option', `pick a subcommand: ${nested.map((one) => one.name).join(', ')}`);
		}
		const inner = 'options' in chosen ? ((chosen.options ?? []) as APIApplicationCommandOption[]) : [];
		return [{ name: chosen.name, type: chosen.type, options: walk(inner, tail) }];
	};
	return { options: walk(command.options ?? [], path), resolved: filling.resolved };
}
