import { expect, test } from 'vitest';
import { nearestName } from '../../../config/nearest-name.ts';

test.each([
	['guild_id', ['guildId', 'adminRoleIds'], 'guildId'],
	['heatbeatMs', ['heartbeatMs', 'idleHeartbeatMs'], 'heartbeatMs'],
	['DISCROD_TOKEN', ['DISCORD_TOKEN', 'ADMIN_TOKEN'], 'DISCORD_TOKEN'],
	['ab', ['ba', 'cd'], 'ba'],
	['colour', ['stage', 'name'], undefined],
	['', ['a'], undefined],
	['___', ['a'], undefined],
])('OPS-4 %s among %j is %s', (name, known, expected) => expect(nearestName(name, known)).toBe(expected));
