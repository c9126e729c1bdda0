import type { Translate } from '../catalogue.ts';
import type { RoomFacts } from './room-facts.ts';
import { isSilent, relative, stateLine, triggerLine } from './status-lines.ts';
import { inline, type View } from './view.ts';

/** Answer of `/overseer status`: for everybody, so without prompts and raw output. */
export function statusView(facts: RoomFacts, t: Translate): View {
	const { status } = facts;
	const title = t('panel.title', { name: facts.name, room: facts.room.title });
	const state = { name: t('panel.state'), value: stateLine(facts, t) };
	if (status === undefined)
		return { embeds: [{ title, description: t('panel.none', { room: facts.room.title }), fields: [state] }] };
	const hold =
		status.lastHold === undefined ? '' : `${relative(status.lastHold.at)} ${inline(status.lastHold.reason, 160)}`;
	const fields = [
		state,
		{ name: t('panel.trigger'), value: triggerLine(status) || t('panel.nothing') },
		{ name: t('panel.hold'), value: hold || t('panel.nothing') },
		{ name: t('panel.budget'), value: t('panel.budgetText', status.budget) },
	];
	return { embeds: [{ title, ...(isSilent(facts) ? { description: t('panel.silent') } : {}), fields }] };
}
