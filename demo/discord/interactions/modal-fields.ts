import {
	type APIInteractionDataResolved,
	type APIModalInteractionResponseCallbackData,
	ComponentType,
} from 'discord-api-types/v10';
import { ControlError } from '../control/control-error.ts';
import { storeFile } from '../messages/attachments.ts';
import type { LooseComponent } from '../messages/component-rules.ts';
import { isSelect } from '../messages/component-rules.ts';
import type { UploadedFile } from '../messages/message-body.ts';
import { findNamed, type World } from '../state/world.ts';
import { resolveThing, resolveUser } from './command-options.ts';

export type FieldValue = string | boolean | string[] | UploadedFile[] | null;

interface Submission {
	components: object[];
	resolved: APIInteractionDataResolved;
}

function refuse(field: LooseComponent, why: string): never {
	throw new ControlError('invalid-option', `field "${field.custom_id}": ${why}`);
}

function textOf(field: LooseComponent, value: FieldValue | undefined): string {
	const text = value === undefined || value === null ? (field.value ?? '') : String(value);
	const length = [...text].length;
	if (length === 0 && field.required !== false) refuse(field, 'must be filled in');
	if (length > 0 && length < (field.min_length ?? 0)) refuse(field, `must be at least ${field.min_length} characters`);
	if (length > (field.max_length ?? 4000)) refuse(field, `must be ${field.max_length ?? 4000} or fewer characters`);
	return text;
}

/** Picks options by value or by label; without a value the defaults stand. */
function pickOptions(field: LooseComponent, value: FieldValue | undefined): string[] {
	const options = field.options ?? [];
	if (value === undefined) return options.filter((one) => one.default === true).map((one) => one.value ?? '');
	const wanted = value === null ? [] : [value].flat().map(String);
	return wanted.map((text) => {
		const option = options.find((one) => one.value === text) ?? options.find((one) => one.label === text);
		return option?.value ?? refuse(field, `has no option "${text}"`);
	});
}

function demandCount(field: LooseComponent, count: number, usualMin: number, usualMax: number): void {
	const least = field.min_values ?? usualMin;
	const most = field.max_values ?? usualMax;
	if (count === 0 && field.required === false) return;
	if (count < Math.max(least, field.required === false ? 0 : least)) refuse(field, `needs at least ${least}`);
	if (count > most) refuse(field, `takes at most ${most}`);
}

function resolvePicked(world: World, resolved: APIInteractionDataResolved, channelId: string, text: string): string {
	const account = findNamed(world.accounts.values(), text);
	const found = account ?? findNamed(world.roles.values(), text) ?? findNamed(world.channels.values(), text);
	if (found === undefined) throw new ControlError('invalid-option', `nothing is called "${text}"`);
	if (account !== undefined) resolveUser(world, resolved, account.id, channelId);
	else resolveThing(world, resolved, found.id);
	return found.id;
}

function fillField(
	world: World,
	submission: Submission,
	channelId: string,
	field: LooseComponent,
	value: FieldValue | undefined,
): object {
	const base = { type: field.type, id: field.id ?? 0, custom_id: field.custom_id };
	if (field.type === ComponentType.TextInput) return { ...base, value: textOf(field, value) };
	if (field.type === ComponentType.Checkbox) {
		const checked = value === undefined ? field.default === true : value === true || value === 'true';
		return { ...base, value: checked };
	}
	if (field.type === ComponentType.RadioGroup) {
		const [picked] = pickOptions(field, value);
		if (picked === undefined && field.required !== false) refuse(field, 'one must be chosen');
		return { ...base, value: picked ?? null };
	}
	if (field.type === ComponentType.CheckboxGroup) {
		const picked = pickOptions(field, value);
		demandCount(field, picked.length, 1, field.options?.length ?? 10);
		return { ...base, values: picked };
	}
	if (field.type === ComponentType.FileUpload) {
		const files = Array.isArray(value) ? value.filter((one): one is UploadedFile => typeof one === 'object') : [];
		demandCount(field, files.length, 1, 1);
		const stored = files.map((one) => storeFile(world, channelId, one));
		for (const one of stored) submission.resolved.attachments = { ...submission.resolved.attachments, [one.id]: one };
		return { ...base, values: stored.map((one) => one.id) };
	}
	if (field.type === ComponentType.StringSelect) {
		const picked = pickOptions(field, value);
		demandCount(field, picked.length, 1, 1);
		return { ...base, values: picked };
	}
	if (isSelect(field)) {
		const wanted = value === undefined || value === null ? [] : [value].flat().map(String);
		demandCount(field, wanted.length, 1, 1);
		return { ...base, values: wanted.map((text) => resolvePicked(world, submission.resolved, channelId, text)) };
	}
	return refuse(field, 'is of an unknown kind');
}

/**
 * What a modal submit carries for the values a person filled in, keyed by custom id.
 * Throws ControlError `invalid-option` where Discord's client would not let them send.
 */
export function fillModal(
	world: World,
	channelId: string,
	modal: APIModalInteractionResponseCallbackData,
	values: Record<string, FieldValue>,
): Submission {
	const submission: Submission = { components: [], resolved: {} };
	const used = new Set<string>();
	const fillOne = (field: LooseComponent): object => {
		const customId = field.custom_id ?? '';
		used.add(customId);
		return fillField(world, submission, channelId, field, values[customId]);
	};
	for (const [index, raw] of modal.components.entries()) {
		const component = raw as LooseComponent;
		const id = component.id ?? index + 1;
		if (component.type === ComponentType.Label && component.component !== undefined) {
			submission.components.push({ type: component.type, id, component: fillOne(component.component) });
		} else if (component.type === ComponentType.ActionRow) {
			submission.components.push({ type: component.type, id, components: (component.components ?? []).map(fillOne) });
		} else {
			submission.components.push({ type: component.type, id });
		}
	}
	const stray = Object.keys(values).find((name) => !used.has(name));
	if (stray !== undefined) throw new ControlError('invalid-option', `the modal has no field "${stray}"`);
	return submission;
}
