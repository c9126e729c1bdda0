import {
	type APIActionRowComponent,
	type APIComponentInMessageActionRow,
	type APIEmbed,
	type APIEmbedField,
	ButtonStyle,
	ComponentType,
} from 'discord.js';
import type { CommentaryStatus } from '../../core/overseer/commentary-status.ts';
import type { OverseerStatus } from '../../core/overseer/status.ts';
import type { Translate } from '../catalogue.ts';
import { formatCustomId } from '../interactions/custom-id.ts';
import type { RoomFacts } from './room-facts.ts';
import { callLine, fitLines, isSilent, reasonsText, relative, stateLine, triggerLine } from './status-lines.ts';
import { clip, codeBlock, inline, type View } from './view.ts';

const COLORS = { calm: 0x57c7a3, busy: 0x5865f2, worried: 0xf0b232, failed: 0xed4245, off: 0x80848e } as const;
const STAGES = ['off', 'observe', 'chat', 'full'] as const;

/**
 * The live panel. Which one follows what runs: the overseer's, the commentator's, or the disabled state. Nothing in it
 * depends on the clock except what Discord counts down by itself, so it only changes when the room does.
 */
export function panelView(facts: RoomFacts, t: Translate): View {
	const view = panelOf(facts, t);
	if (facts.isKept !== false) return view;
	const [main, ...rest] = view.embeds ?? [];
	const description = [t('panel.notKept'), main?.description].filter(Boolean).join('\n');
	return { ...view, embeds: [{ ...main, color: COLORS.failed, description }, ...rest] };
}

function panelOf(facts: RoomFacts, t: Translate): View {
	const components = controls(facts, t);
	const names = { name: facts.name, room: facts.room.title };
	const state = { name: t('panel.state'), value: stateLine(facts, t) };
	if (facts.runtime === 'off' || facts.stage === 'off') {
		const description = t(facts.runtime === 'off' ? 'panel.disabledRuntime' : 'panel.disabledStage');
		return {
			embeds: [{ title: t('panel.disabled', names), color: COLORS.off, description, fields: [state] }],
			components,
		};
	}
	if (facts.runtime === 'commentary') {
		const description = t('panel.commentaryText');
		return {
			embeds: [
				{
					title: t('panel.commentary', names),
					color: facts.commentary?.phase === 'failed' ? COLORS.failed : COLORS.calm,
					description,
					fields: [state, ...commentaryFields(facts.commentary, t)],
				},
			],
			components,
		};
	}
	const { status } = facts;
	const title = t('panel.title', names);
	if (status === undefined)
		return {
			embeds: [{ title, color: COLORS.worried, description: t('panel.none', names), fields: [state] }],
			components,
		};
	const main: APIEmbed = {
		title,
		color: colorOf(facts, status),
		...(isSilent(facts) ? { description: t('panel.silent') } : {}),
		fields: [state, ...fieldsOf(status, t)],
	};
	const update: APIEmbed[] =
		status.stateUpdate === undefined
			? []
			: [{ title: t('panel.update'), color: COLORS.off, description: codeBlock(status.stateUpdate, 1_250) }];
	return { embeds: [main, ...update], components };
}

function commentaryFields(status: CommentaryStatus | undefined, t: Translate): APIEmbedField[] {
	if (status === undefined) return [];
	const { lastTrigger, lines, lastError } = status;
	const fields: { key: Parameters<Translate>[0]; value: string }[] = [
		{
			key: 'panel.trigger',
			value: lastTrigger === undefined ? '' : `${relative(lastTrigger.at)} ${inline(lastTrigger.note, 160)}`,
		},
		{
			key: 'panel.lines',
			value: fitLines(
				lines.map(({ at, text }) => `${relative(at)} ${inline(text, 200)}`),
				900,
			),
		},
		{ key: 'panel.counts', value: `${status.posted} / ${status.skipped}` },
		{ key: 'panel.raw', value: status.raw === undefined ? '' : codeBlock(status.raw, 900) },
		{
			key: 'panel.error',
			value:
				lastError === undefined
					? ''
					: `${relative(lastError.at)} ${inline(`${lastError.code}: ${lastError.text}`, 300)}`,
		},
	];
	return fields.map(({ key, value }) => ({ name: t(key), value: value === '' ? t('panel.nothing') : value }));
}

function colorOf(facts: RoomFacts, status: OverseerStatus): number {
	if (facts.site.paused) return COLORS.off;
	if (status.phase === 'failed' || isSilent(facts)) return COLORS.failed;
	if (status.backoffUntil !== undefined) return COLORS.worried;
	return status.phase === 'awaiting_model' || status.phase === 'tool_exec' ? COLORS.busy : COLORS.calm;
}

function fieldsOf(status: OverseerStatus, t: Translate): APIEmbedField[] {
	const { lastHold, lastError, budget } = status;
	const cooling = Object.entries(status.readyAt).map(([family, at]) => `${family} ${relative(at)}`);
	const backoff =
		status.backoffUntil === undefined
			? ''
			: t('panel.backoff', { failures: status.failures, when: relative(status.backoffUntil) });
	const fields: { key: Parameters<Translate>[0]; value: string }[] = [
		{ key: 'panel.trigger', value: triggerLine(status) },
		{
			key: 'panel.hold',
			value: lastHold === undefined ? '' : `${relative(lastHold.at)} ${inline(lastHold.reason, 160)}`,
		},
		{ key: 'panel.decision', value: decisionText(status, t) },
		{ key: 'panel.input', value: inputText(status, t) },
		{ key: 'panel.output', value: outputText(status, t) },
		{ key: 'panel.calls', value: fitLines(status.calls.map(callLine), 600) },
		{ key: 'panel.cooldowns', value: cooling.length === 0 ? t('panel.ready') : fitLines([cooling.join(', ')], 300) },
		{ key: 'panel.budget', value: [t('panel.budgetText', budget), backoff].filter((part) => part !== '').join('\n') },
		{ key: 'panel.recent', value: fitLines(status.recentActions.map(callLine), 700) },
		{
			key: 'panel.error',
			value:
				lastError === undefined
					? ''
					: `${relative(lastError.at)} \`${inline(lastError.code, 40)}\` ${inline(lastError.text, 250)}`,
		},
	];
	return fields.map(({ key, value }) => ({ name: t(key), value: value === '' ? t('panel.nothing') : value }));
}

function decisionText({ decision }: OverseerStatus, t: Translate): string {
	if (decision === undefined) return '';
	const by =
		decision.addressedBy.length === 0
			? ''
			: `, ${t('panel.addressedBy', { names: decision.addressedBy.map((name) => inline(name, 40)).join(', ') })}`;
	const attempt = decision.attempt > 1 ? `, ${t('panel.attempt', { n: decision.attempt })}` : '';
	const head = `\`${decision.trigger}\` ${relative(decision.at)}${by}${attempt}`;
	return fitLines([head, ...decision.evidence.map((note) => `- ${inline(note, 120)}`)], 500);
}

function inputText({ modelInput }: OverseerStatus, t: Translate): string {
	if (modelInput === undefined) return '';
	const reported =
		modelInput.reportedTokens === undefined ? '' : ` ${t('panel.reported', { n: modelInput.reportedTokens })}`;
	const blocked = modelInput.blocked.map(({ tool, reasons }) => `${tool}: ${reasonsText(reasons)}`);
	return fitLines(
		[
			`${t('panel.sent', { model: inline(modelInput.model, 60), messages: modelInput.messages, turns: modelInput.turns, tokens: modelInput.estimatedTokens })}${reported}`,
			t('panel.available', { tools: clip(modelInput.available.join(', ') || '–', 180) }),
			...(blocked.length === 0 ? [] : [t('panel.blocked', { tools: clip(blocked.join('; '), 240) })]),
		],
		500,
	);
}

function outputText({ output }: OverseerStatus, t: Translate): string {
	if (output === undefined) return '';
	const notes = output.notes.length === 0 ? '' : ` · ${inline(output.notes.join(', '), 120)}`;
	const unsaid =
		output.chatDropped === undefined ? '' : ` · ${t('why.unsaid', { reason: inline(output.chatDropped, 60) })}`;
	return `**${output.mode}** · ${(output.latencyMs / 1_000).toFixed(1)} s${notes}${unsaid}\n${codeBlock(output.raw, 650)}`;
}

function controls(facts: RoomFacts, t: Translate): APIActionRowComponent<APIComponentInMessageActionRow>[] {
	const target = facts.room.id;
	const button = (
		action: string,
		label: string,
		style: ButtonStyle.Danger | ButtonStyle.Success | ButtonStyle.Secondary,
	) =>
		({
			type: ComponentType.Button,
			style,
			label,
			custom_id: formatCustomId({ area: 'panel', action, target }),
		}) as const;
	const pause = facts.site.paused
		? button('resume', t('panel.button.resume'), ButtonStyle.Success)
		: button('pause', t('panel.button.pause'), ButtonStyle.Danger);
	const buttons = [
		pause,
		button('clear', t('panel.button.clear'), ButtonStyle.Secondary),
		button('prompt', t('panel.button.prompt'), ButtonStyle.Secondary),
	];
	const select = {
		type: ComponentType.StringSelect as const,
		custom_id: formatCustomId({ area: 'panel', action: 'stage', target }),
		placeholder: t('panel.button.stage'),
		options: STAGES.map((stage) => ({ label: stage, value: stage, default: stage === facts.stage })),
	};
	return [
		{ type: ComponentType.ActionRow, components: buttons },
		{ type: ComponentType.ActionRow, components: [select] },
	];
}
