import type { IntakeSettings } from '../../../config/intake.ts';
import type { IntakeAuditRow } from '../../../core/intake/intake-audit.ts';
import type { IntakeSummary } from '../../../core/intake/intake-store.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, inline, type View } from '../../views/view.ts';
import { progressCard } from './progress-card.ts';

const DAY_MS = 86_400_000;
const stamp = (at: number, style: 'R' | 'f' | 'T') => `<t:${Math.floor(at / 1_000)}:${style}>`;

/** Answer of `/intake status`: the progress card, and how long what was said is stored. */
export function intakeStatusView(
	session: IntakeSession,
	summary: IntakeSummary | undefined,
	settings: IntakeSettings,
	t: Translate,
): View {
	const [card] = progressCard(session, t).embeds ?? [];
	const deleteAt = summary?.deleteAt;
	const days = Math.round(settings.retention.idleMs / DAY_MS);
	const thread = session.place.kind === 'discord' ? `<#${session.place.threadId}>` : '';
	return {
		embeds: [
			{
				...card,
				title: t('intake.statusCard.title', { id: session.id }),
				description: [`**${t(`intake.state.${session.state}`)}**`, thread].filter((part) => part !== '').join(' '),
				fields: [
					...(card?.fields ?? []),
					{
						name: t('intake.statusCard.stored'),
						value:
							deleteAt === undefined
								? t('intake.statusCard.storedLive', { days })
								: t('intake.statusCard.storedUntil', { when: stamp(deleteAt, 'R') }),
					},
					...(session.lastError === undefined
						? []
						: [
								{
									name: t('intake.statusCard.last'),
									value: `${session.lastError.code} ${t(`intake.error.${session.lastError.code}.sentence`)} ${stamp(session.lastError.at, 'R')}`,
								},
							]),
				],
			},
		],
	};
}

/** Answer of `/intake list`. */
export function intakeListView(list: readonly IntakeSummary[], t: Translate): View {
	const title = t('intake.list.title');
	if (list.length === 0) return { embeds: [{ title, description: t('intake.list.none') }] };
	const lines = list.map(({ id, state, roundCount, updatedAt, threadId }) =>
		t('intake.list.line', {
			id,
			state: t(`intake.state.${state}`),
			set: roundCount === 0 ? t('intake.list.noSet') : t('intake.list.set', { n: roundCount }),
			when: stamp(updatedAt, 'R'),
			thread: threadId === undefined ? '' : `<#${threadId}>`,
		}),
	);
	return { embeds: [{ title, description: clip(lines.join('\n'), 4_000) }] };
}

/** Answer of `/intake audit`: newest first, and all of it as JSON lines in a file. */
export function intakeAuditView(id: string, rows: readonly IntakeAuditRow[], t: Translate): View {
	const title = t('intake.audit.title', { id });
	if (rows.length === 0) return { embeds: [{ title, description: t('intake.audit.none') }] };
	const lines = rows.slice(0, 25).map(({ entry }) => {
		const { what, at, ...rest } = entry;
		const details = Object.entries(rest)
			.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
			.map(([key, value]) => `${key}=${inline(String(value), 40)}`);
		return `${stamp(at, 'T')} **${what}** ${details.slice(0, 5).join(' ')}`;
	});
	const text = rows.map((row) => JSON.stringify(row)).join('\n');
	return {
		embeds: [{ title, description: clip(lines.join('\n'), 4_000) }],
		files: [{ name: `intake-${id}-audit.jsonl`, text: `${text}\n` }],
	};
}
