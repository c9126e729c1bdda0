import type { z } from 'zod';
import type { ConfigProblem } from './config-error.ts';
import { describeValue } from './describe-value.ts';
import { nearestName } from './nearest-name.ts';
import { type Shape, settingPaths, shapesAt } from './settings-shape.ts';

type Issue = z.core.$ZodIssue;

const article = (type: string) =>
	({
		string: 'text',
		number: 'a number',
		int: 'a whole number',
		boolean: 'true or false',
		array: 'a list',
		object: 'a group of settings',
	})[type] ?? type;

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(value, key) =>
			typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
		root,
	);
}

/** One of `a`, `b` or `c`. */
const choice = (values: readonly unknown[]) => {
	const words = values.map(String);
	return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
};

function hintFor(issue: Issue, shapes: readonly Shape[]): string {
	const fallback = shapes.find((shape) => shape.default !== undefined)?.default;
	const standard =
		fallback === undefined || typeof fallback === 'object' ? '' : ` (default ${JSON.stringify(fallback)})`;
	switch (issue.code) {
		case 'invalid_type': {
			const own = /^Invalid input/.test(issue.message) ? `write ${article(String(issue.expected))}` : issue.message;
			return own + standard;
		}
		case 'invalid_value':
			return `write ${choice(issue.values)}${standard}`;
		case 'too_small':
			return `${issue.origin === 'string' ? 'at least this many characters' : issue.origin === 'array' ? 'at least this many entries' : 'at least'}: ${issue.minimum}${standard}`;
		case 'too_big':
			return `${issue.origin === 'string' ? 'at most this many characters' : issue.origin === 'array' ? 'at most this many entries' : 'at most'}: ${issue.maximum}${standard}`;
		case 'invalid_format':
		case 'custom':
			return `write ${issue.message}${standard}`;
		case 'invalid_union': {
			const options = shapes.flatMap((shape) => shape.enum ?? (shape.const === undefined ? [] : [shape.const]));
			if (shapes.some((shape) => shape.type === 'boolean')) options.unshift(true, false);
			const named = (issue as { options?: readonly unknown[] }).options;
			return `write ${choice(named ?? [...new Set(options)])}${standard}`;
		}
		default:
			return `write ${issue.message}${standard}`;
	}
}

function unknownKey(key: string, path: readonly PropertyKey[], shapes: readonly Shape[], root: Shape): ConfigProblem {
	const full = [...path, key].join('.');
	const siblings = [...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {})))];
	const near = nearestName(key, siblings);
	const here = [...path.map((step) => (typeof step === 'number' ? '*' : step)), key].join('.');
	const elsewhere = settingPaths(root).filter((known) => known.split('.').at(-1) === key && known !== here);
	const hint =
		near !== undefined
			? `did you mean ${[...path, near].join('.')}?`
			: elsewhere.length === 1
				? `it belongs at ${elsewhere[0]}`
				: `take it out; known here: ${siblings.slice(0, 12).join(', ')}${siblings.length > 12 ? ', …' : ''}`;
	return { source: 'file', path: full, got: 'unknown setting', hint };
}

/** One finding of the schema as problems a person can act on. `root` is the settings' shape, `value` what was read. */
export function explainIssue(issue: Issue, root: Shape, value: unknown): ConfigProblem[] {
	const shapes = shapesAt(root, issue.path, value);
	if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.path, shapes, root));
	const got = describeValue(valueAt(value, issue.path));
	return [{ source: 'file', path: issue.path.join('.'), got, hint: hintFor(issue, shapes) }];
}
