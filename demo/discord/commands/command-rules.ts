import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord-api-types/v10';
import { invalidForm } from '../discord-error.ts';

/** A command or option as a bot sends it. */
export interface LooseCommand {
	type?: number;
	name?: string;
	description?: string;
	required?: boolean;
	autocomplete?: boolean;
	choices?: { name?: string; value?: string | number }[];
	options?: LooseCommand[];
	min_value?: number;
	max_value?: number;
	min_length?: number;
	max_length?: number;
	channel_types?: number[];
	default_member_permissions?: string | null;
	contexts?: number[] | null;
	nsfw?: boolean;
}

const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
const slashName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const maxOptions = 25;

function checkName(path: string, name: unknown): void {
	if (typeof name !== 'string') throw invalidForm(path, 'BASE_TYPE_REQUIRED', 'This field is required');
	if (!slashName.test(name) || name !== name.toLowerCase()) {
		throw invalidForm(path, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
	}
}

function checkLength(path: string, value: unknown, min: number, max: number): void {
	const length = typeof value === 'string' ? [...value].length : 0;
	if (length < min || length > max) {
		throw invalidForm(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
	}
}

function checkOptions(options: readonly LooseCommand[], path: string, depth: number): void {
	if (options.length > maxOptions) throw invalidForm(path, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
	const names = new Set<string>();
	let optionalSeen = false;
	const nested = options.filter((one) => one.type === Subcommand || one.type === SubcommandGroup).length;
	if (nested > 0 && nested < options.length) {
		throw invalidForm(path, 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Sub-commands and options cannot be mixed');
	}
	for (const [index, option] of options.entries()) {
		const at = `${path}.${index}`;
		if (option.type === undefined || option.type < 1 || option.type > 11) {
			throw invalidForm(`${at}.type`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, …, 11}.');
		}
		checkName(`${at}.name`, option.name);
		checkLength(`${at}.description`, option.description, 1, 100);
		const name = option.name ?? '';
		if (names.has(name)) {
			throw invalidForm(at, 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', 'Option name already exists');
		}
		names.add(name);
		if (option.required === true && optionalSeen) {
			throw invalidForm(
				at,
				'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
				'Required options must be placed before non-required options',
			);
		}
		optionalSeen ||= option.required !== true;
		const isNested = option.type === Subcommand || option.type === SubcommandGroup;
		if (isNested && (depth > 1 || (depth === 1 && option.type === SubcommandGroup))) {
			throw invalidForm(`${at}.type`, 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Nested too deeply');
		}
		if (option.choices !== undefined) {
			if (option.choices.length > 25) {
				throw invalidForm(`${at}.choices`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
			}
			if (option.autocomplete === true) {
				throw invalidForm(
					at,
					'APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID',
					'Choices and autocomplete exclude each other',
				);
			}
			for (const [choiceIndex, choice] of option.choices.entries()) {
				checkLength(`${at}.choices.${choiceIndex}.name`, choice.name, 1, 100);
			}
		}
		checkOptions(option.options ?? [], `${at}.options`, depth + 1);
	}
}

/** Throws 50035 when Discord would refuse the command. */
export function checkCommand(command: LooseCommand, path: string): void {
	const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
	const type = command.type ?? ApplicationCommandType.ChatInput;
	if (type === ApplicationCommandType.ChatInput) {
		checkName(at('name'), command.name);
		checkLength(at('description'), command.description, 1, 100);
		checkOptions(command.options ?? [], at('options'), 0);
	} else {
		checkLength(at('name'), command.name, 1, 32);
		if (command.description) {
			throw invalidForm(at('description'), 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION', 'Must be empty');
		}
	}
	if (JSON.stringify(command).length > 16_000) {
		throw invalidForm(path || 'options', 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
	}
}
