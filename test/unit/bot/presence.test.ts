import { describe, expect, test } from 'vitest';
import { decidePresence, type PresenceFacts } from '../../../bot/presence.ts';
import { OPEN_SITE } from '../../../core/overseer/site.ts';

const room = { stage: 'full', runtime: 'overseer', isModelOffline: false } as const;
const shown = (more: Partial<PresenceFacts>) => decidePresence({ site: OPEN_SITE, rooms: [room], ...more }).text;

describe('decidePresence', () => {
	test.each([
		['paused by an admin', { site: { mode: 'lockdown', lightsLock: 'none', paused: true } }],
		['lockdown', { site: { ...OPEN_SITE, mode: 'lockdown' } }],
		['admin mode: hands off', { site: { ...OPEN_SITE, mode: 'admin' } }],
		[
			'off',
			{
				rooms: [
					{ ...room, stage: 'off' },
					{ ...room, runtime: 'off' },
				],
			},
		],
		['off', { rooms: [] }],
		['model offline', { rooms: [{ ...room, isModelOffline: true }] }],
		['1 room: in full control', {}],
		['1 room: only observing', { rooms: [{ ...room, stage: 'observe' }] }],
		['1 room: commenting', { rooms: [{ ...room, runtime: 'commentary' }] }],
		['2 rooms: in full control, talking', { rooms: [room, { ...room, stage: 'chat', isModelOffline: true }] }],
	] as [string, Partial<PresenceFacts>][])('OPS-12 says "%s"', (text, more) => {
		expect(shown(more)).toBe(text);
	});

	const quiet = { short: '2 working', isNeed: false };
	const needy = { short: 'needs you: api-fix', isNeed: true };
	test.each([
		['needs you: api-fix', { fleet: needy }],
		['needs you: api-fix', { fleet: needy, rooms: [] }],
		['paused by an admin', { fleet: needy, site: { ...OPEN_SITE, paused: true } }],
		['lockdown', { fleet: needy, site: { ...OPEN_SITE, mode: 'lockdown' } }],
		['1 room: in full control', { fleet: quiet }],
		['2 working', { fleet: quiet, rooms: [] }],
	] as [string, Partial<PresenceFacts>][])('FLT-12 with a fleet says "%s"', (text, more) => {
		expect(shown(more)).toBe(text);
	});
});
