import { resolve } from 'node:path';
import { findServerBinary } from '../adapters/redis/server/find-redis.ts';
import { soak } from '../test/support/soak/soak.ts';
import { tallyTable } from '../test/support/soak/tally.ts';

/**
 * `npm run soak`: two bot processes and three worker processes on one Redis under mixed load for SOAK_SECONDS (600), and a
 * table of what was begun, ended, lost and doubled. Ends with 1 when anything was lost or doubled.
 */
const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const SHOWN = 10;
const print = (line: string) => process.stdout.write(`${line}\n`);
const binary = await findServerBinary({ dataDir: resolve('.data'), env: process.env, report: print });
if (binary) {
	process.env.TEST_REDIS_BINARY = binary.path;
	process.env.TEST_REDIS_LIBRARIES = binary.libraryPath ?? '';
}
print(`Two bot processes, three worker processes, one Redis, ${seconds} s of mixed load.`);
const { tallies, memory, leftToTheOther, complaints } = await soak(seconds * 1_000);
for (const line of tallyTable(tallies)) print(line);
print(`Redis: ${memory.map((bytes) => `${(bytes / 1_048_576).toFixed(1)} MiB`).join(' at a quarter, ')} at the end`);
print(`${leftToTheOther} lines reached both bots and were left to the one that was faster`);
for (const { name, lost, doubled } of tallies) {
	for (const what of lost.slice(0, SHOWN)) print(`lost, ${name}: ${what}`);
	for (const what of doubled.slice(0, SHOWN)) print(`doubled, ${name}: ${what}`);
}
for (const line of complaints) print(line);
process.exit(tallies.some(({ lost, doubled }) => lost.length + doubled.length > 0) ? 1 : 0);
