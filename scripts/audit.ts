import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { auditAllowlist, judgeAudit } from '../core/operations/judge-audit.ts';

/**
 * `npm run audit:packages`: what the registry knows against the packages that run in production, less what
 * `.ci/audit-allowlist.json` accepts, and whether the registry signed what is installed. A registry that offers neither
 * is told as skipped, with the reason: an audit that could not be made is no passed one.
 */
const npm = (...args: string[]) => {
	const told = spawnSync('npm', [...args, '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=20000'], {
		encoding: 'utf8',
		timeout: 120_000,
	});
	return { code: told.status, stdout: told.stdout, stderr: told.stderr };
};

const allowlist = auditAllowlist.parse(
	JSON.parse(readFileSync(new URL('../.ci/audit-allowlist.json', import.meta.url), 'utf8')),
);
const skipped: string[] = [];
let passed = 0;
let failed = 0;

const today = new Date().toISOString().slice(0, 10);
const verdict = judgeAudit(npm('audit', '--omit=dev', '--json').stdout, allowlist, today);
if (verdict.kind === 'unreadable') skipped.push(`known weaknesses could not be asked for: ${verdict.why}`);
else {
	for (const line of verdict.accepted) console.log(`accepted  ${line}`);
	for (const line of verdict.open) console.log(`OPEN      ${line}`);
	if (verdict.open.length === 0) passed += 1;
	else failed += 1;
}

const signatures = npm('audit', 'signatures');
if (signatures.code === 0) {
	console.log(signatures.stdout.trim());
	passed += 1;
} else if (/invalid|missing/i.test(signatures.stdout)) {
	console.log(signatures.stdout.trim());
	failed += 1;
} else {
	const why = /npm error network request to (\S+) failed, reason: (.+)/.exec(signatures.stderr);
	const first = /npm error (?!code)(.+)/.exec(signatures.stderr)?.[1] ?? 'no answer';
	skipped.push(`signatures could not be checked: ${why ? `${why[1]}: ${why[2]}` : first}`);
}

for (const why of skipped) console.log(`skipped: ${why}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
