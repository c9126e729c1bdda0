import { expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import type { CommandDeps, CommandRequest } from '../../../../bot/commands/command.ts';
import { HOUSE_ROWS, reloadCommand } from '../../../../bot/commands/reload.ts';
import { discordSettings } from '../../../../config/discord.ts';
import { canDo } from '../../../../core/access/permissions.ts';
import type { HouseReload } from '../../../../core/operations/house-reload.ts';
import type { AuditRow } from '../../../../core/tooling/call.ts';
import { createMemoryLog } from '../../../support/fakes/memory-log.ts';

type Came = Awaited<ReturnType<HouseReload['reload']>>;
const taken = { changed: ['overseer.name', 'http.port'], restartNeeded: ['http.port'] };
const BAD = 'majordomo.yaml:4 cooldownMs: expected a number, found "soon"';
const worker = 'worker on den (4711)';

async function run(came: Came | undefined, isStoreAway = false) {
	const rows: AuditRow[] = [];
	const request = {
		person: { id: '100000000000000001', roleIds: [] },
		personName: 'Alex',
		interactionId: '200000000000000001',
		t: createTranslate('en'),
	} as unknown as CommandRequest;
	const deps = {
		...(came === undefined ? {} : { reload: { reload: async () => came } }),
		audit: {
			append: async (row: AuditRow) => {
				if (isStoreAway) throw new Error('redis is away');
				rows.push(row);
			},
		},
		clock: { now: () => 1_000 },
		log: createMemoryLog(),
	} as unknown as CommandDeps;
	const result = await reloadCommand.run(request, deps);
	return { rows, text: 'content' in result ? (result.content ?? '') : result };
}

test('OPS-4 /admin reload says what changed, what waits for a restart, and how the other processes fared', async () => {
	const { text, rows } = await run({ own: taken, others: [{ ...taken, process: worker }] });
	expect(text).toBe(
		'Settings and prompts were read again. Changed: `overseer.name`, `http.port`.\nOnly after a restart: `http.port`.\nOf 1 other processes 1 did the same.',
	);
	expect(rows).toMatchObject([
		{
			room: HOUSE_ROWS,
			tool: 'admin_reload',
			step: 'confirmed',
			cause: 'Alex (100000000000000001)',
			args: { changed: taken.changed },
		},
	]);
	const same = await run({ own: { changed: [], restartNeeded: [] }, others: [] });
	expect(same.text).toBe('Settings and prompts were read again. No setting had changed.\nNo other process answered.');
});

test('OPS-4 a bad file keeps the old settings, and whoever asked is told why, here and elsewhere', async () => {
	const kept = { changed: [], restartNeeded: [], settingsKept: BAD };
	const here = await run({ own: kept, others: [{ ...kept, process: worker }] });
	expect(here.text).toContain('so the old settings stay');
	expect(here.text).toContain(BAD);
	expect(here.text).toContain('Of 1 other processes 1 did the same.');
	expect(here.rows).toMatchObject([{ step: 'failed', summary: BAD }]);

	const there = await run({ own: taken, others: [{ ...kept, process: worker }] });
	expect(there.text).toContain('Of 1 other processes 0 did the same.');
	expect(there.text).toContain(`- ${worker} kept what it had: `);
	expect(there.rows[0]?.step).toBe('failed');

	const prompts = await run({ own: { ...taken, promptsKept: 'overseer/honest.md is empty' }, others: [] });
	expect(prompts.text).toContain('Changed: `overseer.name`');
	expect(prompts.text).toContain('overseer/honest.md is empty');

	const long = { ...kept, settingsKept: 'x'.repeat(9_000) };
	const others = Array.from({ length: 40 }, (_, at) => ({ ...taken, process: `worker ${at}` }));
	expect((await run({ own: long, others })).text).toHaveProperty(
		'length',
		expect.toSatisfy((size: number) => size <= 2_000),
	);
});

test('OPS-4 it is for admins, does without the store, and says where there is no file', async () => {
	const settings = discordSettings.parse({ adminUserIds: ['100000000000000001'] });
	expect(reloadCommand.action).toBe('admin.reload');
	expect(canDo('admin.reload', { id: '100000000000000001', roleIds: [] }, settings).allowed).toBe(true);
	expect(canDo('admin.reload', { id: '100000000000000002', roleIds: [] }, settings).allowed).toBe(false);
	expect((await run({ own: taken, others: [] }, true)).text).toContain('The audit could not be written');
	expect((await run(undefined)).text).toEqual({ refused: 'refused.noReload' });
});
