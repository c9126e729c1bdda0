import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { DEFAULT_WORDS } from '../config/intake-words.ts';
import { readPromptFiles } from '../config/prompt-files.ts';
import { measureUiFlag } from '../core/intake/measures/gold.ts';
import type { Log } from '../core/ports.ts';
import { checkPrompts, PROMPT_FILES } from '../prompts/render.ts';
import { PERSONAS } from '../test/evals/intake/personas/all-personas.ts';
import { playAll } from '../test/evals/intake/play-all.ts';
import { recordedSessions } from '../test/evals/intake/recorded-session.ts';
import { type IntakeReport, intakeReport } from '../test/evals/intake/report.ts';
import { personaRow, sessionRow } from '../test/evals/intake/report-row.ts';
import { reportTable } from '../test/evals/intake/report-table.ts';
import { UI_LABELS } from '../test/evals/intake/ui-labels.ts';

/**
 * `npm run intake:report [export.json …]`: measures recorded sessions, or without files the scripted personas and the
 * labelled texts. Prints a table, writes everything to a JSON file, and ends with 1 when a gate does not hold; docs/intake.md.
 */
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log };

async function ofFiles(files: readonly string[]): Promise<IntakeReport> {
	const rows = [];
	for (const file of files)
		for (const session of recordedSessions(file, await readFile(file, 'utf8')))
			rows.push(sessionRow(`${basename(file, '.json')}/${session.id}`, session));
	return intakeReport(rows);
}

async function ofPersonas(): Promise<IntakeReport> {
	const files = readPromptFiles({
		names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
		builtInDir: resolve('prompts'),
	});
	if (!files.ok) throw new ConfigError(files.problems, 'prompts');
	const texts = checkPrompts(
		Object.fromEntries(Object.entries(files.files).map(([name, text]) => [`${name}.md`, text])),
	);
	const played = await playAll(PERSONAS, { texts, log });
	return intakeReport(played.map(personaRow), measureUiFlag(UI_LABELS, Object.values(DEFAULT_WORDS)));
}

async function main(): Promise<number> {
	const files = process.argv.slice(2);
	const report = files.length > 0 ? await ofFiles(files) : await ofPersonas();
	console.log(reportTable(report));
	for (const { name, facts } of report.rows) {
		for (const fact of facts?.extra ?? []) console.log(`${name}: handed on and should not be: ${fact}`);
		for (const fact of facts?.missing ?? []) console.log(`${name}: should be handed on and is not: ${fact}`);
	}
	for (const text of report.uiFlag?.wrong ?? []) console.log(`flag judged wrongly: ${text}`);
	const path = process.env.REPORT_JSON ?? join('.data', 'evals', 'intake.json');
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, `${JSON.stringify(report, null, '\t')}\n`);
	console.log(`\nEverything: ${path}`);
	for (const gate of report.failedGates) console.log(`GATE FAILED: ${gate}`);
	return report.failedGates.length > 0 ? 1 : 0;
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 2;
	},
);
