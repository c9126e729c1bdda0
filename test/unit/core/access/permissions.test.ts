import { describe, expect, test } from 'vitest';
import { discordSettings } from '../../../../config/discord.ts';
import { type Action, canDo, type Person } from '../../../../core/access/permissions.ts';

const someone: Person = { id: '100000000000000001', roleIds: ['200000000000000001'] };
const open = discordSettings.parse({});
const named = discordSettings.parse({ adminUserIds: ['100000000000000009'], adminRoleIds: ['200000000000000009'] });
const adminOnly: Action[] = [
	'overseer.control',
	'admin.mode',
	'admin.lights_lock',
	'admin.pause',
	'panel.view',
	'prompt.view',
	'memory.view',
	'memory.clear',
	'audit.view',
];

describe('permissions', () => {
	test('OVR-23 OPS-13 what admins do is refused to everybody else', () => {
		for (const action of adminOnly) {
			expect(canDo(action, someone, open)).toEqual({ allowed: false, why: 'not_admin' });
			expect(canDo(action, someone, named)).toEqual({ allowed: false, why: 'not_admin' });
		}
	});

	test('OVR-23 OPS-13 configured people and roles, the owner and administrators may', () => {
		const may = (more: Partial<Person>) => canDo('admin.mode', { ...someone, ...more }, named);
		expect(may({ id: '100000000000000009' })).toEqual({ allowed: true, why: 'admin_user' });
		expect(may({ roleIds: ['1', '200000000000000009'] })).toEqual({ allowed: true, why: 'admin_role' });
		expect(may({ isGuildOwner: true })).toEqual({ allowed: true, why: 'guild_owner' });
		expect(may({ permissionBits: 1n << 3n })).toEqual({ allowed: true, why: 'administrator' });
	});

	test('OPS-13 managing the guild is enough only while nobody is named', () => {
		const manager = { ...someone, permissionBits: 1n << 5n };
		expect(canDo('admin.mode', manager, open)).toEqual({ allowed: true, why: 'manage_guild' });
		expect(canDo('admin.mode', manager, named)).toEqual({ allowed: false, why: 'not_admin' });
	});

	test('OVR-30 everybody may look at the room and vote', () => {
		expect(canDo('room.view', someone, named)).toEqual({ allowed: true, why: 'anyone' });
		expect(canDo('overseer.vote', someone, named)).toEqual({ allowed: true, why: 'anyone' });
	});

	test('OPS-13 what is not known is refused', () => {
		const owner = { ...someone, isGuildOwner: true };
		expect(canDo('admin.everything' as Action, owner, named)).toEqual({ allowed: false, why: 'unknown_action' });
		expect(canDo('toString' as Action, owner, named)).toEqual({ allowed: false, why: 'unknown_action' });
		for (const id of ['', 'self', '42']) {
			expect(canDo('room.view', { ...owner, id }, named)).toEqual({ allowed: false, why: 'unknown_person' });
		}
	});
});
