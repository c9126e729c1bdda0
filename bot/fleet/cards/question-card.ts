import { ComponentType } from 'discord.js';
import type { Question } from '../../../core/fleet/question.ts';
import { type CardButton, type QuestionView, questionView } from '../../../core/fleet/question-view.ts';
import { answerText } from '../../../core/fleet/settle-question.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, codeBlock, inline, type View } from '../../views/view.ts';
import { plainText, stamp } from '../plain-text.ts';
import { formatCardId } from './card-id.ts';
import { button, buttonRow, cardHead, type Row, TONES } from './card-parts.ts';

export interface QuestionCardInput {
	readonly question: Question;
	readonly muted: boolean;
	readonly mentions: readonly string[];
	readonly headline: string | undefined;
	readonly t: Translate;
}

/** A question of a session: what is asked, what can be pressed, how it stands. Nothing in it changes by time alone. */
export function questionCard({ question, muted, mentions, headline, t }: QuestionCardInput): View {
	// Ages are stamps that count by themselves, so the view's own clock does not matter.
	const view = questionView(question, question.openedAt, muted);
	const title = question.kind === 'permission' ? 'fleet.card.asksPermission' : 'fleet.card.asks';
	return {
		content: cardHead(mentions, headline),
		embeds: [
			{
				title: t(title, { name: inline(question.sessionName, 80) }),
				description: plainText(view.body, 3_500),
				color: TONES[view.tone],
				fields: [
					...(view.context === undefined
						? []
						: [{ name: t('fleet.card.context'), value: codeBlock(view.context, 1_000) }]),
					{ name: t('fleet.card.state'), value: clip(standing(question, muted, t), 1_000) },
				],
			},
		],
		components: [...choiceRows(question, view, t), ...buttonRow(view.controls.map((one) => control(one, muted, t)))],
	};
}

function standing(question: Question, muted: boolean, t: Translate): string {
	if (question.state === 'open') {
		const parts = [t('fleet.card.open', { when: stamp(question.openedAt) })];
		if (question.reminders > 0) parts.push(t('fleet.card.reminded', { count: question.reminders }));
		if (muted) parts.push(t('fleet.card.muted'));
		return parts.join(' · ');
	}
	const when = stamp(question.settledAt ?? question.openedAt, 'f');
	if (question.state !== 'answered') return t(`fleet.card.${question.state}`, { when });
	if (question.answeredBy === undefined) return t('fleet.card.answeredThere', { when });
	const who = inline(question.answeredBy.who, 60);
	const what = t('fleet.card.answered', { who, when, answer: inline(answerText(question), 600) });
	const error = inline(question.deliveryError ?? t('fleet.card.noReason'), 200);
	return `${what}\n${t(`fleet.card.delivery.${question.delivery}`, { error })}`;
}

function choiceRows(question: Question, { choices, select }: QuestionView, t: Translate): Row[] {
	if (select === undefined) {
		return buttonRow(
			choices.map(({ label, style, action }) =>
				button(formatCardId('choose', question.id, action.act === 'choose' ? action.index : '-'), label, style),
			),
		);
	}
	const menu = {
		type: ComponentType.StringSelect as const,
		custom_id: formatCardId('select', question.id),
		placeholder: t(select.max > 1 ? 'fleet.card.chooseSome' : 'fleet.card.chooseOne'),
		min_values: 1,
		max_values: select.max,
		options: select.options.map(({ index, label, description }) => ({
			label: clip(label, 100),
			value: String(index),
			...(description === undefined || description === '' ? {} : { description: clip(description, 100) }),
		})),
	};
	return [{ type: ComponentType.ActionRow, components: [menu] }];
}

function control({ action, style }: CardButton, muted: boolean, t: Translate) {
	const { act, questionId } = action;
	// Pressed again by somebody else, it must not do the opposite.
	const meant = act === 'mute' && muted ? 'unmute' : act;
	return button(formatCardId(meant, questionId), t(`fleet.card.button.${meant}`), style);
}
