import type { RoomSettings } from '../../config/rooms.ts';
import type { MemorySlots } from '../../core/overseer/stores.ts';
import type { Translate } from '../catalogue.ts';
import { inline, type View } from './view.ts';

/** Answer of `/overseer memory`. */
export function memoryView(room: RoomSettings, slots: MemorySlots, t: Translate): View {
	const description = slots
		.map((text, index) => `**${index + 1}** ${text === '' ? t('memory.empty') : inline(text, 400)}`)
		.join('\n');
	return { embeds: [{ title: t('memory.title', { room: room.title }), description }] };
}
