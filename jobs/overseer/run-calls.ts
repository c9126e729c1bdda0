import type { DecisionCall } from '../../core/overseer/decision.ts';
import type { PendingDecision } from '../../core/overseer/trigger.ts';
import type { CallOutcome } from '../../core/tooling/call.ts';
import { callId } from '../../core/tooling/call-id.ts';
import type { Claims } from '../../core/tooling/ledger-port.ts';
import type { Tracer } from '../../core/tracer.ts';
import { jobId } from '../contracts.ts';
import type { Queues } from '../queues.ts';

/** Longest wait for one tool, in milliseconds: a lift's interlock, its travel and its proof. */
export const TOOL_WAIT_MS = 90_000;

export interface RanCall {
	readonly callId: string;
	readonly tool: string;
	readonly args: unknown;
	readonly outcome: CallOutcome;
}

/**
 * Sends the calls of one decision through the tool queue, one after the other, and waits for what became of each. Run
 * again for the same decision, each call is sent again, since the worker that had it may be dead: the claim under the call's
 * id lets it happen once, settles what is in doubt and completes its rows.
 */
export async function runCalls(
	deps: { queues: Queues; claims: Claims; tracer: Tracer },
	request: {
		roomId: string;
		decision: PendingDecision;
		calls: readonly DecisionCall[];
		decidedAt: number;
		cause: string | undefined;
	},
	signal: AbortSignal,
): Promise<RanCall[]> {
	const ran: RanCall[] = [];
	for (const [index, { tool, args }] of request.calls.entries()) {
		const id = callId(request.decision.id, tool, index);
		await deps.queues.add(
			'tool-run',
			{
				roomId: request.roomId,
				decisionId: request.decision.id,
				callId: id,
				tool,
				argsJson: JSON.stringify(args ?? null),
				trigger: request.decision.trigger,
				...(request.cause === undefined ? {} : { cause: request.cause }),
				direct: request.decision.addresses.length > 0,
				decidedAt: request.decidedAt,
				trace: deps.tracer.context(),
			},
			{ jobId: jobId('call', id, String(request.decision.attempt)) },
		);
		const outcome = await deps.claims.waitForOutcome(id, TOOL_WAIT_MS, signal);
		ran.push({
			callId: id,
			tool,
			args,
			outcome: outcome ?? { kind: 'unknown', summary: `${tool} did not report back in time` },
		});
	}
	return ran;
}
