import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autocompleteRooms } from '../../../../bot/interactions/autocomplete.ts';
import { formatCustomId, parseCustomId } from '../../../../bot/interactions/custom-id.ts';
import { toPanelAction } from '../../../../bot/interactions/panel-actions.ts';
import { roomSettings } from '../../../../config/rooms.ts';

describe('custom ids', () => {
	test('OVR-31 any room id of the configuration goes through and stays within 100 characters', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,39}$/), (target) => {
				const text = formatCustomId({ area: 'panel', action: 'stage', target });
				expect(text.length).toBeLessThanOrEqual(100);
				expect(parseCustomId(text)).toEqual({ area: 'panel', action: 'stage', target });
			}),
		);
	});

	test.each(['', 'v2:panel:stage:lab', 'v1:panel:stage', 'v1:panel:stage:lab:x', 'v1:panel:stage:LAB'])(
		'%j is none of ours',
		(text) => {
			expect(parseCustomId(text)).toBeUndefined();
		},
	);

	test('a button is a command with its options; unknown ones, inherited names too, are nothing', () => {
		expect(toPanelAction('stage', 'lab', 'chat')).toEqual({
			path: 'overseer stage',
			options: { value: 'chat', room: 'lab' },
		});
		expect(toPanelAction('pause', 'lab', undefined)).toEqual({
			path: 'admin pause',
			options: { value: 'on', room: 'lab' },
		});
		expect(toPanelAction('constructor', 'lab', undefined)).toBeUndefined();
	});
});

test('OPS-11 suggestions begin with what begins alike, and never exceed 25', () => {
	const rooms = Array.from({ length: 40 }, (_, index) =>
		roomSettings.parse({
			id: `r${index}`,
			title: index === 39 ? 'The attic' : `Room ${index}`,
			channelId: `8000000000000000${10 + index}`,
		}),
	);
	expect(autocompleteRooms(rooms, '')).toHaveLength(25);
	expect(autocompleteRooms(rooms, 'ATTIC')).toEqual([{ name: 'The attic', value: 'r39' }]);
	expect(autocompleteRooms(rooms, 'r3')[0]?.value).toBe('r3');
});
