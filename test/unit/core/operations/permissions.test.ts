import { readFileSync } from 'node:fs';
import { PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { channelPermissions, guildPermissions } from '../../../../core/operations/discord-permissions.ts';
import { INVITE_PERMISSIONS, inviteLink } from '../../../../core/operations/invite.ts';

const { Administrator, ViewChannel, SendMessages, AttachFiles } = PermissionFlagsBits;
const guild = '100';
const role = (id: string, permissions: bigint) => ({ id, name: id, position: 1, permissions: permissions.toString() });
const overwrite = (id: string, type: number, allow: bigint, deny: bigint) => ({
	id,
	type,
	allow: allow.toString(),
	deny: deny.toString(),
});
const me = { id: '7', roleIds: ['1', '2'] };

describe('permissions as Discord counts them', () => {
	test('OPS-3 roles add up, those of others do not count, Administrator is everything', () => {
		const roles = [role(guild, ViewChannel), role('1', SendMessages), role('3', AttachFiles)];
		expect(guildPermissions(guild, roles, me)).toBe(ViewChannel | SendMessages);
		const admin = guildPermissions(guild, [...roles, role('2', Administrator)], me);
		expect(channelPermissions(guild, admin, [overwrite('7', 1, 0n, ViewChannel)], me) & ViewChannel).toBe(ViewChannel);
	});

	test('OPS-3 exceptions apply in order: everyone, roles at once, the member', () => {
		const base = ViewChannel | SendMessages;
		const denyAll = overwrite(guild, 0, 0n, SendMessages);
		expect(channelPermissions(guild, base, [denyAll], me)).toBe(ViewChannel);
		const byRole = [overwrite('2', 0, SendMessages, 0n), overwrite('1', 0, 0n, SendMessages), denyAll];
		expect(channelPermissions(guild, base, byRole, me)).toBe(base);
		expect(channelPermissions(guild, base, [...byRole, overwrite('7', 1, 0n, SendMessages)], me)).toBe(ViewChannel);
		expect(channelPermissions(guild, base, [overwrite('9', 1, 0n, SendMessages)], me)).toBe(base);
	});

	test('OPS-3 a channel that is not seen allows nothing, whatever else is allowed in it', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: (1n << 50n) - 1n }), (allow) => {
				const hidden = [overwrite('7', 1, allow & ~ViewChannel, ViewChannel)];
				return channelPermissions(guild, ViewChannel | SendMessages, hidden, me) === 0n;
			}),
		);
	});
});

describe('the invitation', () => {
	test('OPS-3 asks for the permissions that the README names, and Discord calls them so', () => {
		const names = INVITE_PERMISSIONS.map(({ name }) => name);
		const flags: Readonly<Record<string, bigint>> = PermissionFlagsBits;
		for (const { name, bit } of INVITE_PERMISSIONS) {
			const key = name === 'View Channels' ? 'ViewChannel' : name.replace(' in ', ' In ').replaceAll(' ', '');
			expect(flags[key], name).toBe(bit);
		}
		const page = readFileSync('docs/operations.md', 'utf8').replace(/\s+/g, ' ');
		for (const name of names) expect(page).toContain(name);
		expect(inviteLink('42')).toContain(`permissions=${INVITE_PERMISSIONS.reduce((sum, { bit }) => sum + bit, 0n)}`);
		expect(inviteLink('42', '9')).toContain('guild_id=9');
	});
});
