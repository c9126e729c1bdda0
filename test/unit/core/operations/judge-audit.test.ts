import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditAllowlist, judgeAudit } from '../../../../core/operations/judge-audit.ts';

const cause = (name: string, severity: string, id: string) => ({
	source: 1,
	name,
	title: 'loops for ever',
	url: `https://github.com/advisories/${id}`,
	severity,
	range: '<2',
});
const REPORT = JSON.stringify({
	auditReportVersion: 2,
	vulnerabilities: {
		inner: { name: 'inner', severity: 'high', via: [cause('inner', 'high', 'GHSA-aaaa-bbbb-cccc')] },
		outer: { name: 'outer', severity: 'high', via: ['inner'] },
		mild: { name: 'mild', severity: 'low', via: [cause('mild', 'low', 'GHSA-dddd-eeee-ffff')] },
		grave: { name: 'grave', severity: 'critical', via: [cause('grave', 'critical', 'GHSA-gggg-hhhh-iiii')] },
	},
});
const accept = {
	advisory: 'GHSA-aaaa-bbbb-cccc',
	package: 'inner',
	reason: 'only reached by a parser that is never given foreign text',
	until: '2026-12-31',
};

test('OPS-17 what is grave and not accepted is open; each advisory once, whoever brings it', () => {
	const verdict = judgeAudit(REPORT, [], '2026-11-30');
	expect(verdict).toMatchObject({ kind: 'read', accepted: [] });
	expect(verdict.kind === 'read' && verdict.open.map((line) => line.split(':')[1]?.trim())).toEqual(['inner', 'grave']);
});

test('OPS-17 what is accepted stays so until its day, for its package only', () => {
	const open = (list: (typeof accept)[], today: string) => {
		const verdict = judgeAudit(REPORT, list, today);
		return verdict.kind === 'read' ? verdict.open.length : -1;
	};
	expect(open([accept], '2026-12-31')).toBe(1);
	expect(open([accept], '2027-01-01')).toBe(2);
	expect(open([{ ...accept, package: 'outer' }], '2026-11-30')).toBe(2);
});

test('OPS-17 a registry without audits is no clean bill', () => {
	const refusal = JSON.stringify({
		message: '405 Method Not Allowed - POST https://registry.example\nmore',
		statusCode: 405,
	});
	expect(judgeAudit(refusal, [], '2026-11-30')).toEqual({
		kind: 'unreadable',
		why: '405 Method Not Allowed - POST https://registry.example',
	});
	expect(judgeAudit('', [], '2026-11-30').kind).toBe('unreadable');
	const offline = JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request failed', detail: '' } });
	expect(judgeAudit(offline, [], '2026-11-30')).toEqual({ kind: 'unreadable', why: 'request failed' });
});

test('OPS-17 every exception has a reason and a last day', () => {
	const text = readFileSync(new URL('../../../../.ci/audit-allowlist.json', import.meta.url), 'utf8');
	expect(auditAllowlist.safeParse(JSON.parse(text)).success).toBe(true);
	expect(auditAllowlist.safeParse([{ ...accept, reason: 'fine' }]).success).toBe(false);
	expect(auditAllowlist.safeParse([{ ...accept, until: 'never' }]).success).toBe(false);
});
