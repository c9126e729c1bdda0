import type { RoomSettings } from '../../config/rooms.ts';
import type { AuditRow } from '../../core/tooling/call.ts';
import type { Translate } from '../catalogue.ts';
import { clip, inline, type View } from './view.ts';

/** Answer of `/overseer audit`: newest first, and the rows as JSON lines in a file. */
export function auditView(room: RoomSettings, rows: readonly AuditRow[], t: Translate): View {
	const title = t('audit.title', { room: room.title });
	if (rows.length === 0) return { embeds: [{ title, description: t('audit.none') }] };
	const lines = rows.map(auditLine);
	const text = rows.map((row) => JSON.stringify(row)).join('\n');
	return {
		embeds: [{ title, description: clip(lines.join('\n'), 4_000) }],
		files: [{ name: `${room.id}-audit.jsonl`, text: `${text}\n` }],
	};
}

/** One row for people: when, tool, step, why. */
export function auditLine(row: AuditRow): string {
	const reasons = (row.reasons ?? []).map(({ code, remainingMs }) =>
		remainingMs === undefined ? code : `${code} ${Math.ceil(remainingMs / 1_000)} s`,
	);
	const why = reasons.length > 0 ? reasons.join(', ') : inline(row.summary ?? '', 120);
	return `<t:${Math.floor(row.at / 1_000)}:T> \`${row.tool}\` **${row.step}**${why === '' ? '' : ` ${why}`}`;
}
