import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { readPromptFiles } from '../config/prompt-files.ts';
import { checkPrompts, PROMPT_FILES } from '../prompts/render.ts';
import { findEvalModel } from '../test/evals/overseer/eval-model.ts';
import { ratesOf, shortfalls } from '../test/evals/overseer/rates.ts';
import { runScenes } from '../test/evals/overseer/run-scenes.ts';
import { SCENES } from '../test/evals/overseer/scenes/all.ts';
import { ratesTable } from '../test/evals/overseer/table.ts';

/**
 * `npm run eval:overseer [group or scene …]`: plays the scenes with a model, prints rates and writes everything to a JSON
 * file. Only the scripted model is held to thresholds; see docs/evals.md.
 */
async function main(): Promise<number> {
	const wanted = process.argv.slice(2);
	const groups = Object.fromEntries(
		Object.entries(SCENES)
			.map(
				([group, scenes]) =>
					[
						group,
						wanted.length === 0 || wanted.includes(group) ? scenes : scenes.filter(({ id }) => wanted.includes(id)),
					] as const,
			)
			.filter(([, scenes]) => scenes.length > 0),
	);
	if (Object.keys(groups).length === 0) throw new Error(`no such scene or group: ${wanted.join(' ')}`);
	const files = readPromptFiles({
		names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
		builtInDir: resolve('prompts'),
		...(process.env.EVAL_PROMPTS ? { overrideDir: process.env.EVAL_PROMPTS } : {}),
	});
	if (!files.ok) throw new ConfigError(files.problems, 'prompts');
	const texts = checkPrompts(
		Object.fromEntries(Object.entries(files.files).map(([name, text]) => [`${name}.md`, text])),
	);

	const { model, isScripted, deadlineMs, close } = await findEvalModel(process.env);
	const startedAt = new Date();
	console.log(`Playing with ${model.id}`);
	try {
		const verdicts = await runScenes(groups, { model, texts, deadlineMs }, (group, { id, problems, played }) => {
			if (problems.length > 0) console.log(`  ${group}/${id}: ${problems.join('; ')}`);
			else if (!isScripted) console.log(`  ${group}/${id}: well (${played.latencyMs} ms)`);
		});
		const all = [...verdicts.values()].flat();
		const rates = ratesOf(all);
		console.log(
			`\n${ratesTable([...[...verdicts].map(([group, own]) => [group, ratesOf(own)] as const), ['all', rates]])}\n`,
		);
		const path = process.env.EVAL_JSON ?? join('.data', 'evals', `overseer-${model.id.replace(/[^\w.-]+/g, '_')}.json`);
		await mkdir(dirname(path), { recursive: true });
		const report = { model: model.id, startedAt, rates, scenes: Object.fromEntries(verdicts) };
		await writeFile(path, `${JSON.stringify(report, null, '\t')}\n`);
		console.log(`Prompts, answers and verdicts: ${path}`);
		const missing = isScripted ? shortfalls(rates) : [];
		for (const line of missing) console.log(`TOO LOW OR TOO HIGH: ${line}`);
		return missing.length > 0 ? 1 : 0;
	} finally {
		await close();
	}
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
