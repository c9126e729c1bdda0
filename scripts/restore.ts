import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { restore } from '../adapters/redis/backup/restore.ts';
import { openStore, runChore } from './store/open-store.ts';

const USAGE = 'npm run restore -- <file> [--replace]   (--replace removes what is under the prefix now)';

/** `npm run restore -- <file>`: puts a backup back; every process of the house has to be stopped. */
await runChore(async () => {
	const { values, positionals } = parseArgs({ options: { replace: { type: 'boolean' } }, allowPositionals: true });
	const [file, ...more] = positionals;
	if (file === undefined || more.length > 0) {
		console.error(USAGE);
		return 64;
	}
	const store = await openStore((line) => console.error(line));
	try {
		const { head, keys, ended, removed } = await restore(store.redis, resolve(file), {
			replace: values.replace ?? false,
		});
		const made = new Date(head.at).toISOString();
		console.log(`${keys} keys restored from the backup of ${made} (Redis ${head.server}, layout ${head.schema}).`);
		if (removed > 0) console.log(`${removed} keys that were there were removed first.`);
		if (ended > 0) console.log(`${ended} keys had ended since and stay away.`);
		return 0;
	} finally {
		await store.close();
	}
});
