import { DIMENSIONS, type DimensionStatus } from '../../../core/intake/dimension.ts';
import { MAX_QUESTION_SETS } from '../../../core/intake/rounds.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, inline, type View } from '../../views/view.ts';

const marks: Readonly<Record<DimensionStatus, string>> = { open: '○', asked: '◔', answered: '●', deferred: '◌' };
const colors = { ours: 0x5865f2, theirs: 0xf0b232, done: 0x3ba55d, stopped: 0x80848e, trouble: 0xed4245 } as const;

/** The card at the top of a thread: round, dimensions, whose turn. */
export function progressCard(session: IntakeSession, t: Translate): View {
	const sets = session.questionSets.length;
	const max = MAX_QUESTION_SETS;
	return {
		embeds: [
			{
				title: t('intake.progress.title', { name: projectName(session) }),
				color: colors[toneOf(session)],
				fields: [
					{ name: t('intake.progress.wish'), value: clip(quoted(session.originalIntent), 600) },
					{ name: t('intake.progress.turn'), value: turnText(session, t) },
					{
						name: t('intake.progress.round'),
						value: t(sets === 0 ? 'intake.progress.roundNone' : 'intake.progress.roundText', { n: sets, max }),
						inline: true,
					},
					{
						name: t('intake.progress.people'),
						value: [session.requesterId, ...session.coOwnerIds].map((id) => `<@${id}>`).join(' '),
						inline: true,
					},
					{
						name: t('intake.progress.dimensions'),
						value: DIMENSIONS.map((dimension) => {
							const status = session.dimensions[dimension] ?? 'open';
							return `${marks[status]} ${t(`intake.dimension.${dimension}`)}: ${t(`intake.status.${status}`)}`;
						}).join('\n'),
					},
				],
				footer: { text: t('intake.progress.footer', { id: session.id, state: session.state }) },
			},
		],
	};
}

/** The project's name once there is one, else the first words of the wish. */
function projectName(session: IntakeSession): string {
	const named = session.packet?.body.display_name ?? session.finalization?.fields.PROJECT_NAME;
	return plainName(named ?? session.originalIntent.split('\n')[0] ?? '') || session.id;
}

/** A name as a title shows it: words on one line, no mark-up at all. */
export function plainName(name: string): string {
	return clip(
		name
			.replace(/[\\*_~`|<>[\]]+/g, ' ')
			.replace(/\s+/g, ' ')
			.trim(),
		80,
	);
}

/** Why a session was cancelled, in words. */
export function cancelReason(reason: string | undefined, t: Translate): string {
	const known = ['discarded', 'operator', 'thread_deleted', 'expired'] as const;
	return t(`intake.cancel.${known.find((one) => one === reason) ?? 'other'}`);
}

/** Whose turn it is, and why. */
function turnText(session: IntakeSession, t: Translate): string {
	switch (session.state) {
		case 'QUESTIONING':
			return t(session.pending?.quietUntil === undefined ? 'intake.turn.asking' : 'intake.turn.collecting');
		case 'FINALIZING':
			return t('intake.turn.compiling');
		case 'REVIEW':
			return t('intake.turn.review');
		case 'HANDOVER':
			return t('intake.turn.handover');
		case 'COMPLETE':
			return t('intake.turn.complete');
		case 'CANCELLED':
			return t('intake.turn.cancelled', { reason: cancelReason(session.cancelReason, t) });
		case 'SUSPENDED':
			return suspensionText(session, t);
		default:
			return t('intake.turn.reading');
	}
}

function suspensionText({ suspension }: IntakeSession, t: Translate): string {
	if (suspension?.reason === 'thread_locked') return t('intake.turn.locked');
	if (suspension?.reason === 'no_permission') return t('intake.turn.noPermission');
	if (suspension?.reason === 'operator') return t('intake.turn.operator');
	return t('intake.turn.unavailable', { reason: suspension?.unavailable ?? 'model' });
}

function toneOf({ state }: IntakeSession): keyof typeof colors {
	if (state === 'QUESTIONING' || state === 'REVIEW') return 'theirs';
	if (state === 'COMPLETE') return 'done';
	if (state === 'CANCELLED') return 'stopped';
	return state === 'SUSPENDED' ? 'trouble' : 'ours';
}

/** Untrusted text as a quotation that it cannot leave. */
function quoted(text: string, max = 500): string {
	const line = inline(text, max);
	return line === '' ? '–' : `> ${line}`;
}
