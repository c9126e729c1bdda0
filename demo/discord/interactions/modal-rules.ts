import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10';
import { invalidForm } from '../discord-error.ts';
import {
	checkCustomId,
	checkOptions,
	checkSelect,
	isSelect,
	type LooseComponent,
} from '../messages/component-rules.ts';

function demandLength(path: string, value: unknown, min: number, max: number): void {
	const length = typeof value === 'string' ? [...value].length : 0;
	if (length < min || length > max) {
		throw invalidForm(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
	}
}

function checkTextInput(input: LooseComponent, path: string, seen: Set<string>, labelled: boolean): void {
	checkCustomId(input, path, seen);
	if (!labelled) demandLength(`${path}.label`, input.label, 1, 45);
	if (input.style !== 1 && input.style !== 2) {
		throw invalidForm(`${path}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2}.');
	}
	if (input.value !== undefined) demandLength(`${path}.value`, input.value, 0, 4000);
	if (input.placeholder !== undefined) demandLength(`${path}.placeholder`, input.placeholder, 0, 100);
	const min = input.min_length ?? 0;
	const max = input.max_length ?? 4000;
	if (min < 0 || max < 1 || max > 4000 || min > max) {
		throw invalidForm(`${path}.min_length`, 'NUMBER_TYPE_MAX', 'min_length and max_length do not fit.');
	}
}

/** A label holds exactly one input of any kind a modal knows. */
function checkLabelled(label: LooseComponent, path: string, seen: Set<string>): void {
	demandLength(`${path}.label`, label.label, 1, 45);
	if (label.description !== undefined) demandLength(`${path}.description`, label.description, 0, 100);
	const input = label.component;
	const at = `${path}.component`;
	if (input === undefined) throw invalidForm(at, 'BASE_TYPE_REQUIRED', 'This field is required');
	if (input.type === ComponentType.TextInput) {
		checkTextInput(input, at, seen, true);
		return;
	}
	if (isSelect(input)) {
		checkSelect(input, at, seen);
		return;
	}
	checkCustomId(input, at, seen);
	if (input.type === ComponentType.RadioGroup) {
		checkOptions(input, at, 2, 10);
		return;
	}
	if (input.type === ComponentType.CheckboxGroup) {
		checkOptions(input, at, 1, 10);
		return;
	}
	if (input.type === ComponentType.Checkbox || input.type === ComponentType.FileUpload) return;
	throw invalidForm(
		`${at}.type`,
		'UNION_TYPE_CHOICES',
		'Value of field "type" must be one of (3, 4, 5, 6, 7, 8, 19, 21, 22, 23).',
	);
}

/** Throws 50035 when a modal breaks Discord's limits; returns it otherwise. */
export function checkModal(
	modal: Partial<APIModalInteractionResponseCallbackData> | undefined,
): APIModalInteractionResponseCallbackData {
	demandLength('data.custom_id', modal?.custom_id, 1, 100);
	demandLength('data.title', modal?.title, 1, 45);
	const components = (modal?.components ?? []) as LooseComponent[];
	if (components.length < 1 || components.length > 5) {
		throw invalidForm('data.components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
	}
	const seen = new Set<string>();
	for (const [index, component] of components.entries()) {
		const path = `data.components.${index}`;
		if (component.type === ComponentType.TextDisplay) continue;
		if (component.type === ComponentType.Label) {
			checkLabelled(component, path, seen);
			continue;
		}
		const input = component.components?.[0];
		const isClassic = component.type === ComponentType.ActionRow && component.components?.length === 1;
		if (!isClassic || input?.type !== ComponentType.TextInput) {
			throw invalidForm(`${path}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 10, 18).');
		}
		checkTextInput(input, `${path}.components.0`, seen, false);
	}
	return modal as APIModalInteractionResponseCallbackData;
}
