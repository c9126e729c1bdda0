import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIntakeStores, type IntakeStores } from '../../../adapters/redis/intake/intake-stores.ts';
import { parseEnvironment } from '../../../config/env.ts';
import { signPacket } from '../../../core/intake/packet-signature.ts';
import { wakeAt } from '../../../core/intake/wake.ts';
import { intentPacket, responsePacket } from '../../support/cxp.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';

const TOKEN = 'the-token-of-the-shop';
const KEY = { id: 'k1', secret: 'the-secret-of-the-shop' };
let house: TestHousehold;
let stores: IntakeStores;

beforeAll(async () => {
	const parsed = parseEnvironment({ CXP_CALLERS: `shop:${TOKEN}`, PACKET_KEYS: `shop:${KEY.id}:${KEY.secret}` });
	if (!parsed.ok) throw new Error('the test environment is not valid');
	const { cxpCallers, packetKeys } = parsed.environment;
	house = await openTestHousehold({
		secrets: () => ({ cxpCallers, packetKeys }),
		change: (settings) => {
			settings.intake.cxp.answerWaitMs = 12_000;
		},
	});
	stores = createIntakeStores(await house.redis.connect(), {
		keys: [{ id: 'test', secret: `${'A'.repeat(43)}=` }],
		settings: () => house.settings.intake,
		wakeAt,
	});
}, 90_000);
afterAll(() => house?.stop());

const post = async (packet: object) => {
	const response = await fetch(`${house.httpUrl}/cxp`, {
		method: 'POST',
		headers: { authorization: `Bearer ${TOKEN}` },
		body: JSON.stringify(signPacket(packet, KEY, Date.now(), crypto.randomUUID())),
	});
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('an intake in the whole household', () => {
	test('INT-10 INT-21 TEST-032-048 CONST-032-007 from the wish through the real articles to U:BA, and over a restart', async () => {
		const first = await post(intentPacket('I want a shop that sells mugs'));
		expect(first, JSON.stringify(first.body)).toMatchObject({ status: 200, body: { subject: 'questions' } });
		const sessionId = String(first.body['sessionId']);
		await house.restart();
		let answer = await post(responsePacket(sessionId, 'It sells blue mugs.'));
		for (let n = 0; n < 3 && answer.body['subject'] === 'questions'; n += 1)
			answer = await post(responsePacket(sessionId, `It has to be there by friday, and costs 30 euros. ${n}`));
		expect(answer, JSON.stringify(answer.body)).toMatchObject({
			status: 200,
			body: { subject: 'requirements', to: 'U:BA', governance: { policyHash: expect.any(String) } },
		});
		const rows = await stores.audit.query({ sessionId, what: 'verdict', limit: 5 });
		expect(rows).toHaveLength(1);
	}, 120_000);
});
