import { expect, test } from 'vitest';
import { createChangeQueue } from '../../../../adapters/home/change-queue.ts';
import type { DecodedEntity } from '../../../../adapters/home/entity-decoder.ts';
import { createOwnCalls } from '../../../../adapters/home/own-calls.ts';
import type { HomeChange } from '../../../../core/home/home-port.ts';
import { eventually } from '../../../contract/home/connected-home.ts';

const cause = { entityId: 'light.shelf', contextId: 'c1', userId: 'us' };

test('OVR-3 a context of ours is ours by id and by parent id, until it is forgotten', () => {
	let now = 0;
	const calls = createOwnCalls({ now: () => now, memoryMs: 1_000 });
	calls.begin('light.shelf').answered('c1', 'us');
	expect(calls.judge(cause)).toBe('own');
	expect(calls.judge({ entityId: 'light.bench', contextId: 'c2', parentId: 'c1' })).toBe('own');
	expect(calls.judge({ ...cause, contextId: 'c3' })).toBe('foreign');
	now = 1_001;
	expect(calls.judge(cause)).toBe('foreign');
});

test('OVR-3 while a call is unanswered only a change that may be ours is undecided', () => {
	const calls = createOwnCalls({ now: () => 0 });
	const call = calls.begin('light.shelf');
	expect(calls.judge(cause)).toBe('undecided');
	expect(calls.judge({ entityId: 'light.shelf', contextId: 'device' })).toBe('foreign');
	call.answered('c1', 'us');
	const next = calls.begin('light.shelf');
	expect(calls.judge({ ...cause, contextId: 'x', userId: 'somebody' })).toBe('foreign');
	next.refused();
	expect(calls.judge({ ...cause, contextId: 'x' })).toBe('foreign');
});

test('H01 after a call in doubt, a change of its entity by our user is ours for a while; others are not', () => {
	let now = 0;
	const calls = createOwnCalls({ now: () => now, suspicionMs: 500 });
	calls.begin('light.shelf').answered('c0', 'us');
	const lost = calls.begin('light.shelf');
	lost.abandoned();
	expect(calls.judge({ ...cause, contextId: 'new' })).toBe('own');
	expect(calls.judge({ ...cause, contextId: 'new', entityId: 'light.bench' })).toBe('foreign');
	expect(calls.judge({ ...cause, contextId: 'new', userId: 'somebody' })).toBe('foreign');
	now = 501;
	expect(calls.judge({ ...cause, contextId: 'new' })).toBe('foreign');
	lost.answered('new', 'us');
	expect(calls.judge({ ...cause, contextId: 'new' })).toBe('own');
});

function entity(entityId: string, contextId: string, userId?: string): DecodedEntity {
	const times = { lastChangedAt: 0, lastUpdatedAt: 0 };
	const context = { contextId, ...(userId !== undefined && { contextUserId: userId }) };
	return { entityId, state: 'on', attributes: {}, available: true, ...times, ...context };
}

test('OVR-3 a change before its answer waits, and those behind it keep their order', () => {
	const ownCalls = createOwnCalls({ now: () => 0 });
	const queue = createChangeQueue({ ownCalls, now: () => 0, holdMs: 60_000, onListenerError: () => undefined });
	const told: HomeChange[] = [];
	queue.onChange((change) => told.push(change));
	const call = ownCalls.begin('light.shelf');
	queue.push('light.shelf', undefined, entity('light.shelf', 'c1', 'us'));
	queue.push('light.bench', undefined, entity('light.bench', 'device'));
	expect(told).toEqual([]);
	call.answered('c1', 'us');
	expect(told.map(({ entityId, own }) => [entityId, own])).toEqual([
		['light.shelf', true],
		['light.bench', false],
	]);
	queue.clear();
});

test('OVR-3 a change is not held for ever: after the hold the best guess is told', async () => {
	const ownCalls = createOwnCalls({ now: Date.now });
	const queue = createChangeQueue({ ownCalls, now: Date.now, holdMs: 30, onListenerError: () => undefined });
	const told: HomeChange[] = [];
	queue.onChange((change) => told.push(change));
	ownCalls.begin('light.shelf');
	queue.push('light.shelf', undefined, entity('light.shelf', 'c1', 'us'));
	queue.push('light.bench', undefined, entity('light.bench', 'c2', 'us'));
	await eventually(() => told.length === 2, 'both told');
	expect(told.map(({ own }) => own)).toEqual([true, false]);
	queue.clear();
});

test('a listener that throws is reported and keeps nobody else from hearing', () => {
	const problems: unknown[] = [];
	const ownCalls = createOwnCalls({ now: () => 0 });
	const queue = createChangeQueue({
		ownCalls,
		now: () => 0,
		holdMs: 10,
		onListenerError: (error) => problems.push(error),
	});
	const told: HomeChange[] = [];
	queue.onChange(() => {
		throw new Error('broken');
	});
	const remove = queue.onChange((change) => told.push(change));
	queue.push('light.shelf', entity('light.shelf', 'a'), undefined);
	expect(told).toMatchObject([{ entityId: 'light.shelf', own: false }]);
	expect(problems).toHaveLength(1);
	remove();
	queue.push('light.shelf', undefined, entity('light.shelf', 'b'));
	expect(told).toHaveLength(1);
});
