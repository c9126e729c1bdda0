import { createLog } from '../adapters/observe/log.ts';
import { createRedis } from '../adapters/redis/connection.ts';
import { createInboxStore } from '../adapters/redis/intake/inbox-store.ts';
import { createSealer } from '../adapters/redis/intake/sealer.ts';
import { findRedis } from '../adapters/redis/server/find-redis.ts';
import { createStored } from '../adapters/redis/stored.ts';
import { environmentSecrets } from '../config/env.ts';
import { loadConfig } from '../config/load.ts';
import { runInboxCommand } from './inbox-command.ts';

/** `npm run ba-inbox -- list [waiting|dead|delivered] | show <packet> | replay <packet> [place]` */
async function main(): Promise<number> {
	const { settings, environment } = loadConfig({ check: 'none' });
	const log = createLog({ level: 'warn', format: 'pretty', secrets: environmentSecrets(environment) });
	const found = await findRedis({
		dataDir: environment.dataDir,
		env: process.env,
		allowEphemeral: false,
		report: (step) => process.stderr.write(`${step}\n`),
	});
	const redis = createRedis({
		where: found.where,
		prefix: settings.redis.prefix,
		commandTimeoutMs: settings.redis.commandTimeoutMs,
		log,
		now: Date.now,
		name: 'ba-inbox',
	});
	try {
		await redis.ready(10_000);
		const inbox = createInboxStore({
			redis,
			stored: createStored(redis),
			sealer: createSealer(environment.intakeKeys, false),
		});
		return await runInboxCommand(process.argv.slice(2), {
			inbox,
			now: Date.now,
			say: (line) => process.stdout.write(`${line}\n`),
		});
	} finally {
		await redis.close();
		await found.stop();
	}
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	},
);
