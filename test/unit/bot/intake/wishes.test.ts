import type { Message } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { formatIntakeId, isIntakeId, parseIntakeId } from '../../../../bot/intake/custom-id.ts';
import { createSuggestions } from '../../../../bot/intake/suggestions.ts';
import { wishIn } from '../../../../bot/intake/wish.ts';
import type { IntakeSummary } from '../../../../core/intake/intake-store.ts';
import { testLog } from '../../../support/redis.ts';

const SELF = '100000000000000001';
const ROLE = '100000000000000002';
const ANN = '100000000000000003';
const message = (
	content: string,
	more: { channelId?: string; reference?: object | null; guild?: object | null } = {},
) => {
	const roles = { botRoleFor: () => ({ id: ROLE }), cache: new Map([[ROLE, { name: 'Majordomo' }]]) };
	return {
		channelId: 'c1',
		content,
		reference: null,
		client: { user: { id: SELF } },
		guild: { roles },
		mentions: { users: new Map([[ANN, { displayName: 'Ann' }]]) },
		...more,
	} as unknown as Message;
};
const only = [{ channelId: 'c1', only: true }];
const open = [{ channelId: 'c1', only: false }];

describe('a wish in a message', () => {
	test('INT-16 in a channel for intakes only every plain message is one; replies and pictures are not', () => {
		expect(wishIn(message('a shop for mugs'), only)).toBe('a shop for mugs');
		expect(wishIn(message('fine', { reference: {} }), only)).toBeUndefined();
		expect(wishIn(message('  '), only)).toBeUndefined();
		expect(wishIn(message('a shop', { channelId: 'c2' }), only)).toBeUndefined();
	});

	test('INT-16 elsewhere a mention makes one, by name or by role, and the mention is not part of it', () => {
		expect(wishIn(message('a shop'), open)).toBeUndefined();
		expect(wishIn(message(`<@${SELF}> a shop for <@${ANN}>`), open)).toBe('a shop for @Ann');
		expect(wishIn(message(`<@&${ROLE}> a shop`, { reference: {} }), open)).toBe('a shop');
		expect(wishIn(message(`<@!${SELF}>`), open)).toBe('');
		expect(wishIn(message(`<@${SELF}> a <#${ANN}> <@&${ANN}>`, { guild: null }), open)).toBe(
			'a #some channel @some role',
		);
	});
});

describe('names of things', () => {
	test('INT-20 a custom id is read back as it was made, and nothing else is', () => {
		const id = formatIntakeId('lock', 's-1', 'v3');
		expect(parseIntakeId(id)).toEqual({ action: 'lock', sessionId: 's-1', detail: 'v3' });
		expect(parseIntakeId(formatIntakeId('start-form', 'new'))?.detail).toBe('-');
		for (const odd of ['', 'v1:intake:fly:s:-', 'v2:intake:lock:s:-', 'v1:intake:lock:s'])
			expect(parseIntakeId(odd)).toBeUndefined();
		expect([isIntakeId('v9:intake:x'), isIntakeId('v1:room:x')]).toEqual([true, false]);
		expect(() => formatIntakeId('lock', 'x'.repeat(90))).toThrow(RangeError);
	});

	test('INT-19 suggestions never wait: known ids at once, old ones read anew, a store that is away changes nothing', async () => {
		let at = 0;
		const asked: string[] = [];
		let list: () => Promise<readonly IntakeSummary[]> = async () => [
			{ id: 'abc', state: 'REVIEW', createdAt: 0 } as IntakeSummary,
			{ id: 'xyz', state: 'COMPLETE', createdAt: 0 } as IntakeSummary,
		];
		const store = {
			list: (filter: { requesterId?: string }) => {
				asked.push(filter.requesterId ?? '');
				return list();
			},
		};
		const suggestions = createSuggestions(store as never, { now: () => at }, testLog());
		expect(suggestions.ids('ann', '')).toEqual([]);
		await Promise.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		expect(suggestions.ids('ann', ' ABC ').map(({ value }) => value)).toEqual(['abc']);
		expect(suggestions.ids('ann', 'complete').map(({ value }) => value)).toEqual(['xyz']);
		expect(suggestions.ids('ann', '')[0]?.name).toBe('abc · REVIEW · 1970-01-01 00:00');
		expect(asked).toEqual(['ann']);
		list = () => Promise.reject(new Error('away'));
		at = 60_000;
		expect(suggestions.ids('ann', '')).toHaveLength(2);
		await new Promise((resolve) => setImmediate(resolve));
		expect(suggestions.ids('ann', '')).toHaveLength(2);
		for (let count = 0; count <= 1_000; count += 1) suggestions.refresh(`p${count}`);
		expect(suggestions.ids('ann', '')).toEqual([]);
	});
});
