import { expect, test } from 'vitest';
import { createTranslate } from '../../../../../bot/catalogue.ts';
import {
	commandLine,
	isSending,
	originOf,
	replyLine,
	withState,
} from '../../../../../bot/fleet/threads/delivery-line.ts';

const t = createTranslate('en');
const COMMAND = '1523456789012345678';

test('FLT-15 a line says how a message stands: sending, queued, delivered, failed with the reason', () => {
	const sending = replyLine('sending', false, t);
	expect(sending).toContain('⏳ sending');
	expect(isSending(sending)).toBe(true);
	const queued = withState(sending, { kind: 'queued' }, t);
	expect(queued).toContain('📨 queued');
	expect(isSending(queued)).toBe(false);
	expect(withState(queued, { kind: 'delivered' }, t)).toBe('-# ✅ delivered');
	const failed = withState(queued, { kind: 'refused', why: 'not *there*\n# now' }, t);
	expect(failed.split('\n')).toHaveLength(1);
	expect(failed).toContain('❌ not delivered: not \\*there\\*');
});

test('FLT-15 what breaks into a turn stays marked as that, and a note stays above', () => {
	const line = replyLine('sending', true, t, 'Only the words go.');
	const later = withState(line, { kind: 'delivered' }, t);
	expect(later).toBe('-# Only the words go.\n-# ⚡ ✅ delivered');
});

test('FLT-15 the line of a command keeps who, when and the words, and only its state changes', () => {
	const command = { head: 'Ria writes', interactionId: COMMAND, words: 'use v2\n# please', isInterrupt: true };
	const line = commandLine(command, 'sending', t);
	const [first, ...rest] = line.split('\n');
	expect(first).toMatch(/^Ria writes <t:\d+:T>$/);
	expect(rest.slice(0, 2)).toEqual(['> use v2', '> # please']);
	const later = withState(line, { kind: 'delivered' }, t);
	expect(later.split('\n').slice(0, -1)).toEqual(line.split('\n').slice(0, -1));
	expect(later).toContain('✅');
	// Whoever breaks in needs no hint how to.
	expect(withState(line, { kind: 'queued' }, t)).not.toContain('`!`');
});

test('FLT-15 ids of items say where they came from; others are nobody’s', () => {
	expect(originOf(`m-${COMMAND}`)).toEqual({ kind: 'message', id: COMMAND });
	expect(originOf(`c-${COMMAND}`)).toEqual({ kind: 'command', id: COMMAND });
	expect(originOf(`f-${COMMAND}`)).toEqual({ kind: 'form', id: COMMAND });
	for (const id of ['q1:2:3', 'm-12', `x-${COMMAND}`, '']) expect(originOf(id)).toBeUndefined();
});
