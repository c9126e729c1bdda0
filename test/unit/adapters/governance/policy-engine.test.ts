import { beforeAll, describe, expect, test } from 'vitest';
import { FACT_PREDICATES } from '../../../../adapters/governance/fact-vocabulary.ts';
import { compileEngine, createPolicyEngine, type EngineSetup } from '../../../../adapters/governance/policy-engine.ts';
import { readPolicyFolder } from '../../../../adapters/governance/policy-folder.ts';
import { DEFAULT_LIMITS } from '../../../../adapters/governance/policy-limits.ts';
import { governanceInput } from '../../../../core/intake/handoff/governance-facts.ts';
import { compiled } from '../../core/intake/intake-driver.ts';

let module: EngineSetup['module'];
beforeAll(async () => {
	module = await compileEngine();
});
const setup = (change: Partial<EngineSetup> = {}): EngineSetup => ({
	...DEFAULT_LIMITS,
	vetting: 'strict',
	module,
	policyFiles: readPolicyFolder('config/governance'),
	factPredicates: FACT_PREDICATES,
	...change,
});

describe('the rule engine in this thread', () => {
	test('INT-10 the shipped rules load, and a whole packet is judged by them again and again', async () => {
		const engine = await createPolicyEngine(setup());
		expect(JSON.stringify(engine.loaded)).toContain('first_call_asks');
		const driver = compiled().press('lock');
		const { packet, questionSets } = driver.session;
		if (packet === undefined) throw new Error('nothing was compiled');
		const { facts, metadata } = governanceInput(packet, questionSets.length);
		for (let count = 0; count < 2; count += 1) {
			const answer = engine.evaluate({ requirements: facts, metadata });
			expect(answer).toMatchObject({ status: 'ok', isNoisy: false });
			expect(JSON.stringify(answer.findings)).not.toContain('deny');
			expect(answer.memoryBytes).toBeGreaterThan(0);
		}
		const denied = engine.evaluate({ requirements: facts, metadata: metadata.replace("'U:BA'", "'U:PM'") });
		expect(JSON.stringify(denied.findings)).toContain('only_to_analyst');
	});

	test('INT-10 a file that is not Prolog is told with its place', async () => {
		const { loaded } = await createPolicyEngine(setup({ policyFiles: [{ name: 'x.pl', text: 'article(a' }] }));
		expect(JSON.stringify(loaded)).toContain('x.pl');
	});
});
