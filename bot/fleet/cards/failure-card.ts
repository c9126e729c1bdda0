import type { CardRecord } from '../../../core/fleet/records.ts';
import { type FleetSession, hasEnded } from '../../../core/fleet/session.ts';
import type { Translate } from '../../catalogue.ts';
import { inline, type View } from '../../views/view.ts';
import { plainText, stamp } from '../plain-text.ts';
import { type CardAct, formatCardId } from './card-id.ts';
import { button, buttonRow, cardHead, TONES } from './card-parts.ts';

export interface FailureCardInput {
	readonly needId: string;
	readonly session: FleetSession;
	readonly reason: string | undefined;
	readonly settled: CardRecord['settled'];
	readonly mentions: readonly string[];
	readonly headline: string | undefined;
	readonly t: Translate;
}

/** A run that failed, until somebody has seen to it or the session goes on. */
export function failureCard({ needId, session, reason, settled, mentions, headline, t }: FailureCardInput): View {
	const muted = session.muted === true;
	const control = (act: CardAct) => button(formatCardId(act, needId, session.id), t(`fleet.card.button.${act}`));
	const open: CardAct[] = [...(hasEnded(session) ? [] : (['reply'] as const)), 'thread', muted ? 'unmute' : 'mute'];
	const last = settled === undefined ? session.summary : undefined;
	const state = [t('fleet.card.failedAt', { when: stamp(session.stateAt) }), ...(muted ? [t('fleet.card.muted')] : [])];
	return {
		content: cardHead(mentions, headline),
		embeds: [
			{
				title: t('fleet.card.failed', { name: inline(session.name, 80) }),
				description: plainText(reason ?? t('fleet.card.noReason'), 1_500),
				color: settled === undefined ? TONES.failed : TONES.gone,
				fields: [
					...(last === undefined ? [] : [{ name: t('fleet.card.lastWords'), value: plainText(last, 1_000) }]),
					{ name: t('fleet.card.state'), value: settled === undefined ? state.join(' · ') : ending(settled, t) },
				],
			},
		],
		components: buttonRow((settled === undefined ? [...open, 'dismiss' as const] : ['thread' as const]).map(control)),
	};
}

function ending(settled: NonNullable<CardRecord['settled']>, t: Translate): string {
	const when = stamp(settled.at, 'f');
	if (settled.how === 'over') return t('fleet.card.over', { when });
	return t('fleet.card.dismissed', { who: inline(settled.who ?? '', 60), when });
}
