import { type APIButtonComponent, type APIEmbedField, ButtonStyle } from 'discord.js';
import type { HandoffPacket } from '../../../core/intake/handoff-packet.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';
import { clip, inline, inlineCode, type View } from '../../views/view.ts';
import type { EvidenceLink } from '../evidence-link.ts';
import { handoffFiles } from './handoff-files.ts';
import { pendingText } from './pending-text.ts';
import { plainName } from './progress-card.ts';
import { buttonMaker, rowOf } from './round-card.ts';

/** So that all lists together stay within what one embed may hold. */
const REQUIREMENT_FIELDS = 3;
const LIST_MAX = 500;

/** Identifies one compiled version: after an edit the result is compiled anew and gets a card of its own. */
export function reviewVersion({ recompiled }: IntakeSession): string {
	return `v${recompiled + 1}`;
}

/** The result for a person to look through: what will be handed over, what it rests on, what is left out and why. */
export function reviewCard(session: IntakeSession, packet: HandoffPacket, linkTo: EvidenceLink, t: Translate): View {
	const { body } = packet;
	const isOpen = session.state === 'REVIEW';
	const name = plainName(body.display_name);
	return {
		embeds: [
			{
				title: t(isOpen ? 'intake.review.title' : 'intake.review.lockedTitle', { name }),
				color: isOpen ? 0xf0b232 : 0x3ba55d,
				description: [inline(body.TASK_SUMMARY, 600), ...remarks(session, packet, t)].join('\n\n'),
				fields: [
					...requirementFields(packet, linkTo, t),
					{
						name: t('intake.review.ui'),
						value: t(`intake.review.ui${body.UI_REQUIREMENTS ? 'Yes' : 'No'}`),
						inline: true,
					},
					{ name: t('intake.review.verdict'), value: verdictText(session, t), inline: true },
					...(body.missing_info.length === 0
						? []
						: [{ name: t('intake.review.missing'), value: missingText(session, t) }]),
					...notUsedField(packet, linkTo, t),
					...excludedField(packet, t),
				],
				footer: { text: t('intake.review.footer', { id: session.id, version: reviewVersion(session) }) },
			},
		],
		components: rowOf(isOpen ? buttons(session, t) : []),
		files: handoffFiles(packet),
	};
}

/** What is left of a review card once another version stands below it. */
export function replacedReviewCard(t: Translate): View {
	return { embeds: [{ color: 0x80848e, description: t('intake.review.old') }] };
}

function remarks(session: IntakeSession, { body }: HandoffPacket, t: Translate): string[] {
	const known = ['summary', 'name', 'facts', 'all'] as const;
	const standIns = body.stand_ins.flatMap((what) => known.find((one) => one === what) ?? []);
	const when = session.autoLockAt;
	return [
		...(body.trigger === 'forced' ? [t('intake.review.forced')] : []),
		...(standIns.length === 0
			? []
			: [
					t('intake.review.standIns', {
						what: standIns.map((what) => t(`intake.review.standIn.${what}`)).join(', '),
					}),
				]),
		...(body.requires_escalation ? [t('intake.review.escalation', { to: inline(body.ESCALATE_TO ?? '', 100) })] : []),
		...(session.state !== 'REVIEW'
			? []
			: [
					when === undefined
						? t('intake.review.noAutoLock')
						: t('intake.review.autoLock', { when: `<t:${Math.ceil(when / 1_000)}:R>` }),
					...pendingText(session, t),
				]),
	];
}

/** Requirements over as many fields as they need and an embed has room for. */
function requirementFields({ body }: HandoffPacket, linkTo: EvidenceLink, t: Translate): APIEmbedField[] {
	const name = t('intake.review.requirements', { count: body.requirements.length });
	if (body.requirements.length === 0) return [{ name, value: t('intake.review.none') }];
	const links = body.requirements.length > 10 ? 1 : 2;
	let left = body.requirements.map(({ id, text, evidence }) => {
		const places = evidence.slice(0, links).map((one) => `[${t('intake.review.basis')}](${linkTo(one)})`);
		return `**${id}** ${inline(text, 120)} ${places.join(' ')}`;
	});
	const fields: APIEmbedField[] = [];
	for (let page = 1; page <= REQUIREMENT_FIELDS && left.length > 0; page += 1) {
		const isLast = page === REQUIREMENT_FIELDS;
		const value = isLast
			? fitLines(left, 1_024, (count) => t('intake.review.more', { count }))
			: wholeLines(left, 1_024);
		fields.push({ name: page === 1 ? name : '\u200b', value });
		left = left.slice(isLast ? left.length : value.split('\n').length);
	}
	return fields;
}

function notUsedField({ body }: HandoffPacket, linkTo: EvidenceLink, t: Translate): APIEmbedField[] {
	if (body.not_used.length === 0) return [];
	const lines = body.not_used.map((one) => `“${inline(one.quote, 100)}” [↗](${linkTo(one)})`);
	return [
		{
			name: t('intake.review.notUsed', { count: body.not_used.length }),
			value: fitLines(lines, LIST_MAX, (count) => t('intake.review.more', { count })),
		},
	];
}

function excludedField({ body }: HandoffPacket, t: Translate): APIEmbedField[] {
	if (body.excluded_facts.length === 0) return [];
	const lines = body.excluded_facts.map(
		({ text, reason }) => `${inlineCode(text, 80)}: ${inline(reason.replaceAll('_', ' '), 60)}`,
	);
	return [
		{
			name: t('intake.review.excluded', { count: body.excluded_facts.length }),
			value: fitLines(lines, LIST_MAX, (count) => t('intake.review.more', { count })),
		},
	];
}

function missingText({ dimensions }: IntakeSession, t: Translate): string {
	return (Object.keys(dimensions) as (keyof typeof dimensions)[])
		.filter((one) => dimensions[one] !== 'answered')
		.map((one) => t(`intake.dimension.${one}`))
		.join(', ');
}

function verdictText({ verdict }: IntakeSession, t: Translate): string {
	if (verdict === undefined) return t('intake.review.verdictNone');
	const findings = verdict.findings.map(({ article, reason }) => `\`${article}\` ${inline(reason, 160)}`);
	return clip([t(`intake.review.verdict.${verdict.outcome}`), ...findings].join('\n'), 1_024);
}

/** As many whole lines as fit; at least one. */
function wholeLines(lines: readonly string[], max: number): string {
	let length = -1;
	const kept = lines.filter((line, index) => {
		length += line.length + 1;
		return index === 0 || length <= max;
	});
	return kept.join('\n');
}

/** As many whole lines as fit, and how many are left out. */
export function fitLines(lines: readonly string[], max: number, more: (count: number) => string): string {
	const all = lines.join('\n');
	if (all.length <= max) return all;
	const kept: string[] = [];
	let length = more(lines.length).length;
	for (const line of lines) {
		length += line.length + 1;
		if (length > max) break;
		kept.push(line);
	}
	return [...kept, more(lines.length - kept.length)].join('\n');
}

function buttons(session: IntakeSession, t: Translate): APIButtonComponent[] {
	const make = buttonMaker(session.id, reviewVersion(session), t);
	const isWriting = (session.pending?.parts.length ?? 0) > 0;
	return [
		// What waits changes the result, so it has to be taken in before anything is locked.
		isWriting ? make('send', ButtonStyle.Success) : make('lock', ButtonStyle.Success),
		make('edit', ButtonStyle.Secondary, t('intake.button.editResult')),
		make('discard', ButtonStyle.Danger),
	];
}
