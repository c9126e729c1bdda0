import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { invalidForm } from '../discord-error.ts';

/** A component as it arrives: every key may be missing or of the wrong type. */
export interface LooseComponent {
	type?: number;
	id?: number;
	custom_id?: string;
	label?: string;
	description?: string;
	title?: string;
	content?: string;
	style?: number;
	url?: string;
	emoji?: { id?: string; name?: string };
	sku_id?: string;
	disabled?: boolean;
	placeholder?: string;
	options?: { label?: string; value?: string; description?: string; default?: boolean; emoji?: { name?: string } }[];
	min_values?: number;
	max_values?: number;
	min_length?: number;
	max_length?: number;
	required?: boolean;
	value?: string;
	default?: boolean;
	default_values?: { id: string; type: string }[];
	channel_types?: number[];
	components?: LooseComponent[];
	component?: LooseComponent;
	accessory?: LooseComponent;
	items?: { media?: { url?: string }; description?: string }[];
	media?: { url?: string };
	file?: { url?: string };
	accent_color?: number;
	divider?: boolean;
}

interface Tally {
	customIds: Set<string>;
	count: number;
	textLength: number;
}

const selectTypes = new Set<number | undefined>([
	ComponentType.StringSelect,
	ComponentType.UserSelect,
	ComponentType.RoleSelect,
	ComponentType.MentionableSelect,
	ComponentType.ChannelSelect,
]);

export function isSelect(component: LooseComponent): boolean {
	return selectTypes.has(component.type);
}

const required = (path: string) => invalidForm(path, 'BASE_TYPE_REQUIRED', 'This field is required');
const badLength = (path: string, min: number, max: number) =>
	invalidForm(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
const badType = (path: string, allowed: readonly number[]) =>
	invalidForm(`${path}.type`, 'UNION_TYPE_CHOICES', `Value of field "type" must be one of (${allowed.join(', ')}).`);

function demandLength(path: string, value: unknown, min: number, max: number): void {
	if (typeof value !== 'string') throw required(path);
	const length = [...value].length;
	if (length < min || length > max) throw badLength(path, min, max);
}

export function checkCustomId(component: LooseComponent, path: string, seen: Set<string>): void {
	demandLength(`${path}.custom_id`, component.custom_id, 1, 100);
	const customId = component.custom_id ?? '';
	if (seen.has(customId)) {
		throw invalidForm(
			`${path}.custom_id`,
			'COMPONENT_CUSTOM_ID_DUPLICATED',
			'Component custom id cannot be duplicated',
		);
	}
	seen.add(customId);
}

function checkButton(button: LooseComponent, path: string, tally: Tally): void {
	if (button.style === undefined || button.style < 1 || button.style > 6) throw required(`${path}.style`);
	if (button.label !== undefined && [...button.label].length > 80) {
		throw invalidForm(`${path}.label`, 'BASE_TYPE_MAX_LENGTH', 'Must be 80 or fewer in length.');
	}
	if (button.style === ButtonStyle.Premium) {
		if (button.sku_id === undefined) throw required(`${path}.sku_id`);
		return;
	}
	if (!button.label && button.emoji === undefined) {
		throw invalidForm(`${path}`, 'BUTTON_COMPONENT_MISSING_LABEL_OR_EMOJI', 'A button needs a label or an emoji.');
	}
	if (button.style === ButtonStyle.Link) {
		if (button.url === undefined) {
			throw invalidForm(path, 'BUTTON_COMPONENT_URL_REQUIRED', 'A url is required on link buttons.');
		}
		return;
	}
	checkCustomId(button, path, tally.customIds);
}

/** Checks one select, in a message or inside a modal's label. */
export function checkSelect(select: LooseComponent, path: string, seen: Set<string>): void {
	checkCustomId(select, path, seen);
	if (select.placeholder !== undefined && [...select.placeholder].length > 150) {
		throw invalidForm(`${path}.placeholder`, 'BASE_TYPE_MAX_LENGTH', 'Must be 150 or fewer in length.');
	}
	const most = select.max_values ?? 1;
	const least = select.min_values ?? 1;
	if (least < 0 || most < 1 || most > 25 || least > most) {
		throw invalidForm(path, 'SELECT_COMPONENT_INVALID_VALUE_COUNT', 'min_values and max_values do not fit.');
	}
	if (select.type !== ComponentType.StringSelect) return;
	checkOptions(select, path, 1, 25);
	if (most > (select.options ?? []).length) {
		throw invalidForm(`${path}.max_values`, 'NUMBER_TYPE_MAX', 'max_values exceeds the number of options.');
	}
}

/** Checks the option list of a string select, radio group or checkbox group. */
export function checkOptions(component: LooseComponent, path: string, min: number, max: number): void {
	const options = component.options;
	if (!Array.isArray(options)) throw required(`${path}.options`);
	if (options.length < min || options.length > max) throw badLength(`${path}.options`, min, max);
	const seen = new Set<string>();
	for (const [index, option] of options.entries()) {
		demandLength(`${path}.options.${index}.label`, option.label, 1, 100);
		demandLength(`${path}.options.${index}.value`, option.value, 1, 100);
		if (option.description !== undefined && option.description !== null) {
			if ([...option.description].length > 100) {
				throw invalidForm(
					`${path}.options.${index}.description`,
					'BASE_TYPE_MAX_LENGTH',
					'Must be 100 or fewer in length.',
				);
			}
		}
		const value = option.value ?? '';
		if (seen.has(value)) {
			throw invalidForm(
				`${path}.options.${index}.value`,
				'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
				'The specified option value is already used',
			);
		}
		seen.add(value);
	}
}

function checkRow(row: LooseComponent, path: string, tally: Tally): void {
	const children = row.components ?? [];
	if (children.length < 1 || children.length > 5) throw badLength(`${path}.components`, 1, 5);
	const selects = children.filter(isSelect).length;
	if (selects > 0 && children.length > 1) {
		throw invalidForm(`${path}.components`, 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'A select fills its row.');
	}
	for (const [index, child] of children.entries()) {
		tally.count += 1;
		const at = `${path}.components.${index}`;
		if (child.type === ComponentType.Button) checkButton(child, at, tally);
		else if (isSelect(child)) checkSelect(child, at, tally.customIds);
		else throw badType(at, [2, 3, 5, 6, 7, 8]);
	}
}

function checkBlock(block: LooseComponent, path: string, tally: Tally, allowed: readonly number[]): void {
	tally.count += 1;
	if (block.type === undefined || !allowed.includes(block.type)) throw badType(path, allowed);
	if (block.type === ComponentType.ActionRow) checkRow(block, path, tally);
	if (block.type === ComponentType.TextDisplay) {
		demandLength(`${path}.content`, block.content, 1, 4000);
		tally.textLength += [...(block.content ?? '')].length;
	}
	if (block.type === ComponentType.Section) {
		const texts = block.components ?? [];
		if (texts.length < 1 || texts.length > 3) throw badLength(`${path}.components`, 1, 3);
		for (const [index, text] of texts.entries()) checkBlock(text, `${path}.components.${index}`, tally, [10]);
		const accessory = block.accessory;
		if (accessory === undefined) throw required(`${path}.accessory`);
		tally.count += 1;
		if (accessory.type === ComponentType.Button) checkButton(accessory, `${path}.accessory`, tally);
		else if (accessory.type !== ComponentType.Thumbnail) throw badType(`${path}.accessory`, [2, 11]);
	}
	if (block.type === ComponentType.Container) {
		for (const [index, child] of (block.components ?? []).entries()) {
			checkBlock(child, `${path}.components.${index}`, tally, [1, 9, 10, 12, 13, 14]);
		}
	}
}

/** Throws 50035 when the components of a message break Discord's limits. */
export function checkMessageComponents(components: readonly LooseComponent[] | unknown, usesV2: boolean): void {
	if (!Array.isArray(components)) throw invalidForm('components', 'LIST_TYPE_CONVERT', 'Only iterables may be used.');
	const tally: Tally = { customIds: new Set(), count: 0, textLength: 0 };
	if (!usesV2 && components.length > 5) {
		throw invalidForm('components', 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length.');
	}
	const allowed = usesV2 ? [1, 9, 10, 12, 13, 14, 17] : [1];
	for (const [index, component] of (components as LooseComponent[]).entries()) {
		checkBlock(component, `components.${index}`, tally, allowed);
	}
	if (usesV2 && tally.count > 40) {
		throw invalidForm('components', 'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED', 'At most 40 components are allowed.');
	}
	if (tally.textLength > 4000) {
		throw invalidForm('components', 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', 'At most 4000 characters are shown.');
	}
}

/** Every component of a tree, containers and labels included. */
export function* walkComponents(components: readonly unknown[]): Generator<LooseComponent> {
	for (const component of components as LooseComponent[]) {
		yield component;
		if (component.components !== undefined) yield* walkComponents(component.components);
		if (component.component !== undefined) yield* walkComponents([component.component]);
		if (component.accessory !== undefined) yield* walkComponents([component.accessory]);
	}
}
