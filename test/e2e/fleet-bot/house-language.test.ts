import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { type CardRig, openCardRig, SCHEMA } from './card-rig.ts';

let redis: TestRedis;
let rig: CardRig;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterAll(() => redis.stop());
afterEach(() => rig.close());

test('OPS-11 FLT-12 FLT-13 FLT-15 a house set to German posts in German, whatever the server says of itself', async () => {
	rig = await openCardRig(redis, { settings: { reminderAfterMs: [300] } });
	await rig.post('concierge · off · nothing runs');
	rig.house.change({ language: 'de' });
	await rig.ask('api-fix', SCHEMA);
	await rig.post('concierge · aus · du wirst gebraucht: api-fix fragt: Which schema should I use?');
	const card = await rig.card('api-fix fragt');
	expect(card.controls.map(({ label }) => label)).toContain('Thread öffnen');
	await rig.post('api-fix wartet immer noch auf eine Antwort');
	await rig.press(card, 'Thread öffnen');
	await rig.post('**api-fix** · 🟠 wartet · ', 'insgesamt 0,00 $');

	await rig.bench.stores.outbox.add({
		id: 'notice:1',
		at: Date.now(),
		kind: 'notice',
		text: 'The model failed.',
		texts: { en: 'The model failed.', de: 'Das Modell ist ausgefallen.' },
		mention: [],
	});
	await rig.post('Das Modell ist ausgefallen.');

	const asked = await rig.control.message({ as: 'alex', channel: 'fleet', text: '? was hängt' });
	const answer = await rig.post('Der Concierge ist aus', 'api-fix: wartet seit');
	expect(answer.replyTo?.id).toBe(asked.id);
});
