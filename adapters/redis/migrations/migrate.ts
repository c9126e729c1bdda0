import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { createLeaseKeeper } from '../stores/lease-keeper.ts';
import { createLeases } from '../stores/leases.ts';
import { journalName } from './journal-name.ts';
import type { Migration } from './migration.ts';
import { isUnfinished, noteSchemaVersion, readSchemaVersion } from './schema-version.ts';

const MIGRATIONS: readonly Migration[] = [journalName];
const LEASE_MS = 10_000;
const DEADLINE_MS = 300_000;

/** What is in Redis cannot be used by this version. The message says what to do. */
export class LayoutUnfit extends Error {
	override readonly name = 'LayoutUnfit';
	readonly code: 'layout_too_new' | 'restore_unfinished' | 'migration_late';
	/** 78 (EX_CONFIG) where starting again does not help. */
	readonly exitCode: number;

	constructor(code: LayoutUnfit['code'], message: string) {
		super(message);
		this.code = code;
		this.exitCode = code === 'migration_late' ? 1 : 78;
	}
}

export interface MigrateOptions {
	readonly migrations?: readonly Migration[];
	readonly deadlineMs?: number;
	readonly leaseMs?: number;
}

/**
 * Brings the keys to the newest layout before anybody uses them. One process does it, the others wait for it; if it
 * dies, the next one goes on. Returns the versions before and after. Rejects with {@link LayoutUnfit}.
 */
export async function migrate(
	redis: RedisConnection,
	options: MigrateOptions = {},
): Promise<{ from: number; to: number }> {
	const { migrations = MIGRATIONS, deadlineMs = DEADLINE_MS, leaseMs = LEASE_MS } = options;
	const newest = Math.max(0, ...migrations.map(({ to }) => to));
	const from = await readSchemaVersion(redis);
	if (await isUnfinished(redis))
		throw new LayoutUnfit(
			'restore_unfinished',
			'A restore broke off half-way. Run it again: npm run restore -- <file> --replace',
		);
	if (from > newest)
		throw new LayoutUnfit(
			'layout_too_new',
			`The data in Redis has layout ${from}, this version knows up to ${newest}. Start the newer version, or restore a backup from before the upgrade.`,
		);
	if (from === newest) return { from, to: newest };
	const keeper = createLeaseKeeper(createLeases(redis), 'migration', leaseMs, redis.log);
	const end = performance.now() + deadlineMs;
	while (!(await keeper.acquire())) {
		if ((await readSchemaVersion(redis)) >= newest) return { from, to: newest };
		if (performance.now() > end)
			throw new LayoutUnfit(
				'migration_late',
				'Another process changes the layout of the data and does not finish. Look at its log.',
			);
		await sleep(Math.min(500, leaseMs / 4));
	}
	try {
		await run(redis, migrations, () => keeper.holds());
	} finally {
		await keeper.release();
	}
	return { from, to: newest };
}

async function run(redis: RedisConnection, migrations: readonly Migration[], holds: () => boolean): Promise<void> {
	const isEmpty = (await everyKey(redis)).every((key) => key.includes(':lease:'));
	for (const migration of [...migrations].sort((a, b) => a.to - b.to)) {
		if ((await readSchemaVersion(redis)) >= migration.to) continue;
		const changed = isEmpty ? 0 : await migration.run(redis);
		if (!holds())
			throw new LayoutUnfit('migration_late', 'This process lost the right to change the layout; start it again.');
		await noteSchemaVersion(redis, migration.to);
		if (!isEmpty) redis.log.info({ layout: migration.to, changed }, `migrated: ${migration.what}`);
	}
}
