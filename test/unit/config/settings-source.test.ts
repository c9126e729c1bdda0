import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingsSchema } from '../../../config/schema.ts';
import { createSettingsSource } from '../../../config/settings-source.ts';

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reload-'));
	path = join(folder, 'majordomo.yaml');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('settings source', () => {
	test('OPS-4 a reload takes effect, says what changed and what waits for a restart', () => {
		const source = createSettingsSource({ path, initial: settingsSchema.parse({}) });
		const heard: string[] = [];
		const remove = source.onChange((now, before) => heard.push(`${before.overseer.name} → ${now.overseer.name}`));
		writeFileSync(path, 'overseer: { name: Butler, gate: { tickMs: 1500 } }\nhttp: { port: 9000 }\n');
		expect(source.reload()).toEqual({
			ok: true,
			changed: ['overseer.name', 'overseer.gate.tickMs', 'http.port'],
			restartNeeded: ['http.port'],
		});
		expect(source.current().overseer.name).toBe('Butler');
		expect(source.reload()).toEqual({ ok: true, changed: [], restartNeeded: [] });
		remove();
		writeFileSync(path, 'overseer: { name: Steward }\n');
		source.reload();
		expect(heard).toEqual(['Overseer → Butler']);
	});

	test.each([
		['http: { queuesReadOnly: false }', ['http.queuesReadOnly']],
		['model: { name: another }', ['model.name']],
		['model: { prices: { anthropic/one: { input: 1, output: 5 } } }', []],
		['discord: { adminRoleIds: ["800000000000000003"] }', []],
		['overseer: { name: Butler, cooldowns: { liftMs: 30000 } }', []],
		['overseer: { audit: { maxRows: 300 } }', ['overseer.audit.maxRows']],
		['fleet: { pi: { directories: [/srv] } }', []],
		['fleet: { channelId: "800000000000000004" }', ['fleet.channelId']],
		['rooms: [{ id: lab, title: Lab, channelId: "800000000000000005" }]', []],
		[
			'rooms: [{ id: lab, title: Lab, channelId: "800000000000000005", lights: [{ entityId: light.a, label: a }] }]',
			['rooms'],
		],
	])('OPS-4 of %s what is only read at the start waits for a restart', (text, waiting) => {
		const source = createSettingsSource({ path, initial: settingsSchema.parse({}) });
		writeFileSync(path, text);
		const result = source.reload();
		expect(result.ok, result.ok ? '' : result.text).toBe(true);
		expect(result.ok && result.changed.length).toBeGreaterThan(0);
		expect(result.ok && result.restartNeeded).toEqual(waiting);
	});

	test('OPS-4 C03 a bad reload keeps the old settings and says why', () => {
		const warnings: string[] = [];
		const log = { info: () => undefined, warn: (_: unknown, message: string) => warnings.push(message) };
		const initial = settingsSchema.parse({ overseer: { name: 'Butler' } });
		const source = createSettingsSource({ path, initial, log });
		source.onChange(() => {
			throw new Error('must not be called');
		});
		const texts = [
			'overseer: { name: "" }',
			'overseer: [',
			'discord: { token: abc }',
			'fleet: { concierge: { heartbeat: every 15 } }',
			'fleet: { concierge: { heartbeat: "*/90 * * * *" } }',
		];
		for (const text of texts) {
			writeFileSync(path, text);
			const result = source.reload();
			expect(result.ok).toBe(false);
			expect(!result.ok && result.text).toContain('→');
			expect(source.current()).toBe(initial);
		}
		rmSync(path);
		expect(source.reload()).toMatchObject({ ok: false });
		expect(source.current()).toBe(initial);
		expect(warnings).toHaveLength(texts.length + 1);
	});

	test('OPS-4 one listener that fails does not keep the others from hearing', () => {
		const source = createSettingsSource({ path, initial: settingsSchema.parse({}) });
		const heard: string[] = [];
		source.onChange(() => {
			throw new Error('broken');
		});
		source.onChange((now) => heard.push(now.overseer.name));
		writeFileSync(path, 'overseer: { name: Butler }');
		expect(source.reload().ok).toBe(true);
		expect(heard).toEqual(['Butler']);
	});
});
