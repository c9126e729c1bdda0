import { z } from 'zod';

const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical'] as const;
const severity = z.enum(SEVERITIES);

/** One advisory that is known and accepted for a while. */
const exception = z.strictObject({
	/** Address or id of the advisory, such as GHSA-xxxx-xxxx-xxxx. */
	advisory: z.string().min(5),
	package: z.string().min(1),
	/** Why it does no harm here. */
	reason: z.string().min(20, 'say why it does no harm here'),
	/** Last day on which it is accepted, `2026-12-31`. */
	until: z.iso.date(),
});
export const auditAllowlist = z.array(exception);
export type AuditException = z.infer<typeof exception>;

/** As much of `npm audit --json` as is read. */
const report = z.object({
	vulnerabilities: z.record(
		z.string(),
		z.object({
			via: z.array(z.union([z.string(), z.object({ url: z.string(), title: z.string(), name: z.string(), severity })])),
		}),
	),
});

export type AuditVerdict =
	| { readonly kind: 'read'; readonly open: readonly string[]; readonly accepted: readonly string[] }
	/** No report: the registry has none to give. */
	| { readonly kind: 'unreadable'; readonly why: string };

/** What an audit found that nobody has accepted; findings below `high` are not looked at. `today` as `2026-11-30`. */
export function judgeAudit(output: string, allowlist: readonly AuditException[], today: string): AuditVerdict {
	const parsed = report.safeParse(readJson(output));
	if (!parsed.success) return { kind: 'unreadable', why: reasonIn(readJson(output)) ?? 'it gave no report' };
	const open = new Set<string>();
	const accepted = new Set<string>();
	for (const { via } of Object.values(parsed.data.vulnerabilities)) {
		for (const cause of via) {
			// A name stands for the advisory of another entry.
			if (typeof cause === 'string' || SEVERITIES.indexOf(cause.severity) < SEVERITIES.indexOf('high')) continue;
			const known = allowlist.find(
				(entry) => entry.package === cause.name && cause.url.endsWith(entry.advisory) && entry.until >= today,
			);
			const line = `${cause.severity}: ${cause.name}: ${cause.title} (${cause.url})`;
			if (known) accepted.add(`${line}: ${known.reason}`);
			else open.add(line);
		}
	}
	return { kind: 'read', open: [...open], accepted: [...accepted] };
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function reasonIn(value: unknown): string | undefined {
	const told = z
		.union([
			z.object({ message: z.string() }).transform(({ message }) => message),
			z.object({ error: z.object({ summary: z.string() }) }).transform(({ error }) => error.summary),
		])
		.safeParse(value);
	return told.success ? told.data.split('\n')[0] : undefined;
}
