import type { APIApplicationCommandBasicOption, APIApplicationCommandOption } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { commandsFor } from '../../../../bot/commands/commands.ts';
import { commandData } from '../../../../bot/commands/data.ts';
import { hashOf } from '../../../../bot/deploy.ts';

const commands = commandsFor({
	facts: async () => Promise.reject(),
	panel: async () => ({}),
	presenceFacts: async () => Promise.reject(),
});

interface Node {
	name: string;
	description: string;
	options?: readonly (APIApplicationCommandOption | APIApplicationCommandBasicOption)[];
	choices?: readonly { name: string }[];
	description_localizations?: Record<string, string | null>;
}
const walk = (node: Node): Node[] => [
	node,
	...(node.options ?? []).flatMap((option) => walk(option as unknown as Node)),
];

describe('command data', () => {
	test('OPS-11 OPS-13 everything is within what Discord takes', () => {
		for (const node of commandData.flatMap((root) => walk(root as unknown as Node))) {
			expect(node.name).toMatch(/^[a-z0-9-]{1,32}$/);
			for (const text of [node.description, ...Object.values(node.description_localizations ?? {})]) {
				expect(text?.length, node.name).toBeGreaterThan(0);
				expect(text?.length, node.name).toBeLessThanOrEqual(100);
			}
			expect(node.options?.length ?? 0).toBeLessThanOrEqual(25);
			expect(node.choices?.length ?? 0).toBeLessThanOrEqual(25);
		}
	});

	test('OPS-13 what is registered can be run, what can be run is registered (the panel’s button excepted)', () => {
		const registered = commandData.flatMap((root) =>
			'options' in root ? root.options.map((option) => `${root.name} ${option.name}`) : [root.name],
		);
		expect(
			commands
				.map(({ path }) => path)
				.filter((path) => path !== 'panel prompt')
				.sort(),
		).toEqual([...registered].sort());
	});

	test('OPS-13 every command but help asks for a right', () => {
		expect(commands.filter(({ action }) => action === undefined).map(({ path }) => path)).toEqual(['help']);
	});

	test('OPS-13 the hash changes with any text', () => {
		expect(hashOf(commandData)).toBe(hashOf(structuredClone(commandData)));
		expect(hashOf([{ ...commandData[0], description: 'x' }])).not.toBe(hashOf([commandData[0]]));
	});
});
