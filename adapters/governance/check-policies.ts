import { FACT_PREDICATES } from './fact-vocabulary.ts';
import { compileEngine, type PolicyFile } from './policy-engine.ts';
import { DEFAULT_LIMITS } from './policy-limits.ts';
import { type PolicyReport, readPolicyReport } from './policy-report.ts';
import { startPolicyThread } from './policy-thread.ts';

/**
 * Loads policy files in an engine of their own and tells what is wrong with them: file, line, message. Rejects only when
 * the engine itself cannot be started.
 */
export async function checkPolicies(
	policyFiles: readonly PolicyFile[],
	options: { readonly startMs?: number } = {},
): Promise<PolicyReport> {
	const setup = { ...DEFAULT_LIMITS, policyFiles, factPredicates: FACT_PREDICATES, vetting: 'strict' as const };
	const thread = startPolicyThread(
		{ ...setup, module: await compileEngine() },
		options.startMs ?? DEFAULT_LIMITS.startMs,
	);
	try {
		return readPolicyReport(await thread.ready);
	} finally {
		thread.end();
		await thread.ended;
	}
}
