import type { CallOutcome } from '../core/tooling/call.ts';
import { isToolName } from '../core/tooling/tool-name.ts';
import { runCall } from './call-run.ts';
import { createCallTrail } from './call-trail.ts';
import type { ExecuteRequest } from './execute-request.ts';
import type { ExecutorDeps } from './executor-deps.ts';

export interface Executor {
	/**
	 * Takes one proposed call to its end: prepare, guard, claim, book, guard again, act, verify, settle, each step in the
	 * audit. Never rejects, and never acts twice for one call id.
	 */
	execute(request: ExecuteRequest): Promise<CallOutcome>;
}

export function createExecutor(deps: ExecutorDeps): Executor {
	return {
		execute(request) {
			const { decisionId, call, trace: parent } = request;
			const tool = isToolName(call.tool) ? call.tool : 'unknown';
			const marks = { decision: decisionId, call: call.id };
			return deps.tracer.step('overseer.tool', { parent, marks, attributes: { tool } }, async (step) => {
				const outcome = await carryOut(deps, request);
				step.note({ outcome: outcome.kind });
				return outcome;
			});
		},
	};
}

async function carryOut(deps: ExecutorDeps, request: ExecuteRequest): Promise<CallOutcome> {
	const trail = createCallTrail(deps, request);
	try {
		return await runCall(deps, request, trail);
	} catch (error) {
		// Only stores fail this far out, and only before anything was done: what acts guards itself.
		trail.trouble('store', error);
		const outcome: CallOutcome = {
			kind: 'failed',
			code: 'store_unavailable',
			summary: 'not done: our own store is away',
		};
		await trail.close(outcome, {});
		return outcome;
	}
}
