import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { settingsSchema } from '../../../config/schema.ts';

const pages = ['README.md', 'CHANGELOG.md', ...readdirSync('docs').map((name) => join('docs', name))]
	.filter((path) => path.endsWith('.md'))
	.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The name under which a heading can be linked to. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.trim()
		.replaceAll(' ', '-');

function anchors(path: string): string[] {
	return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

interface Schema {
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly $ref?: string;
	readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Whether a dotted name leads to a setting, through lists and choices too. */
function isSetting(schema: Schema, names: readonly string[]): boolean {
	const [name, ...rest] = names;
	if (name === undefined) return true;
	const child = schema.properties?.[name];
	const target = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.split('/').at(-1) ?? ''];
	const same = [schema.items, target, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
	return (
		(child !== undefined && isSetting(child, rest)) || same.some((one) => one !== undefined && isSetting(one, names))
	);
}

describe('what the pages say is there', () => {
	test('OPS-1 every link leads to a file and a heading', () => {
		const dead = pages.flatMap(({ path, text }) =>
			[...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
				if (/^https?:/.test(target)) return [];
				const [file = '', anchor] = target.split('#');
				const there = file === '' ? path : join(dirname(path), file);
				const isDead = !existsSync(there) || (anchor !== undefined && !anchors(there).includes(anchor));
				return isDead ? [`${path}: ${target}`] : [];
			}),
		);
		expect(dead).toEqual([]);
	});

	test('OPS-1 every npm script exists', () => {
		const named = pages.flatMap(({ path, text }) =>
			[...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => ({ path, script })),
		);
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
	});

	test('OPS-4 every setting exists', () => {
		const groups = Object.keys(settingsSchema.shape).join('|');
		const spans = ['fleet.due', 'fleet.wake', 'fleet.tool', 'intake.event', 'model.call'];
		const named = pages.flatMap(({ path, text }) =>
			[...text.matchAll(new RegExp(`\`((?:${groups})\\.[A-Za-z.]*[A-Za-z])(?:: [^\`]*)?\``, 'g'))]
				.map(([, setting = '']) => ({ path, setting }))
				.filter(({ setting }) => !spans.includes(setting)),
		);
		expect(named.length).toBeGreaterThan(10);
		expect(named.filter(({ setting }) => !isSetting(root, setting.split('.')))).toEqual([]);
	});

	test('OPS-1 every file that is named is there', () => {
		const own = /`((?:adapters|bot|core|demo|docs|jobs|ops|prompts|scripts|test|tools)\/[\w./-]+)`/g;
		const gone = pages.flatMap(({ path, text }) =>
			[...text.matchAll(own)].filter(([, file = '']) => !existsSync(file)).map(([, file]) => `${path}: ${file}`),
		);
		expect(gone).toEqual([]);
	});
});
