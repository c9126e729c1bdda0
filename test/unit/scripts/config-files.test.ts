import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentSchema, parseEnvironment } from '../../../config/env.ts';
import { parseSettings } from '../../../config/parse-settings.ts';
import { findMissing } from '../../../config/required-secrets.ts';
import { settingsSchema } from '../../../config/schema.ts';
import { type Shape, settingPaths, settingsShape } from '../../../config/settings-shape.ts';
import { configFiles } from '../../../scripts/config-files.ts';

const files = configFiles();
const example = files['config/majordomo.example.yaml']!;
/** The example with every setting that is off switched on, and every empty list and table filled as shown. */
const switchedOn = example.replace(/^(\s*)#(?=\S)/gm, '$1').replace(/: (?:\{\}|\[\]) # such as (.*)$/gm, ': $1');

describe('files made from the schema', () => {
	test.each(Object.keys(files))('OPS-4 %s is what the schema says today; if not, run npm run generate', (path) => {
		expect(readFileSync(path, 'utf8')).toBe(files[path]);
	});

	test('OPS-4 the example is a settings file, and but for its rooms it says what holds by default', () => {
		const parsed = parseSettings(example);
		expect(parsed).toMatchObject({ ok: true });
		expect(parsed.ok && { ...parsed.settings, rooms: [] }).toEqual(settingsSchema.parse({}));
	});

	test('OPS-4 everything that is off in it can be switched on', () => {
		expect(switchedOn).not.toBe(example);
		const parsed = parseSettings(switchedOn);
		expect(parsed).toMatchObject({ ok: true });
		expect(parsed.ok && parsed.settings.discord.guildId).toMatch(/^\d{18}$/);
	});

	test('OPS-4 every setting stands in the example', () => {
		const shown = new Set<string>();
		const known = settingPaths();
		const visit = (value: unknown, path: string) => {
			shown.add(path);
			if (Array.isArray(value)) for (const item of value) visit(item, `${path}.*`);
			else if (typeof value === 'object' && value !== null)
				for (const [key, item] of Object.entries(value)) {
					const own = path === '' ? key : `${path}.${key}`;
					// A name of the operator's own choice stands for any.
					visit(item, known.includes(own) ? own : `${path}.*`);
				}
		};
		visit(parse(switchedOn), '');
		expect(known.filter((path) => !shown.has(path))).toEqual([]);
	});

	test('OPS-4 every setting is described in words', () => {
		const silent: string[] = [];
		const visit = (shape: Shape, path: string) => {
			for (const branch of shape.oneOf ?? shape.anyOf ?? [shape])
				for (const [key, part] of Object.entries(branch.properties ?? {})) {
					if (!part.description) silent.push(`${path}${key}`);
					visit(part, `${path}${key}.`);
				}
			if (shape.items) visit(shape.items, `${path}*.`);
		};
		visit(settingsShape(), '');
		expect(silent).toEqual([]);
	});

	test('OPS-4 the JSON Schema agrees with the program on what is right and wrong', () => {
		// JSON Schema patterns are Unicode ones, which this reader does not know.
		const text = files['config/majordomo.schema.json']!.replaceAll('\\\\p{L}\\\\p{N}', 'A-Za-z0-9');
		const schema = z.fromJSONSchema(JSON.parse(text));
		expect(schema.safeParse(parse(switchedOn)).error).toBeUndefined();
		for (const wrong of [
			'stage: full',
			'overseer: { stage: loud }',
			'http: { port: 70000 }',
			'rooms: [{ id: a }]',
			'discord: { guildId: 5 }',
		])
			expect(schema.safeParse(parse(wrong)).success, wrong).toBe(false);
	});

	test('OPS-4 .env.example names every variable once, is read as it stands, and holds no secret', () => {
		const variables = parseEnv(files['.env.example']!) as Record<string, string>;
		expect(Object.keys(variables).sort()).toEqual(Object.keys(environmentSchema.shape).sort());
		const parsed = parseEnvironment(variables);
		expect(parsed).toEqual(parseEnvironment({}));
	});

	test('OPS-4 with its secrets set, the example starts', () => {
		const settings = parseSettings(switchedOn);
		const variables = {
			DISCORD_TOKEN: 'a.b.c',
			ANTHROPIC_API_KEY: 'x',
			HOME_ASSISTANT_TOKEN: 'x',
			ROOM_TOKENS: 'living:aaaaaaaaaaaaaaaa',
			INTAKE_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}`,
			PACKET_KEYS: 'analyst-desk:first:aaaaaaaaaaaaaaaa',
		};
		const environment = parseEnvironment(variables);
		expect(settings.ok && environment.ok && findMissing(settings.settings, environment.environment, variables)).toEqual(
			[],
		);
	});
});
