import {
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOption,
	ApplicationCommandOptionType,
} from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import type { Command } from '../../../../bot/commands/command.ts';
import { commandsFor } from '../../../../bot/commands/commands.ts';
import { commandData } from '../../../../bot/commands/data.ts';
import { createFleetCommandMaker } from '../../../../bot/commands/fleet-command.ts';
import { createConciergeCommands } from '../../../../bot/commands/fleet-concierge.ts';
import { fleetCommandData } from '../../../../bot/commands/fleet-data.ts';
import { createSessionCommands } from '../../../../bot/commands/fleet-session.ts';
import { createStartCommand } from '../../../../bot/commands/fleet-session-start.ts';
import { createHelpCommand } from '../../../../bot/commands/help.ts';
import { createIntakeCommands } from '../../../../bot/commands/intake.ts';
import { intakeCommandData } from '../../../../bot/commands/intake-data.ts';
import { hashOf } from '../../../../bot/deploy.ts';
import { helpView } from '../../../../bot/views/help.ts';
import { settingsSchema } from '../../../../config/schema.ts';

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

/** Commands of every part. Nothing of what they are made with is used before they run. */
const OPERATORS = '300000000000000009';
const settings = settingsSchema.parse({ fleet: { channelId: '300000000000000001', operatorRoleIds: [OPERATORS] } });
const make = createFleetCommandMaker({ settings: () => settings } as never);
const unmade = { make, ports: {} } as never;
const everything: readonly Command[] = [
	...commandsFor(
		{ facts: async () => Promise.reject(), panel: async () => ({}), presenceFacts: async () => Promise.reject() },
		[
			...createIntakeCommands({} as never),
			...createConciergeCommands(unmade),
			...createSessionCommands(unmade),
			createStartCommand(unmade),
		],
	),
];
const everyNode = [
	...commandData,
	...intakeCommandData.filter((one) => 'description' in one),
	...fleetCommandData,
].flatMap((root) => walk(root as unknown as Node));

describe('every command of every part', () => {
	test('OPS-11 has one line of help in both languages and an example that begins with its name', () => {
		for (const { path, help, example } of everything) {
			for (const language of ['en', 'de'] as const) {
				const line = createTranslate(language)(help);
				expect(line, path).not.toMatch(/\n|^$|\{/);
				expect(line.length, path).toBeLessThanOrEqual(100);
			}
			if (path !== 'panel prompt') expect(example, path).toMatch(new RegExp(`^/${path}(?: |$)`));
		}
	});

	test('OPS-11 is described in German too, down to its last option', () => {
		for (const node of everyNode)
			expect(node.description_localizations?.['de'], `${node.name}: ${node.description}`).toMatch(/\S/);
	});

	test('OPS-11 FLT-17 help of the fleet shows what this person may do there, by their rights in the fleet', async () => {
		const help = createHelpCommand(everything);
		const helpFor = async (roleIds: string[]) => {
			const request = { person: { id: '100000000000000007', roleIds }, t: createTranslate('en'), text: () => 'fleet' };
			return JSON.stringify(await help.run(request as never, { settings: () => settings } as never));
		};
		const [stranger, operator] = [await helpFor([]), await helpFor([OPERATORS])];
		for (const path of ['ask', 'session list', 'concierge status']) expect(stranger, path).toContain(`/${path}\``);
		for (const path of ['session start', 'concierge on', 'concierge off']) {
			expect(stranger, path).not.toContain(`/${path}\``);
			expect(operator, path).toContain(`/${path}\``);
		}
	});

	test('OPS-11 is found in help by its part, examples included, within what one answer holds', () => {
		const t = createTranslate('de');
		const bot = { name: 'Majordomo', readsEverything: false };
		const shown = (about?: string) => String(helpView(everything, bot, t, about).embeds?.[0]?.description);
		for (const about of ['room', 'overseer', 'admin', 'intake', 'fleet', undefined])
			expect(shown(about).length, about).toBeLessThanOrEqual(4_096);
		const parts = ['room', 'overseer', 'admin', 'intake', 'fleet'].map(shown).join('\n');
		for (const { path } of everything.filter((one) => one.path !== 'help' && one.path !== 'panel prompt'))
			expect(parts, path).toContain(`/${path}\``);
	});
});

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
		const roots = [...commandData, ...intakeCommandData.filter((one) => 'description' in one), ...fleetCommandData];
		const registered = (roots as unknown as Node[]).flatMap(({ name, options = [] }) => {
			const parts = options.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand);
			return parts.length > 0 ? parts.map((part) => `${name} ${part.name}`) : [name];
		});
		expect(
			everything
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
