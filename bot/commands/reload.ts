import type { ProcessReload, ReloadOutcome } from '../../core/operations/house-reload.ts';
import type { AuditRow } from '../../core/tooling/call.ts';
import type { Translate } from '../catalogue.ts';
import { clip, codeBlock, inline } from '../views/view.ts';
import type { Command } from './command.ts';

/** Audit rows about the whole house stand under this; no room can be called that. */
export const HOUSE_ROWS = '-house';

const WHY_MAX = 700;
const LINES_MAX = 8;

/** `/admin reload`: settings and prompts are read again in every process, as SIGHUP does in one. */
export const reloadCommand: Command = {
	path: 'admin reload',
	action: 'admin.reload',
	help: 'command.admin.reload',
	example: '/admin reload',
	async run({ t, person, personName, interactionId }, { reload, audit, clock, log }) {
		if (reload === undefined) return { refused: 'refused.noReload' };
		const { own, others } = await reload.reload();
		const all = [own, ...others];
		const kept = all.filter(isKept);
		log.info(
			{ by: person.id, changed: own.changed, processes: all.length, kept: kept.length },
			'settings reloaded by command',
		);
		const row: AuditRow = {
			id: `reload:${interactionId}`,
			at: clock.now(),
			room: HOUSE_ROWS,
			decisionId: `command:${interactionId}`,
			callId: `reload:${interactionId}`,
			tool: 'admin_reload',
			step: kept.length === 0 ? 'confirmed' : 'failed',
			trigger: 'command',
			cause: `${personName} (${person.id})`,
			args: { changed: own.changed, restartNeeded: own.restartNeeded },
			summary: clip(
				own.settingsKept ?? own.promptsKept ?? `${all.length - kept.length} of ${all.length} processes`,
				500,
			),
		};
		const noRow = await audit.append(row).then(
			() => false,
			(error: unknown) => {
				log.error({ error, interactionId }, 'a reload has no row in the audit');
				return true;
			},
		);
		return {
			content: clip(
				[...ownLines(own, t), ...otherLines(own, others, t), ...(noRow ? [t('done.reload.noRow')] : [])].join('\n'),
				1_900,
			),
		};
	},
};

function isKept({ settingsKept, promptsKept }: ReloadOutcome): boolean {
	return settingsKept !== undefined || promptsKept !== undefined;
}

function ownLines({ changed, restartNeeded, settingsKept, promptsKept }: ReloadOutcome, t: Translate): string[] {
	if (settingsKept !== undefined) return [t('done.reload.settingsKept'), codeBlock(settingsKept, WHY_MAX)];
	const paths = (list: readonly string[]) =>
		list
			.slice(0, 20)
			.map((path) => `\`${inline(path, 80)}\``)
			.join(', ');
	return [
		changed.length === 0 ? t('done.reload.same') : t('done.reload.changed', { paths: paths(changed) }),
		...(restartNeeded.length === 0 ? [] : [t('done.reload.restart', { paths: paths(restartNeeded) })]),
		...(promptsKept === undefined ? [] : [t('done.reload.promptsKept'), codeBlock(promptsKept, WHY_MAX)]),
	];
}

/** Those that did as this one did are counted, the others named. */
function otherLines(own: ReloadOutcome, others: readonly ProcessReload[], t: Translate): string[] {
	const isAlike = (other: ProcessReload) => isKept(other) === isKept(own);
	const alike = others.filter(isAlike).length;
	const odd = others.filter((other) => !isAlike(other));
	return [
		others.length === 0 ? t('done.reload.alone') : t('done.reload.others', { count: alike, all: others.length }),
		...odd.slice(0, LINES_MAX).map((other) => {
			const why = other.settingsKept ?? other.promptsKept;
			const process = inline(other.process, 100);
			if (why === undefined) return t('done.reload.otherTook', { process });
			return t('done.reload.otherKept', { process, why: inline(why, 200) });
		}),
	];
}
