import { z } from 'zod';
import { settingsSchema } from './schema.ts';

/** The part of JSON Schema that our settings use. */
export interface Shape {
	type?: string;
	description?: string;
	default?: unknown;
	examples?: readonly unknown[];
	properties?: Record<string, Shape>;
	items?: Shape;
	additionalProperties?: Shape | boolean;
	required?: readonly string[];
	oneOf?: readonly Shape[];
	anyOf?: readonly Shape[];
	const?: unknown;
	enum?: readonly unknown[];
	minimum?: number;
	maximum?: number;
	[key: string]: unknown;
}

/** The settings file as JSON Schema 2020-12, as editors read it. */
export function settingsShape(): Shape {
	const shape = z.toJSONSchema(settingsSchema, {
		io: 'input',
		override: ({ jsonSchema }) => {
			// The bounds of safe integers say nothing to a person.
			if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
			if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
		},
	});
	return shape as Shape;
}

/** The shapes that a value at this place may have: one, or each branch of a union. */
const branches = (shape: Shape): readonly Shape[] => shape.oneOf ?? shape.anyOf ?? [shape];

function matchesConsts(shape: Shape, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return true;
	return Object.entries(shape.properties ?? {}).every(
		([key, part]) => part.const === undefined || (value as Record<string, unknown>)[key] === part.const,
	);
}

/** Shapes at a path of a real value; where a union is told apart by a constant, only the branch that fits. */
export function shapesAt(root: Shape, path: readonly PropertyKey[], value: unknown): Shape[] {
	let current = branches(root).filter((shape) => matchesConsts(shape, value));
	let here: unknown = value;
	for (const step of path) {
		here = typeof here === 'object' && here !== null ? (here as Record<PropertyKey, unknown>)[step] : undefined;
		const next = current.flatMap((shape) => {
			if (typeof step === 'number') return shape.items ? [shape.items] : [];
			const property = shape.properties?.[String(step)];
			if (property) return [property];
			return typeof shape.additionalProperties === 'object' ? [shape.additionalProperties] : [];
		});
		const open = next.flatMap(branches);
		const fitting = open.filter((shape) => matchesConsts(shape, here));
		current = fitting.length > 0 ? fitting : open;
	}
	return current;
}

/** Every setting as a dotted path; list items and free names are written as `*`. Sorted by appearance, unique. */
export function settingPaths(shape: Shape = settingsShape(), prefix = ''): string[] {
	const paths: string[] = [];
	for (const part of branches(shape)) {
		for (const [key, child] of Object.entries(part.properties ?? {})) {
			const path = prefix === '' ? key : `${prefix}.${key}`;
			paths.push(path, ...settingPaths(child, path));
		}
		if (part.items) paths.push(...settingPaths(part.items, `${prefix}.*`));
		if (typeof part.additionalProperties === 'object')
			paths.push(...settingPaths(part.additionalProperties, `${prefix}.*`));
	}
	return [...new Set(paths)];
}
