import type { AnalystReading } from '../../../core/intake/analyst-reading.ts';
import type { NoticeCode } from '../../../core/intake/effect.ts';
import type { IntakeErrorCode } from '../../../core/intake/error-code.ts';
import type { UnavailableReason } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, inline, inlineCode, type View } from '../../views/view.ts';
import { plainName } from './progress-card.ts';

/** A sentence of the intake itself. */
export function noticeView(code: NoticeCode, t: Translate): View {
	return { embeds: [{ color: 0x5865f2, description: t(`intake.notice.${code}`), footer: { text: code } }] };
}

/** An expected failure: what happened, what was kept, what happens next. The code stands first and in the footer. */
export function errorView(code: IntakeErrorCode, detail: string | undefined, t: Translate): View {
	const sentence = t(`intake.error.${code}.sentence`);
	return {
		embeds: [
			{
				title: t('intake.error.title', { code, sentence }),
				color: 0xed4245,
				...(detail === undefined || detail === '' ? {} : { description: inlineCode(detail, 300) }),
				fields: [
					{ name: t('intake.error.kept'), value: t(`intake.error.${code}.kept`) },
					{ name: t('intake.error.next'), value: t(`intake.error.${code}.next`) },
				],
				footer: { text: code },
			},
		],
	};
}

/** The explicit answer when the assistant cannot be reached. Machines read the footer: code and reason, in no language. */
export function unavailableView(
	reason: UnavailableReason,
	kept: boolean,
	t: Translate,
	error?: IntakeErrorCode,
	opensAt?: number,
): View {
	const opens =
		opensAt === undefined ? '' : ` ${t('intake.unavailable.opens', { time: `<t:${Math.ceil(opensAt / 1_000)}:t>` })}`;
	const what = `${t(`intake.unavailable.${reason}`)}${opens}`;
	return {
		embeds: [
			{
				title: t('intake.unavailable.title'),
				color: 0xed4245,
				description: kept ? t('intake.unavailable.text', { what }) : t('intake.unavailable.notKept', { what }),
				footer: {
					text: `assistant_unavailable · reason=${reason} · kept=${kept}${error === undefined ? '' : ` · ${error}`}`,
				},
			},
		],
	};
}

/** What the business analyst made of the packet: the pipeline's next step, made visible. */
export function readingView(reading: AnalystReading, t: Translate): View {
	const list = (lines: readonly string[]) =>
		clip(lines.map((line) => `• ${inline(line, 200)}`).join('\n'), 1_024) || '–';
	return {
		embeds: [
			{
				title: t('intake.reading.title', { name: plainName(reading.projectName) }),
				color: 0x57c7a3,
				description: inline(reading.summary, 500),
				fields: [
					{
						name: t('intake.reading.clear'),
						value: list(
							reading.clear.map(
								({ dimension, requirements }) => `${t(`intake.dimension.${dimension}`)}: ${requirements.join('; ')}`,
							),
						),
					},
					{
						name: t('intake.reading.missing'),
						value: list(
							reading.missing.map(
								({ dimension, why }) => `${t(`intake.dimension.${dimension}`)} (${t(`intake.reading.why.${why}`)})`,
							),
						),
					},
					{ name: t('intake.reading.assumed'), value: list(reading.assumed) },
					{ name: t('intake.reading.next'), value: t(`intake.reading.next.${reading.next}`) },
				],
				footer: { text: `U:BA · ${reading.packetId}` },
			},
		],
	};
}
