import { describe, expect, test } from 'vitest';
import type { IncomingMessage } from '../../../../bot/messages/incoming.ts';
import { type NormaliseContext, normalise } from '../../../../bot/messages/normalise.ts';
import { mentionedIds, readableText } from '../../../../bot/messages/readable-text.ts';
import { roomSettings } from '../../../../config/rooms.ts';

const SELF_ID = '900000000000000001';
const SAM = '900000000000000002';
const CHANNEL = '800000000000000001';
const context: NormaliseContext = {
	selfId: SELF_ID,
	name: 'Vesper',
	guildId: '700000000000000001',
	rooms: [roomSettings.parse({ id: 'lab', title: 'Lab', channelId: CHANNEL })],
};
const names = {
	user: (id: string) => (id === SAM ? 'Sam' : undefined),
	role: (id: string) => (id === '600000000000000001' ? 'Residents' : undefined),
	channel: (id: string) => (id === CHANNEL ? 'lab' : undefined),
};
const incoming = (more: Partial<IncomingMessage> = {}): IncomingMessage => ({
	id: '1523456789012345678',
	guildId: '700000000000000001',
	channelId: CHANNEL,
	parentId: null,
	author: { id: SAM, name: 'Sam' },
	isBot: false,
	isSystem: false,
	content: 'hello',
	extras: [],
	at: 5,
	names,
	...more,
});
const messageOf = (more: Partial<IncomingMessage>, where: Partial<NormaliseContext> = {}) => {
	const result = normalise(incoming(more), { ...context, ...where });
	if (result.kind !== 'message') throw new Error(result.reason);
	return result.message;
};

describe('normalise', () => {
	test.each([
		['own', { author: { id: SELF_ID, name: 'me' } }],
		['system', { isSystem: true }],
		['other_guild', { guildId: '700000000000000009' }],
		['other_channel', { channelId: '800000000000000009' }],
		['empty', { content: '  \n ' }],
	] as const)('D04 D07 what is %s is ignored', (reason, more) => {
		expect(normalise(incoming(more), context)).toEqual({ kind: 'ignored', reason });
	});

	test('D04 bots and webhooks are kept as bots', () => {
		expect(messageOf({ isBot: true })).toMatchObject({ bot: true, source: 'discord' });
	});

	test('OVR-2 our account and the role Discord made for us are both ourselves', () => {
		expect(messageOf({ content: `<@!${SELF_ID}> and <@${SAM}>` })).toMatchObject({
			mentions: ['self', SAM],
			text: '@Vesper and @Sam',
		});
		const byRole = messageOf({ content: '<@&600000000000000009> hi', ownRoleId: '600000000000000009' });
		expect(byRole).toMatchObject({ mentions: ['self'], text: '@Vesper hi' });
	});

	test('OVR-2 a reply knows whether it answers us', () => {
		expect(messageOf({ reply: { id: '1', authorId: SELF_ID } }).replyTo).toEqual({ id: '1', toBot: true });
		expect(messageOf({ reply: { id: '1', authorId: SAM } }).replyTo).toEqual({ id: '1', toBot: false });
		expect(messageOf({ reply: { id: '1' } }).replyTo).toEqual({ id: '1', toBot: false });
	});

	test('D07 files, stickers and polls are told in words beside the text', () => {
		expect(messageOf({ content: '', extras: ['[sticker: wave]'] }).text).toBe('[sticker: wave]');
		expect(messageOf({ content: 'look', extras: ['[image: a.png]'] }).text).toBe('look [image: a.png]');
	});

	test('places that somebody listens to are known by their channel', () => {
		const where = { listensTo: ({ parentId }: { parentId: string | null }) => parentId === CHANNEL };
		expect(messageOf({ channelId: '800000000000000009', parentId: CHANNEL }, where).room).toBe(
			'discord:800000000000000009',
		);
	});
});

describe('readableText', () => {
	test('mark-up becomes words, unknown ids stay nameless', () => {
		const text = `<@${SAM}> <@!900000000000000009> <@&600000000000000001> <#${CHANNEL}> <a:party:123456789012345678> </room state:123456789012345678>`;
		expect(readableText(text, names)).toBe('@Sam @someone @Residents #lab :party: /room state');
	});

	test('ids in the text are found once each', () => {
		expect(mentionedIds(`<@${SAM}> <@!${SAM}> <@&600000000000000001>`)).toEqual({
			users: [SAM],
			roles: ['600000000000000001'],
		});
		expect(mentionedIds('<@1> @sam')).toEqual({ users: [], roles: [] });
	});
});
