import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { type CardRig, openCardRig, SCHEMA } from './card-rig.ts';

let redis: TestRedis;
let rig: CardRig;
beforeAll(async () => {
	redis = await startTestRedis();
}, 60_000);
afterEach(() => rig?.close());
afterAll(() => redis?.stop());

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];
const EDIT = 'PATCH /channels/:id/messages/:id';
const ANSWERED = /^\w+ \/(interactions|webhooks)\//;

test('OPS-12 cards, the status line, a header and a panel that change together make one edit a second of their channel', async () => {
	rig = await openCardRig(redis);
	const { house, control, settings } = rig;
	const channelId = settings.channelId ?? '';
	// The panel of a room stands in the same channel.
	house.change({ rooms: house.settings().rooms.map((room) => ({ ...room, adminChannelId: channelId })) });
	await house.status.write('lab', house.status0());
	for (const name of NAMES) await rig.ask(name, SCHEMA);
	const cards = await Promise.all(NAMES.map((name) => rig.card(`${name} asks`)));
	const thread = await rig.press(cards[0] as (typeof cards)[number], 'Open thread');
	expect(thread.message?.text).toContain('<#');
	const panel = await rig.post('The lab');

	const from = (await control.requests({})).at(-1)?.seq ?? 0;
	const presses = Promise.all(cards.map((card) => rig.press(card, 'v2 (migrate)')));
	for (let round = 0; round < 20; round += 1) {
		await house.status.write('lab', house.status0({ phase: round % 2 === 0 ? 'gate_check' : 'tool_exec' }));
		await rig.say('one', round % 2 === 0 ? 'working' : 'idle');
		await rig.say(`other-${round}`, 'working');
	}
	await house.status.write('lab', house.status0({ phase: 'awaiting_model' }));
	await presses;
	const sinceThen = async () => control.requests({ after: from });
	const pressed = (await sinceThen()).filter(({ route }) => ANSWERED.test(route)).at(-1)?.seq ?? 0;

	const latest = (id: string) => control.messageById({ message: id }).then(({ allText }) => allText);
	for (const card of cards) await eventually(async () => !(await latest(card.id)).includes('open, asked'), 30_000);
	await eventually(async () => (await latest(panel.id)).includes('awaiting_model'), 30_000);
	await rig.post('25 sessions work');

	const edits = (await sinceThen()).filter(
		({ route, path }) => route === EDIT && path.startsWith(`/channels/${channelId}/`),
	);
	expect(new Set(edits.map(({ path }) => path)).size).toBeGreaterThanOrEqual(NAMES.length + 3);
	for (const [index, { atMs }] of edits.entries())
		if (index > 0) expect(atMs - (edits[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(950);
	// Whoever pressed did not wait for all that.
	expect(edits.filter(({ seq }) => seq > pressed).length).toBeGreaterThan(3);
}, 120_000);
