import type { OverseerStatus, StatusCall } from '../../core/overseer/status.ts';
import type { Translate } from '../catalogue.ts';
import type { RoomFacts } from './room-facts.ts';
import { clip, inline } from './view.ts';

const SILENT_AFTER_MS = 60_000;

/** Discord shows it in the reader's own time and counts it down by itself. */
export const relative = (at: number) => `<t:${Math.floor(at / 1_000)}:R>`;
const clockTime = (at: number) => `<t:${Math.floor(at / 1_000)}:T>`;

/** The gate looks every few seconds; longer silence means that nobody runs it. */
export function isSilent({ status, now }: Pick<RoomFacts, 'status' | 'now'>): boolean {
	return status !== undefined && now - status.updatedAt > SILENT_AFTER_MS;
}

/** Runtime, stage, phase and the rules over them, on one line. */
export function stateLine({ stage, runtime, site, status }: RoomFacts, t: Translate): string {
	const phase = status === undefined ? [] : [`\`${status.phase}\``];
	const rules = [
		`${t('status.mode')} \`${site.mode}\``,
		...(site.lightsLock === 'none' ? [] : [`${t('status.lightsLock')} \`${site.lightsLock}\``]),
	];
	const notes = [...(site.paused ? [t('panel.paused')] : []), ...(status?.votedQuiet ? [t('panel.quiet')] : [])];
	return [`\`${runtime}\``, `${t('status.stage')} \`${stage}\``, ...phase, ...rules, ...notes].join(' · ');
}

export function triggerLine(status: OverseerStatus): string {
	if (status.lastTrigger === undefined) return '';
	return `${relative(status.lastTrigger.at)} \`${status.lastTrigger.trigger}\` ${inline(status.lastTrigger.note, 160)}`;
}

export function reasonsText(reasons: StatusCall['reasons']): string {
	return (reasons ?? [])
		.map(({ code, remainingMs, detail }) => {
			const left = remainingMs === undefined ? '' : ` ${Math.ceil(remainingMs / 1_000)} s`;
			return `${code}${left}${detail === undefined ? '' : ` (${inline(detail, 40)})`}`;
		})
		.join(', ');
}

export function callLine(call: StatusCall): string {
	const why = reasonsText(call.reasons) || inline(call.summary ?? '', 80);
	return `${clockTime(call.at)} \`${call.tool}\` ${inline(call.args, 60)} **${call.state}**${why === '' ? '' : ` ${why}`}`;
}

/** As many whole lines as fit. */
export function fitLines(lines: readonly string[], max: number): string {
	let text = '';
	for (const line of lines) {
		const next = text === '' ? clip(line, max) : `${text}\n${line}`;
		if (next.length > max) return text;
		text = next;
	}
	return text;
}
