import { describe, expect, test } from 'vitest';
import { createCardMemory } from '../../../../bot/intake/card-memory.ts';
import { evidenceLink } from '../../../../bot/intake/evidence-link.ts';
import { createSessionReader, StoreSlow } from '../../../../bot/intake/session-reader.ts';
import { createThreadIndex } from '../../../../bot/intake/thread-index.ts';
import { threadName } from '../../../../bot/intake/thread-name.ts';
import { snowflakeAt } from '../../../../bot/snowflake.ts';
import type { LoadedSession } from '../../../../core/intake/intake-store.ts';
import { freshSession, type IntakeSession } from '../../../../core/intake/session.ts';

const place = { kind: 'discord' as const, guildId: '11', channelId: '22', threadId: '33' };
const session = (more: Partial<IntakeSession> = {}): IntakeSession => ({
	...freshSession({ id: 's1', place, requesterId: 'p', review: true }, 0),
	...more,
});

describe('small parts of the intake', () => {
	test('INT-16 a thread is named by the first words of the wish, whatever is in it', () => {
		expect(threadName('A shop\nfor mugs')).toBe('A shop for mugs');
		expect(threadName('**bold** <@123456789012345678> `x`')).toBe('bold x');
		expect(threadName('\u202e\u0000 \u200b')).toBe('intake');
		expect([...threadName('wort '.repeat(60))].length).toBeLessThanOrEqual(80);
		expect(threadName('🛒'.repeat(120))).toBe(`${'🛒'.repeat(79)}…`);
	});

	test('INT-18 words from a message lead to it, words from a form to the card that shows them', () => {
		const turn = { role: 'user' as const, content: '', at: 0, round: 1, parts: [], choices: [] };
		const subject = session({
			history: [
				{ ...turn, id: 't1', kind: 'intent' },
				{ ...turn, id: 't3', kind: 'answer', choices: [{ questionId: 'q2.1', labels: ['x'], text: '' }] },
			],
		});
		const link = evidenceLink(
			subject,
			new Map([
				['progress', '900'],
				['r2', '902'],
			]),
		);
		const message = '1523456789012345678';
		expect(link({ turnId: 't3', messageId: message })).toBe(`https://discord.com/channels/11/33/${message}`);
		expect(link({ turnId: 't1', messageId: message })).toBe(`https://discord.com/channels/11/22/${message}`);
		expect(link({ turnId: 't3', messageId: 'f-1' })).toBe('https://discord.com/channels/11/33/902');
		expect(link({ turnId: 't1', messageId: 'f-1' })).toBe('https://discord.com/channels/11/33/900');
	});

	test('D10 a form waits for the store no longer than it may, and then uses what this process knows', async () => {
		let load: () => Promise<LoadedSession> = async () => ({ kind: 'found', session: session({ revision: 3 }) });
		const reader = createSessionReader({ load: () => load() }, { deadlineMs: 40 });
		expect(await reader.readNow('s1')).toMatchObject({ revision: 3 });
		load = () => new Promise(() => {});
		expect(await reader.readNow('s1')).toMatchObject({ revision: 3 });
		await expect(reader.readNow('s2')).rejects.toBeInstanceOf(StoreSlow);
		load = async () => ({ kind: 'missing' });
		expect(await reader.readNow('s1')).toBe('gone');
		load = () => new Promise(() => {});
		await expect(reader.readNow('s1')).rejects.toBeInstanceOf(StoreSlow);
	});

	test('INT-20 an older state never replaces a newer one in memory', async () => {
		const reader = createSessionReader({ load: () => new Promise<LoadedSession>(() => {}) }, { deadlineMs: 10 });
		reader.note(session({ revision: 5 }));
		reader.note(session({ revision: 4 }));
		expect(await reader.readNow('s1')).toMatchObject({ revision: 5 });
	});

	test('INT-20 a young thread without a session is asked for again, an old one is remembered', async () => {
		const now = 1_900_000_000_000;
		const asked: string[] = [];
		const index = createThreadIndex(
			{
				byThread: async (id) => {
					asked.push(id);
					return undefined;
				},
			},
			{ now: () => now },
		);
		const young = snowflakeAt(now - 1_000).toString();
		const old = snowflakeAt(now - 3_600_000).toString();
		for (const id of [young, young, old, old]) await index.find(id);
		expect(asked).toEqual([young, young, old]);
	});

	test('INT-20 where cards stand is kept as text, and a damaged text counts as forgotten', async () => {
		const texts = new Map<string, string>();
		const memory = createCardMemory({
			get: async (name) => texts.get(name),
			set: async (name, value) => void (value === undefined ? texts.delete(name) : texts.set(name, value)),
		});
		await memory.set('s1', 'r1', { messageId: '7', hash: 'h' });
		expect(await memory.get('s1', 'r1')).toEqual({ messageId: '7', hash: 'h' });
		for (const name of texts.keys()) texts.set(name, '{');
		expect(await memory.get('s1', 'r1')).toBeUndefined();
		await memory.set('s1', 'r1', undefined);
		expect(texts.size).toBe(0);
	});
});
