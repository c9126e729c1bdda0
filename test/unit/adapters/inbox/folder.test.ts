import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderSink, packetFolder } from '../../../../adapters/inbox/folder.ts';
import { handoffFor } from '../../../support/handoff.ts';

let base: string;
beforeEach(() => {
	base = mkdtempSync(join(tmpdir(), 'inbox-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const signal = new AbortController().signal;

describe('packets in a folder', () => {
	test('INT-22 three whole files for one packet, readable by us only; a second time changes nothing', async () => {
		const sink = createFolderSink({ name: 'disk', path: join(base, 'made', 'here') });
		const packet = handoffFor();
		expect(await sink.deliver(packet, signal)).toEqual({ ok: true });
		expect(await sink.deliver(packet, signal)).toEqual({ ok: true });
		const [folder, ...others] = readdirSync(join(base, 'made', 'here'));
		expect(others).toEqual([]);
		const inside = join(base, 'made', 'here', folder ?? '');
		expect(readdirSync(inside).sort()).toEqual(['facts.pl', 'handoff.json', 'requirements.md']);
		expect(JSON.parse(readFileSync(join(inside, 'handoff.json'), 'utf8'))).toMatchObject({ id: 'p1', to: 'U:BA' });
		expect(readFileSync(join(inside, 'facts.pl'), 'utf8')).toContain('has_feature(mugs).');
		expect(readFileSync(join(inside, 'requirements.md'), 'utf8')).toContain('Mug shop');
		expect(statSync(join(inside, 'handoff.json')).mode & 0o077).toBe(0);
	});

	test('INT-22 S03 whatever the project is called, the folder lies inside', () => {
		const names = [
			'../../etc/cron.d/x',
			'..',
			'CON',
			'a/b',
			'mug shop 🛒',
			'',
			'x'.repeat(300),
			'%2e%2e%2fx',
			'proj\u0000.md',
		];
		const folders = names.map((PROJECT_NAME) => {
			const packet = handoffFor();
			return packetFolder({ id: `p:${PROJECT_NAME}`, body: { ...packet.body, PROJECT_NAME } });
		});
		for (const folder of folders) expect(folder).toMatch(/^[a-z0-9_-]{1,60}$/);
		expect(new Set(folders).size).toBe(names.length);
		expect(packetFolder({ id: 'p', body: { ...handoffFor().body, PROJECT_NAME: 'con' } })).toMatch(/^project_con-/);
	});

	test('INT-22 a link that leads out is refused, and a folder that cannot be written is tried again', async () => {
		const packet = handoffFor();
		writeFileSync(join(base, 'a-file'), '');
		symlinkSync(tmpdir(), join(base, packetFolder(packet)));
		expect(await createFolderSink({ name: 'disk', path: base }).deliver(packet, signal)).toMatchObject({
			ok: false,
			permanent: true,
		});
		expect(
			await createFolderSink({ name: 'disk', path: join(base, 'a-file', 'below') }).deliver(packet, signal),
		).toMatchObject({
			ok: false,
			permanent: false,
		});
	});
});
