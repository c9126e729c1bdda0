import { environmentSchema, SECRET_VARIABLES } from '../config/env.ts';
import { type Shape, settingsShape } from '../config/settings-shape.ts';

const WIDTH = 100;
const plain = /^[A-Za-z][A-Za-z0-9 _./-]*$/;
const words = /^(on|off|yes|no|true|false|null|y|n)$/i;

/** A value in YAML's one-line form. */
function flow(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);
		return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
	}
	if (typeof value === 'string' && plain.test(value) && !words.test(value)) return value;
	return JSON.stringify(value);
}

function comment(text: string, indent: string): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		if (line !== '' && indent.length + line.length + word.length + 3 > WIDTH) {
			lines.push(line);
			line = '';
		}
		line = line === '' ? word : `${line} ${word}`;
	}
	return [...lines, line].map((part) => `${indent}# ${part}`);
}

/** What the schema knows beyond the description: choices and bounds. */
function limits(shape: Shape): string {
	const choices = shape.enum?.map(String) ?? [];
	if (choices.length > 0 && !choices.every((choice) => shape.description?.includes(choice)))
		return ` One of ${choices.join(', ')}.`;
	const { minimum, maximum } = shape;
	if (shape.description?.includes(`${minimum} to ${maximum}`)) return '';
	if (minimum !== undefined && maximum !== undefined) return ` From ${minimum} to ${maximum}.`;
	if (minimum !== undefined && minimum !== 0) return ` At least ${minimum}.`;
	return maximum === undefined ? '' : ` At most ${maximum}.`;
}

function describeShape(shape: Shape, indent: string): string[] {
	const text = `${shape.description ?? ''}${limits(shape)}`.trim();
	return text === '' ? [] : comment(text, indent);
}

/** The branch of a union that a value is of. */
function branchFor(shape: Shape, value: Readonly<Record<string, unknown>>): Shape {
	const fits = (branch: Shape) =>
		Object.entries(branch.properties ?? {}).every(
			([key, part]) => part.const === undefined || part.const === value[key],
		);
	return shape.oneOf?.find(fits) ?? shape;
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An example value as block YAML. A setting is explained where it first occurs: `told` remembers. */
function exampleLines(
	shape: Shape,
	value: Record<string, unknown>,
	indent: string,
	path: string,
	told: Set<string>,
): string[] {
	const branch = branchFor(shape, value);
	return Object.entries(value).flatMap(([key, item]) => {
		const part = branch.properties?.[key] ?? {};
		const here = `${path}.${key}${part.const === undefined ? '' : `=${String(part.const)}`}`;
		const lines = told.has(here) ? [] : describeShape(part, indent);
		told.add(here);
		if (isGroup(item)) return [...lines, `${indent}${key}:`, ...exampleLines(part, item, `${indent}  `, here, told)];
		if (Array.isArray(item) && item.some(isGroup))
			return [...lines, `${indent}${key}:`, ...listLines(part, item, `${indent}  `, here, told)];
		return [...lines, `${indent}${key}: ${flow(item)}`];
	});
}

function listLines(shape: Shape, list: readonly unknown[], indent: string, path: string, told: Set<string>): string[] {
	return list.flatMap((item) => {
		const lines = exampleLines(shape.items ?? {}, item as Record<string, unknown>, `${indent}  `, path, told);
		// The dash stands before the first setting; what explains that one stays above it.
		const first = lines.findIndex((line) => !line.trimStart().startsWith('#'));
		return lines.map((line, index) =>
			index < first ? line.slice(2) : index === first ? `${indent}- ${line.trimStart()}` : line,
		);
	});
}

/** A made-up value that shows the form of a setting which has no example of its own. */
function inventValue(shape: Shape): unknown {
	if (shape.examples?.[0] !== undefined) return shape.examples[0];
	if (shape.properties)
		return Object.fromEntries(Object.entries(shape.properties).map(([key, part]) => [key, inventValue(part)]));
	if (shape.items) return [inventValue(shape.items)];
	if (isGroup(shape.additionalProperties)) return { name: inventValue(shape.additionalProperties as Shape) };
	if (shape.default !== undefined) return shape.default;
	if (shape.enum) return shape.enum[0];
	if (shape.type === 'boolean') return true;
	return shape.type === 'string' ? 'text' : (shape.minimum ?? 1);
}

/** The parts of a list's or table's entries, one explained line each. */
function partLines(shape: Shape, indent: string): string[] {
	const entry =
		shape.items ?? (isGroup(shape.additionalProperties) ? (shape.additionalProperties as Shape) : undefined);
	return Object.entries(entry?.properties ?? {}).flatMap(([key, part]) =>
		comment(`- ${key}: ${part.description ?? ''}${limits(part)}`, indent),
	);
}

function groupLines(shape: Shape, indent: string, path: string, told: Set<string>): string[] {
	return Object.entries(shape.properties ?? {}).flatMap(([key, part]) => {
		const lines = [...(indent === '' ? [''] : []), ...describeShape(part, indent)];
		const examples = part.examples ?? part.items?.examples;
		if (part.properties)
			return [...lines, `${indent}${key}:`, ...groupLines(part, `${indent}  `, `${path}.${key}`, told)];
		if (part.items?.properties && examples)
			return [...lines, `${indent}${key}:`, ...listLines(part, examples, `${indent}  `, `${path}.${key}`, told)];
		if (part.default === undefined) return [...lines, `${indent}#${key}: ${flow(inventValue(part))}`];
		const isEmpty = flow(part.default) === '{}' || flow(part.default) === '[]';
		const shown = isEmpty ? ` # such as ${flow(inventValue(part))}` : '';
		return [...lines, ...partLines(part, indent), `${indent}${key}: ${flow(part.default)}${shown}`];
	});
}

/** The settings file with every setting, its default and what it means. */
function exampleYaml(shape: Shape): string {
	return [
		'# yaml-language-server: $schema=./majordomo.schema.json',
		'#',
		'# Settings of Majordomo. Copy this file to config/majordomo.yaml, put your own rooms in, and take out what you',
		'# do not change: everything has the value shown here by default, only the rooms are examples.',
		'# Settings that start with # right before their name are off; remove the # to use them.',
		'# Times are in milliseconds. Discord ids stand in quotes. Secrets are not here: they come from the environment.',
		...groupLines(shape, '', '', new Set()),
		'',
	].join('\n');
}

function exampleEnvironment(): string {
	const variables = Object.entries(environmentSchema.shape).flatMap(([name, schema]) => {
		const fallback = schema.safeParse(undefined).data;
		const value = typeof fallback === 'string' ? fallback : '';
		const note = (SECRET_VARIABLES as readonly string[]).includes(name) ? 'Secret. ' : '';
		return ['', ...comment(`${note}${schema.description ?? ''}`, ''), `${name}=${value}`];
	});
	return [
		'# Copy to .env (chmod 600) or set in the environment; the environment wins. Empty means not set.',
		...variables,
		'',
	].join('\n');
}

/** Every file that is made from the schema, by its path. */
export function configFiles(): Readonly<Record<string, string>> {
	const shape = settingsShape();
	const { $schema, ...rest } = shape;
	const schema = { $schema, title: 'Majordomo settings', description: 'config/majordomo.yaml', ...rest };
	return {
		'.env.example': exampleEnvironment(),
		'config/majordomo.example.yaml': exampleYaml(shape),
		'config/majordomo.schema.json': `${JSON.stringify(schema, undefined, '\t')}\n`,
	};
}
