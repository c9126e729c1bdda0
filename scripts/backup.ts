import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { backUp } from '../adapters/redis/backup/backup.ts';
import { openStore, runChore } from './store/open-store.ts';

/** `npm run backup [-- <file>]`: saves everything in Redis while the house runs. */
await runChore(async () => {
	const [given, ...more] = process.argv.slice(2);
	if (more.length > 0 || given?.startsWith('-')) {
		console.error('npm run backup [-- <file>]   (default: backups/majordomo-<time>.jsonl.gz)');
		return 64;
	}
	const stamp = new Date().toISOString().replace(/[:.]/g, '-').slice(0, 19);
	const path = resolve(given ?? `backups/majordomo-${stamp}.jsonl.gz`);
	const store = await openStore((line) => console.error(line));
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		const { keys } = await backUp(store.redis, path);
		console.log(`${keys} keys saved to ${path}. It holds what people wrote: keep it as you keep Redis itself.`);
		return 0;
	} finally {
		await store.close();
	}
});
