import { expect, test } from 'vitest';
import { judgeChat, worldMoved } from '../../../../core/overseer/staleness.ts';
import type { LightView } from '../../../../core/overseer/world.ts';
import { line, T0, worldOf } from './room-fixture.ts';

const address = (seq: number, second: number) => ({
	messageId: `m${seq}`,
	authorId: 'a',
	authorName: 'a',
	at: T0 + second * 1_000,
});
const unasked = { id: 'd1', trigger: 'challenge' as const, addresses: [], since: T0, newestAt: T0 };
const asked = { id: 'd1', trigger: 'direct_address' as const, addresses: [address(1, 0)], since: T0, newestAt: T0 };
const asker = line(1, 0, 'a', 'overseer?');
const at = (second: number) => ({ now: T0 + second * 1_000, staleAfterMs: 60_000 });

test('OVR-8 unasked words are dropped when what caused them is older than the limit', () => {
	expect(judgeChat({ decision: unasked, messages: [], ...at(60) })).toEqual({ kind: 'post' });
	expect(judgeChat({ decision: unasked, messages: [], ...at(61) })).toEqual({ kind: 'drop', reason: 'stale' });
	expect(judgeChat({ decision: { ...unasked, newestAt: T0 + 30_000 }, messages: [], ...at(80) })).toEqual({
		kind: 'post',
	});
});

test('OVR-8 a prompt answer is plain, a late or buried one is a reply to its line', () => {
	expect(judgeChat({ decision: asked, messages: [asker], ...at(5) })).toEqual({ kind: 'post' });
	expect(judgeChat({ decision: asked, messages: [asker], ...at(300) })).toEqual({ kind: 'post', replyTo: 'm1' });
	expect(judgeChat({ decision: asked, messages: [asker, line(2, 3, 'b', 'hm')], ...at(5) })).toEqual({
		kind: 'post',
		replyTo: 'm1',
	});
});

test('OVR-8 an address that was answered meanwhile is not answered again; another one still is', () => {
	const answer = {
		...line(2, 20, 'Overseer', 'Yes.', { own: true }),
		replyTo: { id: 'm1', toBot: false },
		decisionId: 'd0',
	};
	expect(judgeChat({ decision: asked, messages: [asker, answer], ...at(300) })).toEqual({
		kind: 'drop',
		reason: 'answered',
	});
	const own = { ...answer, decisionId: 'd1' };
	expect(judgeChat({ decision: asked, messages: [asker, own], ...at(300) }).kind).toBe('post');
	const two = { ...asked, addresses: [address(1, 0), address(3, 25)] };
	expect(judgeChat({ decision: two, messages: [asker, answer, line(3, 25, 'b', 'overseer?')], ...at(300) })).toEqual({
		kind: 'post',
		replyTo: 'm3',
	});
	const foreign = { ...answer, source: 'discord' };
	expect(judgeChat({ decision: asked, messages: [asker, foreign], ...at(300) }).kind).toBe('post');
});

const lamp = (change: Partial<LightView> = {}): LightView => ({
	entityId: 'light.bench_lamp',
	label: 'bench',
	show: 'state',
	state: 'on',
	available: true,
	colorModes: [],
	...change,
});

test('OVR-8 X03 an action is stale when the thing it touches has changed since', () => {
	const lights = (change: Partial<LightView>) =>
		worldOf({ lights: [lamp(change), lamp({ entityId: 'light.shelf', label: 'shelf' })] });
	const moved = (args: unknown, change: Partial<LightView>) =>
		worldMoved('ha_set_entity', args, lights({}), lights(change));
	for (const name of ['light.bench_lamp', 'bench', 'Bench', 'bench lamp']) {
		expect(moved({ entity_id: name, state: 'off' }, { state: 'off' })).toBe(true);
		expect(moved({ entity_id: name, state: 'off' }, { color: 'red' })).toBe(true);
		expect(moved({ entity_id: name, state: 'off' }, {})).toBe(false);
	}
	expect(moved('{"entity_id":"bench","state":"off"}', { state: 'off' })).toBe(true);
	expect(moved({ entity_id: 'shelf' }, { state: 'off' })).toBe(false);
	expect(moved({ entity_id: 'nothing' }, { state: 'off' })).toBe(false);
	expect(moved(undefined, { state: 'off' })).toBe(false);
	const lift = (position: 'up' | 'down') => worldOf({ lift: { position, busy: false, available: true } });
	expect(worldMoved('lift_up', {}, lift('down'), lift('up'))).toBe(true);
	expect(worldMoved('lift_up', {}, lift('down'), lift('down'))).toBe(false);
	const neato = (state: 'docked' | 'cleaning') => worldOf({ neato: { connected: true, state, canClearErrors: true } });
	expect(worldMoved('neato_start', {}, neato('docked'), neato('cleaning'))).toBe(true);
	expect(worldMoved('memory_write', {}, neato('docked'), neato('cleaning'))).toBe(false);
});
