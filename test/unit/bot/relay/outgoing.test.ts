import { describe, expect, test } from 'vitest';
import { nonceOf, toOutgoing } from '../../../../bot/relay/outgoing.ts';
import { channelOfRoom } from '../../../../bot/relay/place.ts';
import { roomSettings } from '../../../../config/rooms.ts';
import type { ChatMessage } from '../../../../core/chat/message.ts';

const line = (text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
	id: 'line-1',
	room: 'lab',
	author: { id: 'overseer', name: 'Vesper' },
	bot: true,
	text,
	at: 0,
	mentions: [],
	source: 'overseer',
	...more,
});

describe('toOutgoing', () => {
	test('OPS-15 the nonce comes from the line and its part alone, and fits Discord', () => {
		const [first, second] = toOutgoing(line('a b '.repeat(900)));
		expect(first?.nonce).toBe(nonceOf('line-1', 0));
		expect(second?.nonce).toBe(nonceOf('line-1', 1));
		expect(new Set([nonceOf('a', 0), nonceOf('a', 1), nonceOf('b', 0)]).size).toBe(3);
		expect(nonceOf('x'.repeat(500), 4).length).toBeLessThanOrEqual(25);
		expect(first?.enforceNonce).toBe(true);
	});

	test('OPS-12 D03 only the first part is a reply, every part closes mentions', () => {
		const parts = toOutgoing(line('word '.repeat(900), { replyTo: { id: '7', toBot: false } }));
		expect(parts.map((part) => part.reply)).toEqual([
			{ messageReference: '7', failIfNotExists: false },
			undefined,
			undefined,
		]);
		for (const part of parts) expect(part.allowedMentions).toEqual({ parse: [], repliedUser: false });
	});

	test('OPS-12 blank lines become nothing', () => {
		expect(toOutgoing(line(' \n'))).toEqual([]);
	});
});

test('rooms, other places and strangers', () => {
	const rooms = [roomSettings.parse({ id: 'lab', title: 'Lab', channelId: '800000000000000001' })];
	expect(channelOfRoom('lab', rooms)).toBe('800000000000000001');
	expect(channelOfRoom('discord:800000000000000009', rooms)).toBe('800000000000000009');
	expect(channelOfRoom('discord:../x', rooms)).toBeUndefined();
	expect(channelOfRoom('attic', rooms)).toBeUndefined();
});
