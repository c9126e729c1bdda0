import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

beforeAll(async () => {
	room = await openWatchedRoom({
		change: ({ overseer }) => {
			overseer.gate.debounceMs = 100;
		},
	});
});
beforeEach(() => room.fresh());
afterAll(() => room.stop());

const command = (as: string, line: string, options: Record<string, string> = {}) =>
	room.house.discord.control.command({
		as,
		channel: as === 'alex' ? 'admin' : 'room',
		command: line,
		options,
		until: 'complete',
		timeoutMs: 10_000,
	});
const vote = async (as: string, answer: string) =>
	(await command(as, 'overseer vote', { answer })).message?.allText ?? '';

/** Speaks to it, so that the person counts as active and nothing of theirs waits. */
async function greet(...people: string[]): Promise<void> {
	for (const person of people) await room.answer(await room.say(person, 'overseer, good evening'));
	await room.idle();
	room.model.control.reset();
}

/** Bumps a rover; resolves with `asked` when the model was asked about it, `quiet` when the vote held the gate. */
async function afterBump(rover: string): Promise<'asked' | 'quiet'> {
	const read = () => room.stores.rooms.read(ROOM, { messages: 1, events: 50 });
	const before = (await read()).events.at(-1)?.seq ?? 0;
	room.house.home.control.poke({ kind: 'bump', rover });
	const end = await eventually('the gate judged the bump', async () => {
		if (room.model.control.requests().length > 0) return 'asked' as const;
		const { gate, events } = await read();
		const newest = events.at(-1)?.seq ?? 0;
		const isOver = newest > before && gate.eventCursor >= newest && !gate.pending && !gate.inFlight;
		return isOver && gate.lastHold?.reason === 'voted_quiet' ? ('quiet' as const) : undefined;
	});
	await room.idle();
	room.model.control.reset();
	return end;
}

test('OVR-30 a tie goes by the setting, and a vote taken back counts as yes', async () => {
	await greet('alex', 'sam');
	expect(await vote('sam', 'no')).toContain('1 no');
	room.settings.overseer.vote.tie = 'off';
	expect(await afterBump('rover1')).toBe('quiet');
	room.settings.overseer.vote.tie = 'on';
	expect(await afterBump('rover2')).toBe('asked');
	room.settings.overseer.vote.tie = 'off';
	await vote('sam', 'clear');
	expect(await afterBump('rover3')).toBe('asked');
	room.settings.overseer.vote.tie = 'on';
});

test('OVR-30 people vote it quiet: no decision of its own, no deed, and a direct address is still answered', async () => {
	await greet('alex', 'sam', 'casey');
	await vote('sam', 'no');
	expect(await vote('casey', 'no')).toMatch(/2 no.*still answered/s);
	expect(await afterBump('rover1')).toBe('quiet');

	room.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	room.think({
		mode: 'ACTION+CHAT',
		chat: 'The shelf goes dark.',
		calls: [{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'off' } }],
	});
	const asked = await room.say('alex', 'overseer, shelf lamp off?');
	const answer = await room.answer(asked);
	expect(answer.text).not.toMatch(/goes dark/);
	expect(room.prompt(1)).toMatch(/ha_set_entity\([^)]*\) reason=vote/);
	expect((await room.row({ tool: 'ha_set_entity', step: 'blocked' })).reasons?.[0]?.code).toBe('vote');
	expect(room.calls().filter((call) => call.startsWith('turn_off'))).toEqual([]);

	await room.idle();
	room.model.control.reset();
	await vote('sam', 'yes');
	expect(await afterBump('rover2')).toBe('asked');
});

test('OVR-26 OVR-17 a note is written and read by chat; admins see and clear it, others do not', async () => {
	await command('alex', 'overseer clear', { what: 'memory' });
	const told = await room.say('sam', 'overseer, remember that the red cable is loose');
	await room.answer(told);
	await room.row({ tool: 'memory_write', step: 'confirmed' });
	expect(await room.stores.memory.read(ROOM)).toContain('the red cable is loose');

	const before = room.model.control.requests().length;
	const asked = await room.say('alex', 'overseer what do you remember?');
	expect((await room.answer(asked)).text).toContain('the red cable is loose');
	// Asked twice in one decision: once before and once after reading.
	expect(room.model.control.requests()).toHaveLength(before + 2);
	expect(room.prompt(before + 2)).toContain('memory_read gave:');

	expect((await command('alex', 'overseer memory')).message?.allText).toContain('the red cable is loose');
	const refused = await command('sam', 'overseer memory');
	expect(refused.message?.allText).toContain('You may not do that');
	expect(refused.message?.allText).not.toContain('cable');
	expect((await command('sam', 'overseer clear', { what: 'memory' })).message?.allText).toContain('You may not');
	expect(await room.stores.memory.read(ROOM)).toContain('the red cable is loose');

	await command('alex', 'overseer clear', { what: 'memory' });
	expect(await room.stores.memory.read(ROOM)).toEqual(['', '', '']);
	expect((await command('alex', 'overseer memory')).message?.allText).toContain('(empty)');
});
