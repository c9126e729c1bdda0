import type { AuditRow } from '../tooling/call.ts';

/** The last calls of tools, newest first, without their arguments: those are asked for room by room. */
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

export function auditBoard(rows: readonly AuditRow[]): AuditBoard {
	return {
		rows: rows.map(({ at, room, tool, step, trigger, reasons, summary }) => ({
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
