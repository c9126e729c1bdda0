import { ChannelType, type Client, DiscordAPIError, type Message } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { openThread } from '../../../../bot/intake/open-thread.ts';
import { findThread } from '../../../../bot/intake/thread-place.ts';

const refused = (code: number, status = 403) =>
	new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', 'https://discord.test', {});

/** A client that knows channels by id; an error stands for what Discord answers. */
const clientOf = (channels: Record<string, unknown>): Client =>
	({
		user: { id: 'bot' },
		channels: {
			fetch: async (id: string) => {
				const found = channels[id] ?? null;
				if (found instanceof Error) throw found;
				return found;
			},
		},
	}) as unknown as Client;

const room = (create: (options: { type: ChannelType }) => unknown) => ({
	id: 'c1',
	type: ChannelType.GuildText,
	isThread: (): boolean => false,
	threads: {
		create: async (options: { type: ChannelType }) => {
			const made = create(options);
			if (made instanceof Error) throw made;
			return made;
		},
	},
});
const wish = { channelId: 'c1', name: 'mugs', isPrivate: true };

describe('opening a thread', () => {
	test('INT-16 private where it may, public where it may not', async () => {
		const types: ChannelType[] = [];
		const client = clientOf({
			c1: room(({ type }) => {
				types.push(type);
				return type === ChannelType.PrivateThread ? refused(50_013) : { id: 'th' };
			}),
		});
		expect(await openThread(client, wish)).toMatchObject({ kind: 'opened', isPublic: true, thread: { id: 'th' } });
		expect(types).toEqual([ChannelType.PrivateThread, ChannelType.PublicThread]);
	});

	test('INT-16 too many threads is told as it is, with what is needed; a Discord that is away is not', async () => {
		const full = clientOf({ c1: room(() => refused(160_006, 400)) });
		expect(await openThread(full, wish)).toMatchObject({ kind: 'refused', code: 160_006 });
		expect(await openThread(full, { ...wish, isPrivate: false })).toMatchObject({ kind: 'refused' });
		const away = clientOf({ c1: room(() => new Error('socket hang up')) });
		await expect(openThread(away, wish)).rejects.toThrow('hang up');
	});

	test('INT-16 a message carries its thread; one that stands there already from before is taken up', async () => {
		const message = (start: () => unknown) =>
			({ id: 'm1', channelId: 'c1', startThread: async () => start() }) as unknown as Message;
		const own = { id: 'm1', ownerId: 'bot', isThread: (): boolean => true };
		const open = (client: Client, start: () => unknown) =>
			openThread(client, { ...wish, isPrivate: false, message: message(start) });
		const fail = () => {
			throw refused(160_004, 400);
		};
		expect(await open(clientOf({ c1: room(() => undefined) }), () => own)).toMatchObject({ isFresh: true });
		expect(await open(clientOf({ c1: room(() => undefined), m1: own }), fail)).toMatchObject({
			kind: 'opened',
			isFresh: false,
		});
		const strange = clientOf({ c1: room(() => undefined), m1: { ...own, ownerId: 'somebody' } });
		expect(await open(strange, fail)).toMatchObject({ kind: 'refused', code: 160_004 });
	});

	test('INT-16 inside a thread its channel is used; where no threads can be, that is said', async () => {
		const parent = room(() => ({ id: 'th' }));
		const inside = (of: unknown) => clientOf({ c1: { isThread: (): boolean => true, parent: of } });
		expect(await openThread(inside(parent), wish)).toMatchObject({ kind: 'opened', isPublic: false });
		expect(await openThread(inside({ type: ChannelType.GuildForum }), wish)).toEqual({ kind: 'not_here' });
		expect(await openThread(inside(null), wish)).toEqual({ kind: 'not_here' });
		expect(await openThread(clientOf({}), wish)).toEqual({ kind: 'not_here' });
		expect(await openThread(clientOf({ c1: refused(10_003, 404) }), wish)).toEqual({ kind: 'not_here' });
		await expect(openThread(clientOf({ c1: new Error('away') }), wish)).rejects.toThrow('away');
	});
});

describe('what a thread is like', () => {
	const thread = (more: object): object => ({
		isThread: (): boolean => true,
		locked: false,
		viewable: true,
		isSendable: () => true,
		...more,
	});
	test.each([
		['open', thread({})],
		['locked', thread({ locked: true })],
		['forbidden', thread({ viewable: false })],
		['forbidden', thread({ isSendable: () => false })],
		['deleted', null],
		['deleted', { isThread: (): boolean => false }],
		['deleted', refused(10_003, 404)],
		['forbidden', refused(50_001)],
		['forbidden', refused(50_083)],
	] as const)('INT-19 D08 %s', async (kind, given) => {
		expect((await findThread(clientOf({ t1: given }), 't1')).kind).toBe(kind);
	});

	test('INT-19 what says nothing about the place is no answer about it', async () => {
		for (const error of [new Error('network'), refused(50_035, 400), refused(0, 503)])
			await expect(findThread(clientOf({ t1: error }), 't1')).rejects.toBe(error);
	});
});
