import type { AuditRow } from '../tooling/call.ts';

/** The last calls of tools, newest first, each as it stands, without their arguments: those are asked for room by room. */
export interface AuditBoard {
	readonly rows: readonly {
		readonly at: number;
		readonly room: string;
		readonly tool: string;
		readonly step: string;
		readonly trigger: string;
		readonly reasons: readonly string[];
		readonly summary?: string;
	}[];
}

const MAX_CALLS = 40;

/** `rows` newest first. */
export function auditBoard(rows: readonly AuditRow[]): AuditBoard {
	const seen = new Set<string>();
	const newest = rows.filter(({ callId }) => !seen.has(callId) && seen.add(callId));
	return {
		rows: newest.slice(0, MAX_CALLS).map(({ at, room, tool, step, trigger, reasons, summary }) => ({
			at,
			room,
			tool,
			step,
			trigger,
			reasons: (reasons ?? []).map(({ code }) => code),
			...(summary === undefined ? {} : { summary }),
		})),
	};
}
