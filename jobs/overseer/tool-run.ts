import type { DecisionJournal, LiftCommands } from '../../core/overseer/stores.ts';
import type { WorldView } from '../../core/overseer/world.ts';
import type { Clock } from '../../core/ports.ts';
import type { CallOutcome, ProposedCall } from '../../core/tooling/call.ts';
import type { Claims } from '../../core/tooling/ledger-port.ts';
import type { JobPayload } from '../contracts.ts';
import { pause } from '../pause.ts';
import { isStoreFailure } from '../store-failure.ts';

/** Name of the journal's note with the world that a decision was made on. */
export const WORLD_NOTE = 'world';
const AGAIN_MS = 500;

/** The executor as this processor needs it; it never rejects. */
export interface CallExecutor {
	execute(request: {
		roomId: string;
		decisionId: string;
		call: ProposedCall;
		trigger: string;
		cause?: string;
		direct: boolean;
		expectedWorld?: WorldView;
		trace?: string | undefined;
		signal?: AbortSignal;
	}): Promise<CallOutcome>;
}

/** One tool call. What came of it is settled under the call's id; the job itself only says how it ended. */
export function createToolRun(deps: {
	executor: CallExecutor;
	journal: DecisionJournal;
	liftCommands: LiftCommands;
	claims: Pick<Claims, 'outcome'>;
	clock: Clock;
}) {
	const execute = async (job: JobPayload<'tool-run'>, signal: AbortSignal): Promise<CallOutcome> => {
		const world = (await deps.journal.note(job.decisionId, WORLD_NOTE)) as WorldView | undefined;
		return deps.executor.execute({
			roomId: job.roomId,
			decisionId: job.decisionId,
			call: { id: job.callId, tool: job.tool, args: JSON.parse(job.argsJson) as unknown },
			trigger: job.trigger,
			...(job.cause === undefined ? {} : { cause: job.cause }),
			direct: job.direct,
			...(world === undefined ? {} : { expectedWorld: world }),
			trace: job.trace,
			signal,
		});
	};

	/** The decision waits for an end of this call: when the store fails, it is taken up again once the store is back. */
	const executeInTheEnd = async (job: JobPayload<'tool-run'>, signal: AbortSignal): Promise<CallOutcome> => {
		for (;;) {
			try {
				const outcome = await execute(job, signal);
				if (outcome.kind !== 'failed' || outcome.code !== 'store_unavailable' || signal.aborted) return outcome;
			} catch (error) {
				if (signal.aborted || !isStoreFailure(error)) throw error;
			}
			await pause(AGAIN_MS, signal);
			const settled = await deps.claims.outcome(job.callId).catch(() => undefined);
			if (settled !== undefined) return settled;
		}
	};

	return async (job: JobPayload<'tool-run'>, signal: AbortSignal): Promise<string> => {
		const startedAt = deps.clock.now();
		const outcome = await executeInTheEnd(job, signal);
		const direction = job.tool === 'lift_up' ? 'up' : job.tool === 'lift_down' ? 'down' : undefined;
		if (direction && ['confirmed', 'unconfirmed', 'unknown'].includes(outcome.kind))
			await deps.liftCommands.write(job.roomId, { direction, at: startedAt });
		return outcome.kind;
	};
}
