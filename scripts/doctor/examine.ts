import { readDisk } from '../../adapters/operations/disk-space.ts';
import { environmentSecrets } from '../../config/env.ts';
import { AREAS, type Area, type Finding, findingsOf } from '../../core/operations/finding.ts';
import { hideSecrets } from '../../core/operations/hide-secrets.ts';
import { type ClockReading, judgeClock } from '../../core/operations/judge-clock.ts';
import { judgeDisk } from '../../core/operations/judge-disk.ts';
import type { AreaReport } from '../../core/operations/report.ts';
import { checkConfig } from './check-config.ts';
import { checkDiscord } from './check-discord.ts';
import { checkFleet } from './check-fleet.ts';
import { checkHome } from './check-home.ts';
import { checkModel } from './check-model.ts';
import { checkPromptFiles } from './check-prompts.ts';
import { checkRedis } from './check-redis.ts';
import type { CheckContext, Checked } from './context.ts';

export interface ExamineOptions {
	/** Variables instead of the process's own and those of `.env`. */
	readonly variables?: Readonly<Record<string, string | undefined>>;
	readonly path?: string | undefined;
	readonly deadlineMs?: number | undefined;
	readonly askModel?: boolean | undefined;
	readonly now?: () => number;
}

const DEADLINE_MS = 10_000;
/** What a check does after its own deadlines; longer than this it hangs. */
const SLACK_MS = 5_000;
const ASK_FACTOR = 8;

/** Looks at everything at once; a check that fails or hangs is a finding of its own and stops no other. Never rejects. */
export async function examine(options: ExamineOptions = {}): Promise<AreaReport[]> {
	const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
	const clocks: ClockReading[] = [];
	const config = await checkConfig({ variables: options.variables, path: options.path, folder: '.' });
	const secrets = environmentSecrets(config.environment);
	const clean = (text: string) => hideSecrets(text, secrets);
	const context: CheckContext = {
		settings: config.settings,
		environment: config.environment,
		variables: config.variables,
		now: options.now ?? Date.now,
		deadlineMs,
		askModel: options.askModel ?? true,
		noteClock: (reading) => clocks.push(reading),
	};
	const run = (area: Area, check: (context: CheckContext) => Promise<Checked>, limitMs = deadlineMs + SLACK_MS) =>
		guarded(area, () => check(context), limitMs, clean);
	const reports = await Promise.all([
		run('config', async () => config.checked),
		run('prompts', checkPromptFiles),
		run('discord', checkDiscord, deadlineMs * 2 + SLACK_MS),
		run('redis', checkRedis, deadlineMs * 2 + SLACK_MS),
		run('model', checkModel, deadlineMs * ASK_FACTOR + SLACK_MS),
		run('home', checkHome),
		run('fleet', checkFleet),
		run('disk', async ({ environment }) => diskChecked(await readDisk(environment.dataDir))),
	]);
	reports.push(await run('clock', async () => clockChecked(clocks)));
	return reports.sort((a, b) => AREAS.indexOf(a.area) - AREAS.indexOf(b.area));
}

function diskChecked(facts: Awaited<ReturnType<typeof readDisk>>): Checked {
	const detail = facts.kind === 'there' ? `${facts.path}, ${(facts.freeBytes / 1e9).toFixed(1)} GB free` : facts.path;
	return { detail, findings: judgeDisk(facts) };
}

function clockChecked(clocks: readonly ClockReading[]): Checked {
	if (clocks.length === 0)
		return { detail: 'nobody answered whose clock could be compared', findings: [], skipped: true };
	return { detail: `compared with ${clocks.map(({ source }) => source).join(', ')}`, findings: judgeClock(clocks) };
}

async function guarded(
	area: Area,
	check: () => Promise<Checked>,
	limitMs: number,
	clean: (text: string) => string,
): Promise<AreaReport> {
	const startedAt = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<Checked>((resolve) => {
		timer = setTimeout(() => resolve(broken(area, `no result within ${limitMs / 1_000} s`)), limitMs);
	});
	const checked = await Promise.race([check().catch((thrown: unknown) => broken(area, String(thrown))), late]);
	clearTimeout(timer);
	return {
		area,
		detail: clean(checked.detail),
		skipped: checked.skipped ?? false,
		findings: checked.findings.map(
			(finding): Finding => ({ ...finding, what: clean(finding.what), fix: clean(finding.fix) }),
		),
		tookMs: Math.round(performance.now() - startedAt),
	};
}

function broken(area: Area, problem: string): Checked {
	const finding = findingsOf(area).error(
		'check_failed',
		`This could not be looked at: ${problem}.`,
		'Run npm run doctor again; if it stays, report it with this line.',
	);
	return { detail: 'could not be looked at', findings: [finding] };
}
