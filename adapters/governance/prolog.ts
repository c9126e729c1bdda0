import { createHash } from 'node:crypto';
import type { Governance, GovernanceInput, GovernanceVerdict } from '../../core/intake/governance-port.ts';
import type { Log } from '../../core/ports.ts';
import { FACT_PREDICATES } from './fact-vocabulary.ts';
import { compileEngine, type PolicyFile } from './policy-engine.ts';
import { PolicyError } from './policy-error.ts';
import { DEFAULT_LIMITS, type PolicyLimits } from './policy-limits.ts';
import { createPolicyPool, type PolicyPool } from './policy-pool.ts';
import { type PolicyArticle, readPolicyReport } from './policy-report.ts';
import { startPolicyThread } from './policy-thread.ts';
import { readVerdict } from './read-verdict.ts';

interface PrologGovernanceDeps {
	/** All of them together are the constitution. */
	readonly policyFiles: readonly PolicyFile[];
	readonly limits?: Partial<PolicyLimits>;
	readonly log: Log;
	/** Epoch milliseconds, to tell in the log how long an evaluation took. */
	readonly now: () => number;
	/** `none` trusts rule bodies unseen and leaves them to the limits. Default `strict`. */
	readonly vetting?: 'strict' | 'none';
}

export interface PrologGovernance extends Governance {
	/** Starts the engines and loads the policies. Throws `PolicyError` for files that cannot be used. */
	start(): Promise<readonly PolicyArticle[]>;
	/** SHA-256 over names and texts of the policy files; it stands in each verdict. */
	readonly policyHash: string;
	/** Ends the engines; packets in hand are denied. */
	close(): Promise<void>;
}

/** Same files, same hash, in whatever order they came. */
function hashPolicies(files: readonly PolicyFile[]): string {
	const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1)).map((file) => [file.name, file.text]);
	return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

const SENTENCES = {
	refused: 'The rules could not be applied to this packet.',
	timeout: 'The rules took too long, so the packet was not let through.',
	aborted: 'The check was called off before the rules had answered.',
	broken: 'The rule engine broke while it looked at the packet.',
	closed: 'The rule engine was being shut down.',
	busy: 'Too many packets wait for the rules at this moment.',
	down: 'The rule engine cannot be started.',
	too_long: 'The packet is longer than the rules can be applied to.',
} as const;

/** Puts the rules of the policy files to each packet in engines of their own. Anything but a well-formed verdict is `deny`. */
export function createPrologGovernance(deps: PrologGovernanceDeps): PrologGovernance {
	const limits = { ...DEFAULT_LIMITS, ...deps.limits };
	const policyHash = hashPolicies(deps.policyFiles);
	let pool: Promise<PolicyPool> | undefined;
	let articles: Promise<readonly PolicyArticle[]> | undefined;

	const openPool = async () => {
		const module = await compileEngine();
		const setup = { ...limits, module, policyFiles: deps.policyFiles, factPredicates: FACT_PREDICATES };
		return createPolicyPool({
			size: limits.workers,
			maxWaiting: limits.maxWaiting,
			wallMs: limits.wallMs,
			retireBytes: limits.memoryBytes / 2,
			retireAfter: 1_000,
			start: () => startPolicyThread({ ...setup, vetting: deps.vetting ?? 'strict' }, limits.startMs),
			onEnd: (reason) => deps.log.debug({ reason }, 'a policy engine ended'),
		});
	};
	const getPool = () => {
		pool ??= openPool();
		pool.catch(() => {
			pool = undefined;
		});
		return pool;
	};
	const load = async () => {
		const report = readPolicyReport(await (await getPool()).loaded());
		if (!report.ok) throw new PolicyError(report.problems);
		return report.articles;
	};
	const getArticles = () => {
		articles ??= load();
		articles.catch(() => {
			articles = undefined;
		});
		return articles;
	};
	const deny = (cause: keyof typeof SENTENCES, detail?: string): GovernanceVerdict => {
		deps.log.warn({ cause }, 'governance denied a packet that it could not judge');
		if (detail !== undefined) deps.log.debug({ cause, detail }, 'why governance could not judge');
		const reason = SENTENCES[cause];
		const finding = { article: 'policy_error', severity: 'deny', reason, origin: 'policy' } as const;
		return { outcome: 'deny', findings: [finding], policyHash };
	};
	const judge = async (input: GovernanceInput, signal?: AbortSignal): Promise<GovernanceVerdict> => {
		if (input.facts.length + input.metadata.length > limits.maxInputChars) return deny('too_long');
		const known = new Set((await getArticles()).map((article) => article.id));
		const outcome = await (await getPool()).evaluate({ requirements: input.facts, metadata: input.metadata }, signal);
		if (outcome.kind === 'busy') return deny('busy');
		if (outcome.kind === 'down') return deny('down', outcome.detail);
		if (outcome.kind === 'ended') return deny(outcome.reason, outcome.detail);
		const result = readVerdict(outcome.answer, known, policyHash);
		return result.ok ? result.verdict : deny('refused', result.cause);
	};

	return {
		policyHash,
		start: getArticles,
		async evaluate(input, signal) {
			const startedAt = deps.now();
			try {
				const verdict = await judge(input, signal);
				const { outcome, findings } = verdict;
				deps.log.debug(
					{ packetId: input.packetId, outcome, findings: findings.length, tookMs: deps.now() - startedAt },
					'governance has spoken',
				);
				return verdict;
			} catch (error) {
				return deny('down', error instanceof Error ? error.message : undefined);
			}
		},
		async close() {
			if (pool) await (await pool.catch(() => undefined))?.close();
		},
	};
}
