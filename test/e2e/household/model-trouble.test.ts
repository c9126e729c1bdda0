import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModelStep } from '../../../demo/model/model-step.ts';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

const FIRST_MS = 1_500;
const DEADLINE_MS = 1_500;

beforeAll(async () => {
	room = await openWatchedRoom({
		change: ({ overseer }) => {
			overseer.decision.deadlineMs = DEADLINE_MS;
			overseer.decision.staleAfterMs = 1_000;
			overseer.backoff = { firstMs: FIRST_MS, maxMs: 300_000 };
			overseer.chat.honestLineEveryMs = 1;
		},
	});
});
beforeEach(async () => {
	room.settings.overseer.decision.deadlineMs = DEADLINE_MS;
	await room.fresh();
});
afterAll(() => room.stop());

const gate = async () => (await room.stores.rooms.read(ROOM, { messages: 0, events: 0 })).gate;
const answering = { kind: 'json', value: { mode: 'CHAT', chat: 'I am here.' } } as const;
const saidAfter = (after: string) =>
	room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after });

const troubles: readonly [string, ModelStep][] = [
	['hung before any header', { kind: 'hang' }],
	['hung after the headers', { kind: 'hang', where: 'body' }],
	['hung in the middle of its answer', { ...answering, cut: { afterChunks: 1, how: 'hang' } }],
	['cut in the middle of its answer', { ...answering, cut: { afterChunks: 1, how: 'reset' } }],
	['in trouble in the middle of its answer', { ...answering, cut: { afterChunks: 1, how: 'error' } }],
	['busy (503)', { kind: 'error', status: 503, body: { error: 'server busy, please try again' } }],
	['not pulled (404)', { kind: 'missing_model' }],
	['not listening', { kind: 'drop' }],
];

test.each(troubles)(
	'OVR-5 OVR-7 O06 the model is %s: one try, one honest reply, and the room goes on',
	async (_name, step) => {
		room.model.control.queue(step);
		const asked = await room.say('sam', 'overseer, are you there?');
		const honest = await room.answer(asked);
		expect(honest.text).toContain('out of reach');
		expect(honest.replyTo?.id).toBe(asked);
		expect(room.model.control.requests()).toHaveLength(1);
		await eventually('the failure is on the panel', async () => (await room.stores.status.read(ROOM))?.lastError);
		await eventually('the failure is counted', async () => {
			const { failures, inFlight } = await gate();
			return failures === 1 && !inFlight;
		});
		room.model.control.always(answering);
		const again = await room.say('alex', 'overseer, and now?');
		expect((await room.answer(again)).text).toBe('I am here.');
		await room.idle();
		expect(await gate()).toMatchObject({ failures: 0, backoffUntil: 0 });
	},
);

test('OVR-5 what was said while the model hung is decided on right after, once, and each caller for themselves', async () => {
	room.model.control.queue({ kind: 'hang' });
	const first = await room.say('sam', 'overseer, are you there?');
	await room.asked(1);
	room.model.control.always(answering);
	await room.say('alex', 'overseer, what about me?');
	await room.say('casey', 'it is warm in here');
	await room.say('casey', 'and overseer, me too?');
	const honest = await room.answer(first);
	expect(honest.text).toContain('out of reach');
	await room.answer(honest.id, { matches: 'I am here' });
	await room.asked(3);
	await room.idle();
	expect(room.model.control.requests()).toHaveLength(3);
	expect(room.prompt(2)).toContain('what about me?');
	expect(room.prompt(2)).not.toContain('me too?');
	expect(room.prompt(3)).toContain('me too?');
});

test('OVR-5 back-off doubles; what nobody addressed waits for it, a direct address tries once each time', async () => {
	room.model.control.always({ kind: 'error', status: 503 });
	for (const failures of [1, 2, 3]) {
		const asked = await room.say('sam', `overseer, try number ${failures}`);
		await room.answer(asked);
		const after = await eventually('it failed', async () => {
			const now = await gate();
			return now.failures === failures && !now.inFlight ? now : undefined;
		});
		expect(room.model.control.requests()).toHaveLength(failures);
		const waitMs = after.backoffUntil - after.lastModelAt;
		expect(waitMs).toBeGreaterThanOrEqual(FIRST_MS * 2 ** (failures - 1) * 0.8);
		expect(waitMs).toBeLessThanOrEqual(FIRST_MS * 2 ** (failures - 1) * 1.2);
	}
	room.model.control.reset();
	room.model.control.always(answering);
	const { backoffUntil } = await gate();
	await room.say('alex', 'bet you cannot scare me');
	const waiting = await eventually('the dare waits', async () => {
		const now = await gate();
		return now.pending ? now : undefined;
	});
	expect(waiting.lastHold?.reason).toBe('backoff');
	expect(waiting.pending?.trigger).toBe('challenge');
	expect(room.model.control.requests()).toHaveLength(0);
	await eventually('it is asked after all, or let go as too old', async () => {
		const { pending } = await gate();
		return room.model.control.requests().length > 0 || !pending;
	});
	const [request] = room.model.control.requests();
	if (request) expect(request.at).toBeGreaterThanOrEqual(backoffUntil);
});

test('OVR-8 a late answer to a person is a reply to their message', async () => {
	room.settings.overseer.decision.deadlineMs = 15_000;
	room.think({ mode: 'CHAT', chat: 'Better late.' }, { delayMs: 1_200 });
	const asked = await room.say('sam', 'overseer, take your time');
	const answer = await room.answer(asked);
	expect(answer.text).toBe('Better late.');
	expect(answer.replyTo?.id).toBe(asked);
});

test('OVR-8 late words that nobody asked for are dropped and counted', async () => {
	room.settings.overseer.decision.deadlineMs = 15_000;
	room.think({ mode: 'CHAT', chat: 'You called it a bet.' }, { delayMs: 1_200 });
	const dare = await room.say('sam', 'bet you cannot scare me');
	await room.asked(1);
	await room.idle();
	expect(await saidAfter(dare)).toEqual([]);
	const page = await (await fetch(`${room.httpUrl}/metrics`)).text();
	const counted = page.split('\n').filter((line) => line.includes('overseer_stale_total'));
	expect(counted.join('\n')).toMatch(/what="chat"\} [1-9]/);
});

test('OVR-5 O06 an answer that comes after the deadline is never acted on', async () => {
	room.think(
		{
			mode: 'ACTION+CHAT',
			chat: 'Dark.',
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'off' } }],
		},
		{ delayMs: 2_200 },
	);
	const asked = await room.say('sam', 'overseer, shelf off');
	expect((await room.answer(asked)).text).toContain('out of reach');
	await eventually('the model has answered into the void', () =>
		room.model.control.requests().every(({ outcome }) => outcome !== 'pending'),
	);
	await room.idle();
	expect(room.calls()).toEqual([]);
	expect(await saidAfter(asked)).toHaveLength(1);
});

test('OVR-7 an outage is told once a minute, but whoever gets an unusable answer hears so every time', async () => {
	room.settings.overseer.chat.honestLineEveryMs = 60_000;
	try {
		room.model.control.queue({ kind: 'drop' }, { kind: 'drop' });
		const down = await room.say('sam', 'overseer, are you there?');
		expect((await room.answer(down)).text).toContain('out of reach');
		await room.idle();
		const again = await room.say('sam', 'overseer, and now?');
		await room.asked(2);
		await room.idle();
		expect(await saidAfter(again)).toHaveLength(0);
		room.model.control.queue(
			{ kind: 'text', text: '][}{ undefined NaN' },
			{ kind: 'text', text: '][}{ undefined NaN' },
		);
		for (const who of ['sam', 'casey']) {
			const asked = await room.say(who, 'overseer, what do you see?');
			expect((await room.answer(asked)).text).toContain('Ask me again');
			await room.idle();
		}
	} finally {
		room.settings.overseer.chat.honestLineEveryMs = 1;
	}
});
