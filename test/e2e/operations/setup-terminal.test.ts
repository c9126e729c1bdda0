import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../../demo/house.ts';
import { runSetup } from '../../../scripts/setup/run-setup.ts';
import { createTerminalAsker } from '../../../scripts/setup/terminal-asker.ts';

describe('setup at a terminal', () => {
	let house: RehearsalHouse;
	let dir: string;
	const draft: Record<string, string> = {};
	beforeAll(async () => {
		house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
		dir = await mkdtemp(join(tmpdir(), 'mj-terminal-'));
	});
	afterAll(async () => {
		await house.close();
		await rm(dir, { recursive: true, force: true });
	});

	/** Types these lines, each when it is asked for, then hangs up. */
	async function type(lines: readonly string[]) {
		const input = new PassThrough();
		const output = new PassThrough();
		let shown = '';
		output.on('data', (chunk) => {
			shown += String(chunk);
		});
		const asker = createTerminalAsker({
			input,
			output,
			draft: { ...draft },
			remember: async (key, answer) => {
				draft[key] = answer;
			},
		});
		input.end(`${lines.join('\n')}\n`);
		const outcome = await runSetup({
			asker,
			envPath: join(dir, '.env'),
			settingsPath: join(dir, 'majordomo.yaml'),
			restUrl: house.discord.restUrl,
			fresh: false,
		}).then(
			() => 'written',
			(error: Error & { code?: string }) => error.code ?? error.message,
		);
		asker.close();
		return { shown, outcome };
	}

	test('OPS-3 a wrong answer is asked again with the reason; broken off, the next run goes on with what was said', async () => {
		const first = await type(['wrong-token-0123456789', house.discord.token, '', '9', '1', '1']);
		expect(first.outcome).toBe('input_ended');
		expect(first.shown).toContain('Discord refuses this token');
		expect(first.shown).toContain('A number of the list is needed');
		await expect(readFile(join(dir, '.env'))).rejects.toMatchObject({ code: 'ENOENT' });
		expect(draft['discordToken']).toBe(house.discord.token);

		// Token, reading and server stand; then room channel, admin channel, no fleet, roles, and so on.
		const ollama = house.thinking.scripted?.url ?? '';
		const second = await type([
			...['', '', ''],
			...['1', '4', '0', '1'],
			...['', '', 'Vesper', 'UTC'],
			...['1', ollama, '1'],
			...['y', house.home.url, house.home.token, '2,3', '', '0', ''],
			...['', ''],
		]);
		expect(second.outcome, second.shown).toBe('written');
		const settings = await readFile(join(dir, 'majordomo.yaml'), 'utf8');
		expect(settings).toContain('name: Vesper');
		expect(settings).toContain('entityId: cover.lift');
		expect(settings).not.toContain('neato:');
		expect(settings.match(/entityId: light\./g)).toHaveLength(2);
	});
});
