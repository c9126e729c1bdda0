import { expect, test } from 'vitest';
import type { NumberedMessage } from '../../../../core/chat/message.ts';
import { speakerNames } from '../../../../core/chat/speaker-names.ts';

const line = (id: string, name: string, more: Partial<NumberedMessage> = {}): NumberedMessage => ({
	id: `m-${id}`,
	room: 'den',
	author: { id, name },
	bot: false,
	text: 'hello',
	at: 1,
	mentions: [],
	source: 'discord',
	seq: 1,
	...more,
});

test('OVR-11 OVR-28 only our own voices carry our name; a person or another bot that takes it is told apart', () => {
	const names = speakerNames(
		[
			line('1', 'Overseer'),
			line('2', 'Overseer', { bot: true }),
			line('3', 'Overseer', { bot: true, source: 'commentary' }),
		],
		['Overseer'],
	);
	expect([...names.values()]).toEqual(['Overseer (a person)', 'Overseer (a person) (2)', 'Overseer']);
});
