import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRedis } from '../adapters/redis/connection.ts';
import { findRedis } from '../adapters/redis/server/find-redis.ts';
import { conciergeModel } from '../config/fleet-model.ts';
import { loadConfig } from '../config/load.ts';
import { fleetRatesOf, fleetShortfalls, fleetTable } from '../test/evals/fleet/rates.ts';
import { runFleetScenes } from '../test/evals/fleet/run-scenes.ts';
import { FLEET_SCENES } from '../test/evals/fleet/scenes/all.ts';
import { findEvalModel } from '../test/evals/overseer/eval-model.ts';
import { testLog } from '../test/support/redis.ts';

/**
 * `npm run eval:fleet [-- --model provider/name] [group or scene …]`: plays scenes of a fleet through the real jobs on a real Redis,
 * prints rates and writes everything to a JSON file. Only the scripted model is held to them; see docs/evals.md.
 */
async function main(): Promise<number> {
	const { values, positionals } = parseArgs({ allowPositionals: true, options: { model: { type: 'string' } } });
	const groups = Object.fromEntries(
		Object.entries(FLEET_SCENES)
			.map(([group, scenes]) => {
				const isWhole = positionals.length === 0 || positionals.includes(group);
				return [group, isWhole ? scenes : scenes.filter(({ id }) => positionals.includes(id))] as const;
			})
			.filter(([, scenes]) => scenes.length > 0),
	);
	if (Object.keys(groups).length === 0) throw new Error(`no such scene or group: ${positionals.join(' ')}`);

	const env = withModel(process.env, values.model);
	const { model, isScripted, deadlineMs, close } = await findEvalModel(env, { maxOutputTokens: 2_000 });
	const dataDir = join('.data', 'evals');
	await mkdir(dataDir, { recursive: true });
	const redis = await findRedis({
		dataDir,
		env: process.env,
		allowEphemeral: true,
		report: (step) => console.log(step),
	});
	const startedAt = new Date();
	console.log(`Playing with ${model.id}, on ${redis.how}`);
	try {
		const connect = async () => {
			// A prefix for each scene: none knows of another.
			const connection = createRedis({
				where: redis.where,
				prefix: `eval${randomUUID().slice(0, 8)}`,
				commandTimeoutMs: 5_000,
				log: testLog(),
				now: Date.now,
			});
			await connection.ready(20_000);
			return connection;
		};
		const verdicts = await runFleetScenes(groups, { model, connect, deadlineMs }, (group, { id, problems, played }) => {
			if (problems.length > 0) console.log(`  ${group}/${id}: ${problems.join('; ')}`);
			else if (!isScripted) console.log(`  ${group}/${id}: well (${played.ms} ms)`);
		});
		const rates = fleetRatesOf([...verdicts.values()].flat());
		const rows = [...verdicts].map(([group, own]) => [group, fleetRatesOf(own)] as const);
		console.log(`\n${fleetTable([...rows, ['all', rates]])}\n`);
		const path = process.env.EVAL_JSON ?? join(dataDir, `fleet-${model.id.replace(/[^\w.-]+/g, '_')}.json`);
		await mkdir(dirname(path), { recursive: true });
		const scenes = Object.fromEntries(
			[...verdicts].map(([group, own]) => [
				group,
				own.map((verdict) => ({
					...verdict,
					played: { ...verdict.played, inboxes: Object.fromEntries(verdict.played.inboxes) },
				})),
			]),
		);
		await writeFile(path, `${JSON.stringify({ model: model.id, startedAt, rates, scenes }, null, '\t')}\n`);
		console.log(`Feeds, inboxes, answers and verdicts: ${path}`);
		const missing = isScripted ? fleetShortfalls(rates) : [];
		for (const line of missing) console.log(`TOO LOW OR TOO HIGH: ${line}`);
		return missing.length > 0 ? 1 : 0;
	} finally {
		await close();
		await redis.stop();
	}
}

/** `--model ollama/qwen3:8b` and EVAL_MODEL=ollama:qwen3:8b are the same; `settings` is what fleet.concierge says. */
function withModel(env: NodeJS.ProcessEnv, wanted: string | undefined): NodeJS.ProcessEnv {
	const name = wanted ?? env.EVAL_MODEL;
	if (name === undefined) return env;
	if (name !== 'settings') return { ...env, EVAL_MODEL: name.replace(/^(ollama|anthropic)\//, '$1:') };
	const { settings } = loadConfig({ env, check: 'none' });
	const { id } = conciergeModel(settings.fleet.concierge, settings.model);
	if (id === undefined) throw new Error('fleet.concierge.model is none');
	return { OLLAMA_HOST: settings.model.ollama.url, ...env, EVAL_MODEL: id.replace('/', ':') };
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
