import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { checkSelf, type SelfFacts } from '../../../bot/self-check.ts';

const { ViewChannel, SendMessages, ReadMessageHistory, AttachFiles, EmbedLinks, ChangeNickname } = PermissionFlagsBits;
const all = ViewChannel | SendMessages | ReadMessageHistory | AttachFiles | EmbedLinks;
const facts = (more: Partial<SelfFacts> = {}): SelfFacts => ({
	guildFound: true,
	guildId: '700000000000000001',
	channels: [{ channelId: '1', use: 'room', state: 'ok', permissions: all }],
	guildPermissions: ChangeNickname,
	wantedName: 'Vesper',
	shownName: 'Vesper',
	messageContent: true,
	adminsConfigured: true,
	rolePosition: 2,
	...more,
});

describe('checkSelf', () => {
	test('OPS-3 nothing is said when nothing is wrong', () => {
		expect(checkSelf(facts())).toEqual([]);
	});

	test('OPS-3 each missing permission is named for its channel', () => {
		const channels = [{ channelId: '42', use: 'admin', state: 'ok', permissions: ViewChannel | SendMessages }] as const;
		const [finding, ...others] = checkSelf(facts({ channels }));
		expect(others).toEqual([]);
		expect(finding).toMatchObject({ severity: 'warning', code: 'channel_permissions' });
		expect(finding?.fix).toBe(
			'Channel settings of <#42>, Permissions, add my role, allow: Read Message History, Embed Links, Attach Files.',
		);
	});

	test('OPS-3 a channel that cannot be written in is an error, one that is gone too', () => {
		const channels = [
			{ channelId: '1', use: 'room', state: 'ok', permissions: all & ~SendMessages },
			{ channelId: '2', use: 'room', state: 'missing', permissions: 0n },
			{ channelId: '3', use: 'admin', state: 'not_text', permissions: all },
		] as const;
		expect(checkSelf(facts({ channels })).map(({ severity, code }) => `${severity} ${code}`)).toEqual([
			'error channel_permissions',
			'error channel_missing',
			'error channel_not_text',
		]);
	});

	test('OPS-3 a guild that is not ours comes with the invitation', () => {
		expect(checkSelf(facts({ guildFound: false, channels: [] }))).toEqual([
			expect.objectContaining({ code: 'guild_missing', fix: expect.stringContaining('bot applications.commands') }),
		]);
	});

	test('OVR-29 the nickname is worth a word only when we may not set it', () => {
		expect(checkSelf(facts({ shownName: 'Majordomo' }))).toEqual([]);
		const [finding] = checkSelf(facts({ shownName: 'Majordomo', guildPermissions: 0n, rolePosition: 0 }));
		expect(finding?.fix).toContain('Change Nickname');
		expect(finding?.fix).toContain('no role of my own');
	});

	test('OPS-13 without message content it says what is lost', () => {
		const [finding] = checkSelf(facts({ messageContent: false }));
		expect(finding).toMatchObject({ severity: 'info', code: 'no_message_content' });
		expect(finding?.what).toContain('only mentions, replies');
	});

	test('a house without named admins is warned', () => {
		expect(checkSelf(facts({ adminsConfigured: false }))[0]).toMatchObject({ severity: 'warning', code: 'no_admins' });
	});
});
