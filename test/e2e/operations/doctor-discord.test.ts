import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DoctorRig, openDoctorRig } from './doctor-rig.ts';

describe('the doctor and Discord', () => {
	let rig: DoctorRig;
	beforeAll(async () => {
		rig = await openDoctorRig();
	});
	beforeEach(async () => {
		await rig.discord.control.reset({});
		await rig.discord.control.clearFaults({});
	});
	afterAll(() => rig.close());

	test('OPS-3 nothing is said about a house in order', async () => {
		const { areas, troubles } = await rig.examine();
		expect(troubles).toEqual([]);
		expect(areas.filter(({ skipped }) => skipped).map(({ area }) => area)).toEqual(['fleet']);
		expect(areas.find(({ area }) => area === 'discord')?.detail).toBe('Majordomo, in The Rehearsal House');
		await rig.discord.control.waitBot({ online: false });
	});

	test('OPS-3 a refused token: where the new one comes from and where it goes', async () => {
		const { finding, troubles } = await rig.examine(undefined, {
			variables: { DISCORD_TOKEN: 'wrong-token-0123456789' },
		});
		expect(troubles).toEqual(['error discord_token']);
		expect(finding('discord_token').fix).toContain('Bot, "Reset Token"; put the new one into .env as DISCORD_TOKEN');
	});

	test('OPS-3 no token at all: everything else is looked at all the same', async () => {
		const { areas, finding } = await rig.examine(undefined, { variables: { DISCORD_TOKEN: undefined } });
		expect(finding('config_environment').what).toContain('DISCORD_TOKEN is missing');
		expect(areas.find(({ area }) => area === 'home')?.detail).toContain('entities there');
	});

	test('OPS-3 a missing permission is named with its channel, and a hidden channel too', async () => {
		await rig.discord.control.channelPermissions({ channel: 'room', target: 'Majordomo', deny: ['AttachFiles'] });
		await rig.discord.control.channelPermissions({ channel: 'admin', target: 'Majordomo', deny: ['ViewChannel'] });
		const { findings } = await rig.examine();
		const lacks = findings.filter(({ code }) => code === 'channel_permissions');
		expect(lacks.map(({ severity, fix }) => `${severity}: ${fix}`)).toEqual([
			`warning: Channel settings of <#${rig.discord.channels['room']}>, Permissions, add my role, allow: Attach Files.`,
			expect.stringMatching(
				new RegExp(
					`^error: Channel settings of <#${rig.discord.channels['admin']}>.* allow: View Channel, Send Messages`,
				),
			),
		]);
	});

	test('OPS-3 computed permissions are those that Discord itself applies', async () => {
		await rig.discord.control.rolePermissions({ role: '@everyone', permissions: [] });
		await rig.discord.control.rolePermissions({ role: 'Majordomo', permissions: ['ViewChannel', 'SendMessages'] });
		const before = await rig.examine();
		expect(before.finding('channel_permissions').fix).toContain('allow: Read Message History, Attach Files');
		await rig.discord.control.channelPermissions({
			channel: 'room',
			target: 'Majordomo',
			allow: ['ReadMessageHistory', 'AttachFiles'],
		});
		await rig.discord.control.channelPermissions({ channel: 'room', target: '@everyone', deny: ['AttachFiles'] });
		const room = (await rig.examine()).findings.filter(({ what }) => what.includes(rig.discord.channels['room'] ?? ''));
		expect(room).toEqual([]);
	});

	test('OPS-3 a bot without a role of its own is sent to the invitation, and its place in the order is no trouble', async () => {
		await rig.discord.control.memberRoles({ who: 'Majordomo', roles: [] });
		const { finding } = await rig.examine();
		expect(finding('no_own_role').fix).toMatch(/scope=bot\+applications\.commands&permissions=\d+/);
		expect(finding('no_own_role').fix).toContain('Its place in the order does not matter');
	});

	test('OPS-3 a name that cannot be changed says which role may not, and where', async () => {
		await rig.discord.control.rolePermissions({ role: '@everyone', permissions: ['ViewChannel'] });
		await rig.discord.control.rolePermissions({
			role: 'Majordomo',
			permissions: ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'AttachFiles', 'EmbedLinks'],
		});
		const { finding } = await rig.examine((settings) => {
			settings.overseer.name = 'Vesper';
		});
		expect(finding('nickname').fix).toContain('allow Change Nickname');
	});

	test('OPS-3 wrong ids: a channel, an admin role, the whole server', async () => {
		const wrong = await rig.examine((settings) => {
			if (settings.rooms[0]) settings.rooms[0].channelId = '123456789012345678';
			settings.discord.adminRoleIds = ['123456789012345679', rig.discord.guildId];
		});
		expect(wrong.troubles).toEqual([
			'warning admin_role_missing',
			'error admin_role_everyone',
			'error channel_missing',
		]);
		expect(wrong.finding('channel_missing').fix).toContain('rooms[].channelId');
		const elsewhere = await rig.examine((settings) => {
			settings.discord.guildId = '123456789012345678';
		});
		expect(elsewhere.finding('guild_missing').fix).toContain(`client_id=${rig.discord.applicationId}`);
	});

	test('OPS-3 commands that are not registered are named', async () => {
		const base = `${rig.discord.restUrl}/v10/applications/${rig.discord.applicationId}/guilds/${rig.discord.guildId}/commands`;
		const headers = { authorization: `Bot ${rig.discord.token}`, 'content-type': 'application/json' };
		const before = (await (await fetch(base, { headers })).json()) as { name: string }[];
		const put = (body: unknown) => fetch(base, { method: 'PUT', headers, body: JSON.stringify(body) });
		await put(before.filter(({ name }) => name !== 'overseer').map(strip));
		expect((await rig.examine()).finding('commands_old').what).toContain('/overseer');
		await put([]);
		expect((await rig.examine()).finding('commands_none').severity).toBe('info');
		await put(before.map(strip));
	});

	test('OPS-3 Discord that hangs is told within the deadline and holds nothing else up', async () => {
		await rig.discord.control.restFault({ kind: 'hang', path: '/applications/@me', times: 5 });
		const { finding, areas } = await rig.examine(undefined, { deadlineMs: 1_500 });
		expect(finding('discord_unreachable').what).toContain('no answer in time');
		expect(
			areas.filter(({ area }) => area === 'model' || area === 'home').every(({ findings }) => findings.length === 0),
		).toBe(true);
	});

	test('OPS-3 a gateway that lets nobody in is told apart from a bad token', async () => {
		await rig.discord.control.gatewayFaults({ refuseConnections: true });
		expect((await rig.examine()).finding('discord_gateway').fix).toContain('wss://gateway.discord.gg');
	});
});

describe('the doctor and intents', () => {
	test('OPS-3 a portal without the message content intent: 4014 explained, with both ways out', async () => {
		const rig = await openDoctorRig({ bot: { privilegedIntents: [] } });
		try {
			const { finding, troubles } = await rig.examine();
			expect(troubles).toEqual(['error discord_intents']);
			expect(finding('discord_intents').what).toContain('4014');
			expect(finding('discord_intents').fix).toContain(`applications/${rig.discord.applicationId}/bot`);
			expect(finding('discord_intents').fix).toContain('discord.messageContent: false');
			const without = await rig.examine((settings) => {
				settings.discord.messageContent = false;
			});
			expect(without.troubles).toEqual([]);
		} finally {
			await rig.close();
		}
	});
});

/** What Discord adds to a command does not go back to it. */
function strip(command: object): object {
	const { id, application_id, guild_id, version, ...rest } = command as Record<string, unknown>;
	void [id, application_id, guild_id, version];
	return rest;
}
