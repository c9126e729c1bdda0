import type { Clock, Log, Metrics } from '../core/ports.ts';
import type { Audit, AuditRow, CallOutcome, ProposedCall } from '../core/tooling/call.ts';
import { isToolName } from '../core/tooling/tool-name.ts';
import { traceIdOf } from '../core/trace-context.ts';
import type { Tracer } from '../core/tracer.ts';

export interface TrailDeps {
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly audit: Audit;
	readonly tracer: Tracer;
}

export interface TrailSubject {
	readonly roomId: string;
	readonly decisionId: string;
	readonly call: ProposedCall;
	readonly trigger: string;
	/** Person or event behind the call. */
	readonly cause?: string;
}

type RowDetail = Pick<AuditRow, 'args' | 'reasons' | 'summary' | 'contextId' | 'durationMs'>;

/** Enough to hold the last rows of a decision that is run again. */
const RECENT_ROWS = 50;

/** Writes the life of one call down: audit rows, metrics, log. What fails here is reported and never repeats the call. */
export interface CallTrail {
	/** Rejects when the row cannot be kept. */
	mustWrite(step: AuditRow['step'], detail?: RowDetail): Promise<void>;
	/** Never rejects. */
	write(step: AuditRow['step'], detail?: RowDetail): Promise<void>;
	/** Last row and numbers of a call that ended. `keep` runs the write, again where it fails. Never rejects. */
	close(outcome: CallOutcome, detail: RowDetail, keep?: (write: () => Promise<void>) => Promise<void>): Promise<void>;
	/** Closes unless the last row is there already. Never rejects. */
	closeOnce(outcome: CallOutcome, detail: RowDetail): Promise<void>;
	/** Something of ours failed, not the house. Never throws. */
	trouble(where: string, error: unknown): void;
}

/** `subject.call.tool` is untrusted: labels and rows hold a known name or `unknown`. */
export function createCallTrail(deps: TrailDeps, subject: TrailSubject): CallTrail {
	const { call } = subject;
	const tool = isToolName(call.tool) ? call.tool : 'unknown';
	const trace = traceIdOf(deps.tracer.context());
	const mustWrite = async (step: AuditRow['step'], detail: RowDetail = {}) => {
		await deps.audit.append({
			// The same step of the same call is the same row, also when a decision is run again.
			id: `${call.id}.${step}`,
			at: deps.clock.now(),
			room: subject.roomId,
			decisionId: subject.decisionId,
			callId: call.id,
			tool,
			step,
			trigger: subject.trigger,
			...(subject.cause !== undefined && { cause: subject.cause }),
			...(trace !== undefined && { trace }),
			...detail,
		});
	};
	const quietly = (act: () => void) => {
		try {
			act();
		} catch {
			// Numbers and log lines are worth less than the call they describe.
		}
	};
	const trouble = (where: string, error: unknown) => {
		quietly(() => deps.metrics.count('overseer_tool_trouble_total', { tool, where }));
		quietly(() => {
			const code = error instanceof Error ? ((error as { code?: unknown }).code ?? error.name) : typeof error;
			deps.log.warn({ room: subject.roomId, callId: call.id, tool, where, code: String(code) }, 'tool call trouble');
		});
	};
	const write = async (step: AuditRow['step'], detail?: RowDetail) => {
		await mustWrite(step, detail).catch((error: unknown) => trouble('audit', error));
	};
	const close: CallTrail['close'] = async (outcome, detail, keep) => {
		quietly(() => deps.metrics.count('overseer_actions_total', { tool, outcome: outcome.kind }));
		const { durationMs } = detail;
		quietly(() => deps.log.info({ room: subject.roomId, tool, outcome: outcome.kind, durationMs }, 'a call ended'));
		if (durationMs !== undefined) {
			quietly(() => deps.metrics.observe('overseer_tool_seconds', durationMs / 1_000, { tool }));
		}
		const reasons = outcome.kind === 'blocked' ? outcome.reasons : [];
		for (const { code } of reasons) {
			quietly(() => deps.metrics.count('overseer_calls_blocked_total', { tool, reason: code }));
		}
		if (reasons.some(({ code }) => code === 'stale')) {
			quietly(() => deps.metrics.count('overseer_stale_total', { what: 'action' }));
		}
		const last: RowDetail = {
			...detail,
			...(outcome.kind === 'blocked' && { reasons: outcome.reasons }),
			summary: [outcome.summary, detail.summary].filter((part) => part).join('; '),
			...('contextId' in outcome && outcome.contextId !== undefined && { contextId: outcome.contextId }),
		};
		await (keep === undefined ? write(outcome.kind, last) : keep(() => mustWrite(outcome.kind, last)));
	};
	return {
		mustWrite,
		write,
		trouble,
		close,
		async closeOnce(outcome, detail) {
			try {
				const rows = await deps.audit.query({ room: subject.roomId, step: outcome.kind, limit: RECENT_ROWS });
				if (!rows.some(({ callId }) => callId === call.id)) await close(outcome, detail);
			} catch (error) {
				trouble('audit', error);
			}
		},
	};
}
