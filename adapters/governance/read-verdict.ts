import type { Finding, GovernanceVerdict } from '../../core/intake/governance-port.ts';
import type { EngineAnswer } from './policy-engine.ts';

export type VerdictResult =
	| { readonly ok: true; readonly verdict: GovernanceVerdict }
	/** `cause` may quote facts: for debug logs only. */
	| { readonly ok: false; readonly cause: string };

function readFinding(value: unknown, articles: ReadonlySet<string>): Finding | undefined {
	if (!Array.isArray(value) || value.length !== 3) return undefined;
	const [severity, article, reason] = value as unknown[];
	if (severity !== 'flag' && severity !== 'deny') return undefined;
	if (typeof article !== 'string' || !articles.has(article)) return undefined;
	if (typeof reason !== 'string' || reason.trim() === '') return undefined;
	return { article, severity, reason, origin: 'policy' };
}

/** Turns the engine's answer into a verdict; everything that is not exactly one is refused. */
export function readVerdict(answer: EngineAnswer, articles: ReadonlySet<string>, policyHash: string): VerdictResult {
	if (answer.isNoisy) return { ok: false, cause: 'the policy wrote output' };
	if (answer.status !== 'ok') return { ok: false, cause: String(answer.status) };
	if (!Array.isArray(answer.findings)) return { ok: false, cause: 'no list of findings' };
	const findings: Finding[] = [];
	const seen = new Set<string>();
	for (const value of answer.findings) {
		const finding = readFinding(value, articles);
		if (!finding) return { ok: false, cause: 'a finding that is not well formed' };
		const key = JSON.stringify(finding);
		if (!seen.has(key)) findings.push(finding);
		seen.add(key);
	}
	const outcome = findings.some((found) => found.severity === 'deny') ? 'deny' : findings.length > 0 ? 'flag' : 'allow';
	return { ok: true, verdict: { outcome, findings, policyHash } };
}
