import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readIfThere } from '../adapters/operations/kept-file.ts';
import { readSettingsFile } from '../config/load.ts';
import { exitCodeOf } from '../core/operations/finding.ts';
import { reportText } from '../core/operations/report.ts';
import { examine } from './doctor/examine.ts';
import { SetupStopped } from './setup/asker.ts';
import { createFileAsker, parseAnswers } from './setup/file-asker.ts';
import { variablesOf } from './setup/present.ts';
import { runSetup } from './setup/run-setup.ts';
import { createTerminalAsker } from './setup/terminal-asker.ts';

const USAGE = `npm run setup [-- options]
  --answers <file>        answers as JSON instead of questions (docs/operations.md lists the keys)
  --fresh                 a new settings file instead of changing the present one
  --config <file>         settings file (MAJORDOMO_CONFIG or config/majordomo.yaml)
  --env <file>            file of secrets (.env)
  --discord-rest <url>    another REST address than Discord's own
  --no-doctor             do not look at everything at the end`;

interface Flags {
	answers?: string;
	fresh?: boolean;
	config?: string;
	env?: string;
	'discord-rest'?: string;
	'no-doctor'?: boolean;
	help?: boolean;
}

/** `npm run setup`: from a Discord token to files that the bot can start with. */
async function main(): Promise<number> {
	let flags: Flags;
	try {
		const text = { type: 'string' } as const;
		const flag = { type: 'boolean' } as const;
		flags = parseArgs({
			options: {
				answers: text,
				fresh: flag,
				config: text,
				env: text,
				'discord-rest': text,
				'no-doctor': flag,
				help: flag,
			},
		}).values;
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
		return 64;
	}
	if (flags.help) {
		console.log(USAGE);
		return 0;
	}
	const settingsPath = flags.config ?? (process.env['MAJORDOMO_CONFIG'] || 'config/majordomo.yaml');
	const envPath = flags.env ?? '.env';
	const draft = await openDraft(join(process.env['MAJORDOMO_DATA'] || '.data', 'setup-draft.json'));
	const asker = flags.answers
		? createFileAsker(parseAnswers(await readFile(flags.answers, 'utf8')), (line) => console.log(line))
		: createTerminalAsker({
				input: process.stdin,
				output: process.stdout,
				draft: draft.answers,
				remember: draft.remember,
			});
	try {
		const { invite, kept } = await runSetup({
			asker,
			envPath,
			settingsPath,
			restUrl: flags['discord-rest'],
			fresh: flags.fresh ?? false,
		});
		await draft.forget();
		console.log(`\n${settingsPath} and ${envPath} are written.`);
		for (const line of kept) console.log(`  ${line}`);
		console.log(`  Invite link: ${invite}`);
		console.log('  It begins in stage observe: it decides, logs what it would have done, and touches nothing.');
	} finally {
		asker.close();
	}
	if (flags['no-doctor']) return 0;
	console.log('\nLooking at everything once:');
	const variables = { ...variablesOf(await readIfThere(envPath)), ...process.env };
	const areas = await examine({ path: settingsPath, variables });
	console.log(reportText(areas));
	const code = exitCodeOf(areas.flatMap(({ findings }) => findings));
	console.log(
		code < 2 ? '\nStart it: npm start' : '\nRepair what is marked ✗ (npm run doctor looks again), then: npm start',
	);
	const read = readSettingsFile(settingsPath);
	if (read.ok) {
		const { host, port } = read.settings.http;
		console.log('In Discord /help shows what there is, and /intake start takes a wish in any channel.');
		console.log(`The house in a browser: http://${host}:${port}/admin with the ADMIN_PASSWORD of ${envPath}.`);
	}
	return code;
}

/** What was answered so far, so that a setup that was broken off goes on. It holds secrets, so nobody else may read it. */
async function openDraft(path: string) {
	const answers: Record<string, string> = {};
	try {
		Object.assign(answers, JSON.parse((await readIfThere(path)) ?? '{}'));
	} catch {
		// A draft that cannot be read only means that everything is asked again.
	}
	return {
		answers,
		async remember(key: string, answer: string) {
			answers[key] = answer;
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			await writeFile(path, JSON.stringify(answers), { mode: 0o600 });
			await chmod(path, 0o600);
		},
		forget: () => rm(path, { force: true }),
	};
}

try {
	process.exitCode = await main();
} catch (error) {
	console.error(`\n${error instanceof Error ? error.message : error}`);
	process.exitCode = error instanceof SetupStopped && error.code === 'input_ended' ? 130 : 1;
}
// Connections of checks may linger; everything is written.
setTimeout(() => process.exit(), 1_000).unref();
