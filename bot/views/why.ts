import type { AuditRow } from '../../core/tooling/call.ts';
import type { Translate } from '../catalogue.ts';
import { auditLine } from './audit.ts';
import type { RoomFacts } from './room-facts.ts';
import { fitLines, reasonsText, relative } from './status-lines.ts';
import { inline, type View } from './view.ts';

/** A row with what it was called with: `ha_set_entity shelf off` tells more than the name alone. */
function callEnd(row: AuditRow): string {
	const args = Object.values((row.args ?? {}) as Readonly<Record<string, unknown>>).map((value) =>
		typeof value === 'object' ? JSON.stringify(value) : String(value),
	);
	// What was said stands above; what the model wanted to say counts only where nothing is said.
	const isSpoken = row.tool === 'chat_say' && row.step !== 'dry_run';
	return args.length === 0 || isSpoken ? auditLine(row) : `${auditLine(row)}: ${inline(args.join(' '), 200)}`;
}

/** Answer of `/overseer why`: the last decision from what woke it to what came of it. `rows`: the room's newest audit rows. */
export function whyView(facts: RoomFacts, rows: readonly AuditRow[], t: Translate): View {
	const { decision, output, modelInput, lastHold } = facts.status ?? {};
	const room = facts.room.title;
	if (decision === undefined) return { content: t('why.none', { room }) };
	const by = decision.addressedBy.map((name) => inline(name, 40)).join(', ');
	// How a call ended, not each step on its way.
	const own = rows
		.filter(({ decisionId, step }) => decisionId === decision.id && step !== 'proposed' && step !== 'running')
		.reverse();
	const isRehearsal = own.some(({ step }) => step === 'dry_run');
	const said = output?.chat === undefined ? [] : [`“${inline(output.chat, 300)}”`];
	const unsaid = output?.chatDropped === undefined ? [] : [t('why.unsaid', { reason: inline(output.chatDropped, 80) })];
	const chose =
		output === undefined
			? t('why.waiting')
			: [`**${output.mode}** ${inline(output.notes.join(', '), 200)}`, ...said, ...unsaid].join('\n');
	const blocked = (modelInput?.blocked ?? []).map(({ tool, reasons }) => `\`${tool}\` ${reasonsText(reasons)}`);
	const fields = [
		{ name: t('why.trigger'), value: `\`${decision.trigger}\` ${relative(decision.at)}${by === '' ? '' : `: ${by}`}` },
		{
			name: t('why.evidence'),
			value: fitLines(
				decision.evidence.map((note) => `- ${inline(note, 160)}`),
				900,
			),
		},
		{ name: t('why.chose'), value: chose },
		{ name: t('why.withheld'), value: fitLines(blocked, 900) },
		{ name: t(isRehearsal ? 'why.would' : 'why.happened'), value: fitLines(own.map(callEnd), 1_000) },
	].filter((field) => field.value !== '');
	const notes = [
		...(facts.stage === 'observe' ? [t('why.observe')] : []),
		...(lastHold !== undefined && lastHold.at > decision.at
			? [t('why.held', { reason: inline(lastHold.reason, 160) })]
			: []),
	];
	return {
		embeds: [
			{ title: t('why.title', { room }), ...(notes.length === 0 ? {} : { description: notes.join('\n') }), fields },
		],
	};
}
