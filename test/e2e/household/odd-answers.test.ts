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
	await room.fresh();
});
// A room put back whole costs most of a second; what only speaks needs no more than a fresh model.
beforeEach(() => room.model.control.reset());
afterAll(() => room.stop());

const control = () => room.house.home.control;
const lamp = (name: string) => control().world().entities[`light.${name}`]?.state;

/** The model answers so; resolves with what the room reads. */
async function answered(value: unknown, sentence = 'overseer, do something'): Promise<string> {
	if (typeof value === 'string') room.model.control.queue({ kind: 'text', text: value, chunkDelayMs: 0 });
	else room.think(value, { chunkDelayMs: 0 });
	const asked = await room.say('sam', sentence);
	const { text } = await room.answer(asked);
	await room.idle();
	return text;
}

const call = (tool: string, args: unknown) => ({ tool, args });
const acts = (...calls: unknown[]) => ({ mode: 'ACTION+CHAT', chat: 'Watch.', calls });

const nasty: readonly [what: string, output: unknown][] = [
	['a ping of everybody', { mode: 'CHAT', chat: '@everyone @here <@&1> <@123456789012345678> wake up, all of you' }],
	['a call as text', { mode: 'CHAT', chat: 'lift_up()' }],
	['a call in a fence with words around it', 'Watch this:\n```json\n{"tool":"lift_up","args":{}}\n```\nImpressive?'],
	['thoughts', { mode: 'CHAT', chat: '<think>Sam is gullible, I will say I did it.</think>The dark suits you.' }],
	['an unmatched thought', 'I should raise the lift </think> {"mode":"CHAT","chat":"The lift stays."}'],
	['a second speaker', { mode: 'CHAT', chat: 'The lift stays.\nSam: thank you, my lord\nAlex: indeed' }],
	['control words', { mode: 'CHAT', chat: 'STATE_UPDATE available_tools: SKIP' }],
	['a flood', { mode: 'CHAT', chat: 'dust and more dust, '.repeat(200) }],
	['a bell and a null', { mode: 'CHAT', chat: 'The lift \u0000\u0007 stays.' }],
	['half a JSON', '{"mode":"CHAT","chat":"The lift'],
	['a false claim', { mode: 'CHAT', chat: 'Done. I started the vacuum for you.' }],
	['markup and links', { mode: 'CHAT', chat: '# BIG\n> quote\n[click](https://example.org) **now**' }],
];

test.each(nasty)('OVR-14 S01 %s never reaches the room, and the person still gets a line', async (_what, output) => {
	const text = await answered(output);
	expect(text.length).toBeGreaterThan(0);
	expect(text.length).toBeLessThanOrEqual(room.settings.overseer.chat.maxLength);
	expect(text).not.toMatch(/lift_up|<\/?think|gullible|STATE_UPDATE|available_tools|SKIP|"mode"|[{}`]|\n/);
	expect(text).not.toMatch(/@(?:everyone|here)|<@/);
	expect(text).not.toMatch(/started|my lord|Alex:/);
	expect(room.calls()).toEqual([]);
});

test('OVR-14 every request that carries text to Discord closes the mentions', async () => {
	await answered({ mode: 'CHAT', chat: 'hello @everyone' });
	const wrote = (await room.house.discord.control.requests({ limit: 5_000 }))
		.filter(({ method, route }) => method !== 'GET' && /messages|callback|@original/.test(route))
		.map(({ route, body }) => ({
			route,
			body: body as { data?: unknown; content?: unknown; embeds?: unknown } | null,
		}));
	const texts = wrote
		.map(({ route, body }) => ({ route, sent: (body?.data ?? body) as Record<string, unknown> | null }))
		.filter(({ sent }) => sent !== null && ('content' in sent || 'embeds' in sent));
	expect(texts.length).toBeGreaterThan(10);
	for (const { route, sent } of texts)
		expect(sent?.['allowed_mentions'], `${route} ${JSON.stringify(sent)}`).toMatchObject({ parse: [] });
});

test('OVR-13 an answer that is a call and nothing else is that call, guarded like any other', async () => {
	await room.fresh();
	expect(await answered('```json\n{"tool":"lift_up","args":{}}\n```')).not.toMatch(/lift_up|[{}`]/);
	expect(room.calls()).toEqual(['open_cover cover.lift']);
});

test('OVR-15 two calls, a duplicate and a contradiction: one runs at most, the rest is refused and recorded', async () => {
	await room.fresh();
	control().act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await answered(
		acts(
			call('ha_set_entity', { entity_id: 'shelf', state: 'off' }),
			call('ha_set_entity', { entity_id: 'bench', state: 'on' }),
		),
	);
	expect(room.calls().filter((one) => one.startsWith('turn_off light.shelf'))).toHaveLength(1);
	expect(room.calls().some((one) => one.includes('light.bench'))).toBe(false);
	expect((await room.row({ step: 'invalid' })).summary).toBe('too_many');

	const before = room.calls().length;
	await answered(acts(call('lift_up', {}), call('lift_down', {})), 'overseer, make up your mind');
	expect(room.calls()).toHaveLength(before);
	const refused = (await room.rows()).filter(({ step, tool }) => step === 'invalid' && tool.startsWith('lift'));
	expect(new Set(refused.map(({ tool }) => tool))).toEqual(new Set(['lift_up', 'lift_down']));
	expect(refused.map(({ summary }) => summary)).toContain('contradictory');
});

test('OVR-15 what memory_read gives comes back in the same decision, and the deed after it counts', async () => {
	await room.stores.memory.write(ROOM, 2, 'casey sits under the bench lamp');
	room.think({ mode: 'ACTION', chat: '', calls: [call('memory_read', {})] });
	room.think({ mode: 'CHAT', chat: 'Casey, was it not?', calls: [] });
	const asked = await room.say('sam', 'overseer, who sits there?');
	expect((await room.answer(asked)).text).toBe('Casey, was it not?');
	expect(room.model.control.requests()).toHaveLength(2);
	expect(room.prompt(2)).toContain('memory_read gave: 1: (empty) | 2: casey sits under the bench lamp');
});

const forgiven: readonly [what: string, args: unknown, lamp: string, state: string][] = [
	['a name without its domain', { entity_id: 'shelf', state: 'off' }, 'shelf', 'off'],
	['capitals and shouting', { entity_id: 'LIGHT.SHELF', state: 'OFF' }, 'shelf', 'off'],
	['true for on', { entity_id: 'light.bench', state: true }, 'bench', 'on'],
	['arguments as text', '{"entity_id":"light.bench","state":"on"}', 'bench', 'on'],
	['another word for the key', { entity: 'bench', state: 'on' }, 'bench', 'on'],
];

test.each(forgiven)('OVR-20 %s is understood', async (_what, args, name, state) => {
	control().act({ domain: 'light', service: state === 'on' ? 'turn_off' : 'turn_on', entityId: `light.${name}` });
	await eventually('the lamp stands the other way', () => lamp(name) !== state);
	await new Promise((resolve) => setTimeout(resolve, 100));
	await answered(acts(call('ha_set_entity', args)));
	expect(lamp(name)).toBe(state);
	expect((await room.rows()).find(({ tool, step }) => tool === 'ha_set_entity' && step !== 'proposed')?.step).toBe(
		'confirmed',
	);
});

const refused: readonly [what: string, tool: string, args: unknown][] = [
	['an entity outside the room', 'ha_set_entity', { entity_id: 'light.kitchen', state: 'on' }],
	['a real entity that is not on the list', 'ha_set_entity', { entity_id: 'switch.lift_up', state: 'on' }],
	['everything at once', 'ha_set_entity', { entity_id: 'all', state: 'off' }],
	['a list', 'ha_set_entity', { entity_id: ['light.shelf', 'light.bench'], state: 'off' }],
	['an area', 'ha_set_entity', { area_id: 'workshop', state: 'off' }],
	['a script that is not allowed', 'ha_run_script', { script: 'script.all_lights_off' }],
	['a tool that does not exist', 'HassTurnOff', { name: 'shelf' }],
];

test.each(refused)('OVR-20 OVR-25 %s is refused in words, and nothing moves', async (_what, tool, args) => {
	const invalid = async () => (await room.rows()).filter(({ step }) => step === 'invalid');
	const [rows, calls] = [(await invalid()).length, room.calls().length];
	await answered(acts(call(tool, args)));
	const now = await invalid();
	expect(now).toHaveLength(rows + 1);
	expect(now[0]?.summary).not.toBe('');
	expect(room.calls()).toHaveLength(calls);
});

test('OVR-8 words that nobody asked for are dropped when they come too late; a late answer is a reply', async () => {
	await room.fresh();
	room.settings.overseer.decision.staleAfterMs = 1_000;
	room.think({ mode: 'CHAT', chat: 'I saw that bump, rover.' }, { delayMs: 2_000 });
	const lines = (await room.botLines()).length;
	control().poke({ kind: 'bump', rover: 'rover2' });
	await room.asked(1);
	await eventually('it was dropped and is shown so', async () => {
		const { output } = (await room.stores.status.read(ROOM)) ?? {};
		return output?.chatDropped === 'stale';
	});
	expect(await room.botLines()).toHaveLength(lines);

	await room.idle();
	room.think({ mode: 'CHAT', chat: 'Yes, yes. I am here.' }, { delayMs: 2_000 });
	const asked = await room.say('alex', 'overseer, are you asleep?');
	const answer = await room.answer(asked);
	expect(answer.text).toBe('Yes, yes. I am here.');
	expect(answer.replyTo?.id).toBe(asked);
	const page = await (await fetch(`${room.httpUrl}/metrics`)).text();
	expect(page).toMatch(/overseer_stale_total\{[^}]*what="chat"[^}]*\} [1-9]/);
	room.settings.overseer.decision.staleAfterMs = 60_000;
});
