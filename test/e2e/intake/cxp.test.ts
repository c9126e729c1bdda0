import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { outboundPacket } from '../../../core/intake/packet.ts';
import { checkSignature } from '../../../core/intake/packet-signature.ts';
import { ModelError } from '../../../core/model/model-port.ts';
import { type CxpHouse, intentPacket, OTHER_TOKEN, openCxp, responsePacket, SHOP_KEY } from '../../support/cxp.ts';
import { intakeTestSettings, saidIn, scriptedModel, sessionOf, usualAnswer, usualModel } from '../../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
const houses: CxpHouse[] = [];
beforeAll(async () => {
	server = await startTestRedis({ own: true });
});
afterEach(async () => {
	await Promise.all(houses.splice(0).map((house) => house.close()));
	await server.flush();
});
afterAll(() => server.stop());

const open = async (options: Parameters<typeof openCxp>[1] & { idle?: boolean } = {}) => {
	const house = await openCxp(server, options);
	houses.push(house);
	if (!options.idle) house.bench.work();
	return house;
};

describe('POST /cxp', () => {
	test('INT-21 FR-001 FR-012 US-006 an intake from the wish to the requirements, every answer signed and well formed', async () => {
		const house = await open();
		const first = await house.post(intentPacket());
		expect(first).toMatchObject({ status: 200, body: { from: 'U:Cx', to: 'HUMAN', subject: 'questions' } });
		const { sessionId } = first.body;
		const second = await house.post(responsePacket(sessionId));
		expect(second).toMatchObject({ status: 200, body: { subject: 'questions', sessionId } });
		const third = await house.post(responsePacket(sessionId, 'by friday'));
		expect(third).toMatchObject({
			status: 200,
			body: { from: 'U:Cx', to: 'U:BA', subject: 'requirements', sessionId },
		});
		for (const { body } of [first, second, third]) {
			const { signature, ...packet } = body;
			expect(outboundPacket.safeParse(packet).error).toBeUndefined();
			expect(checkSignature(body, [SHOP_KEY], Date.now(), 60_000).ok).toBe(true);
			expect(signature).toBeDefined();
		}
		const status = await house.call('GET', `/cxp/sessions/${sessionId}`);
		expect(status.body).toMatchObject({ state: 'COMPLETE', questionSets: 2 });
		const rows = await house.bench.stores.audit.query({ sessionId: sessionId ?? '', what: 'packet_in', limit: 10 });
		expect(rows.map(({ entry }) => entry)).toMatchObject([
			{ subject: 'response' },
			{ subject: 'response' },
			{ subject: 'intent', caller: 'shop' },
		]);
	});

	test('INT-3 TEST-032-010 subjects are read whatever their case, and what is not known is dropped', async () => {
		const house = await open();
		for (const subject of ['INTENT', 'Intent', ' intent '])
			expect((await house.post({ ...intentPacket(), subject, extra: { deep: 1 } })).body.subject).toBe('questions');
	});

	test('INT-3 INT-26 TEST-032-009 E01 E02 E03 E04 E05 E06 each refusal has its code, its status and its words, and changes nothing', async () => {
		const settings = intakeTestSettings({ maxTextChars: 1_000 });
		const house = await open({ settings });
		const expectError = (answer: Awaited<ReturnType<CxpHouse['post']>>, status: number, code: string) => {
			expect([answer.status, answer.body.code, answer.body.subject], JSON.stringify(answer.body)).toEqual([
				status,
				code,
				'error',
			]);
			expect(answer.body).toMatchObject({
				from: 'U:Cx',
				to: 'HUMAN',
				kept: expect.any(String),
				next: expect.any(String),
			});
		};
		expectError(await house.raw(''), 400, 'E01');
		expectError(await house.raw('{"from":'), 400, 'E01');
		expectError(await house.raw('[]'), 400, 'E01');
		expectError(await house.raw('null'), 400, 'E01');
		expectError(await house.post({ ...intentPacket(), body: 7 }), 400, 'E01');
		expectError(await house.post({ ...intentPacket(), to: 'U:PM' }), 400, 'E01');
		expectError(await house.post({ ...intentPacket(), subject: 'gossip' }), 422, 'E02');
		expectError(await house.post({ ...intentPacket(), from: 'U:PM' }), 403, 'E03');
		expectError(await house.post(responsePacket(undefined)), 409, 'E04');
		expectError(await house.post(responsePacket('no-such-session')), 409, 'E04');
		expectError(await house.post(intentPacket('  \u200b ')), 422, 'E05');
		expectError(await house.post(intentPacket('x'.repeat(1_001))), 413, 'E06');
		expectError(await house.post(intentPacket('x'.repeat(60_000))), 413, 'E06');
		expect(await house.bench.stores.work.list({ limit: 10 })).toEqual([]);
	});

	test('INT-26 E07 a finished or cancelled intake takes nothing more', async () => {
		const house = await open();
		const { sessionId } = (await house.post(intentPacket())).body;
		expect((await house.call('DELETE', `/cxp/sessions/${sessionId}`)).body).toMatchObject({ state: 'CANCELLED' });
		expect(await house.post(responsePacket(sessionId))).toMatchObject({ status: 409, body: { code: 'E07' } });
		const late = await house.call('GET', `/cxp/sessions/${sessionId}/packets`);
		expect(late.body).toMatchObject({ state: 'CANCELLED' });
	});

	test('INT-21 E03 without a known token nothing is read; another caller’s session is not there', async () => {
		const house = await open();
		for (const token of ['', 'wrong', `${'x'.repeat(5_000)}`]) {
			const answer = await house.raw(JSON.stringify(intentPacket()), token || 'none');
			expect([answer.status, answer.body.code]).toEqual([401, 'E03']);
			expect(answer.headers.get('www-authenticate')).toBe('Bearer');
		}
		const { sessionId } = (await house.post(intentPacket())).body;
		expect(await house.post(responsePacket(sessionId), { token: OTHER_TOKEN })).toMatchObject({
			status: 409,
			body: { code: 'E04' },
		});
		for (const path of ['', '/packets', '/stream'])
			expect((await house.call('GET', `/cxp/sessions/${sessionId}${path}`, OTHER_TOKEN)).status).toBe(404);
		expect((await house.call('DELETE', `/cxp/sessions/${sessionId}`, OTHER_TOKEN)).status).toBe(404);
		expect((await sessionOf(house.bench, sessionId ?? '')).state).toBe('QUESTIONING');
	});

	test('INT-21 E03 unsigned, old, foreign and repeated packets are refused', async () => {
		const house = await open();
		const code = async (...args: Parameters<CxpHouse['post']>) => {
			const answer = await house.post(...args);
			return `${answer.status} ${answer.body.code ?? answer.body.subject}`;
		};
		expect(await code(intentPacket(), { sign: false })).toBe('403 E03');
		expect(await code(intentPacket(), { at: Date.now() - 301_000 })).toBe('403 E03');
		expect(await code(intentPacket(), { at: Date.now() + 301_000 })).toBe('403 E03');
		expect(await code({ ...intentPacket(), signature: 1 }, { sign: false })).toBe('403 E03');
		const nonce = 'used-only-once';
		expect(await code(intentPacket(), { nonce })).toBe('200 questions');
		expect(await code(intentPacket(), { nonce })).toBe('403 E03');
		// Each caller has nonces of its own.
		expect(await code(intentPacket(), { nonce, token: OTHER_TOKEN })).toBe('200 questions');
		expect(await house.bench.stores.work.list({ limit: 10 })).toHaveLength(2);
	});

	test('INT-15 INT-21 D11 the same packet sent again, newly signed, is taken once and answered the same', async () => {
		const model = usualModel();
		const house = await open({ model });
		const [one, two] = await Promise.all([
			house.post(intentPacket('a shop', { id: 'p1' })),
			house.post(intentPacket('a shop', { id: 'p1' })),
		]);
		expect(one.body.sessionId).toBe(two.body.sessionId);
		expect(one.body['body']).toBe(two.body['body']);
		const reply = responsePacket(one.body.sessionId, 'blue', { id: 'p2' });
		const three = await house.post(reply);
		const four = await house.post(reply);
		expect(four.body['id']).toBe(three.body['id']);
		expect(model.calls).toHaveLength(2);
		expect((await sessionOf(house.bench, one.body.sessionId ?? '')).roundCount).toBe(2);
	});

	test('INT-21 what takes long is answered with 202, and can be fetched and heard', async () => {
		let release: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => {
			release = resolve;
		});
		const model = scriptedModel(async (request) => {
			await gate;
			return usualAnswer(request);
		});
		const house = await open({ model, answerWaitMs: 200 });
		const taken = await house.post(intentPacket());
		expect(taken).toMatchObject({ status: 202, body: { status: 'working' } });
		const { poll, stream } = taken.body as unknown as { poll: string; stream: string };
		expect(taken.headers.get('location')).toBe(poll);
		expect((await house.call('GET', poll)).body).toMatchObject({ answers: [], after: 0 });

		const heard = await fetch(`${house.url}${stream}`, { headers: { authorization: 'Bearer the-token-of-the-shop' } });
		const reader = heard.body?.pipeThrough(new TextDecoderStream()).getReader();
		release();
		let text = '';
		while (!text.includes('event: questions')) {
			const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
			if (done) throw new Error(`the stream ended: ${text}`);
			text += value;
		}
		await reader?.cancel();
		expect(text).toMatch(/id: 1/);
		const fetched = await house.call('GET', poll);
		expect(fetched.body).toMatchObject({
			after: 1,
			answers: [{ seq: 1, kind: 'packet', packet: { subject: 'questions' } }],
		});
		expect((await house.call('GET', `/cxp/sessions/${taken.body.sessionId}/packets?after=1`)).body).toMatchObject({
			answers: [],
		});
	});

	test('INT-21 a stream ends when the intake has ended, and goes on where it broke off', async () => {
		const house = await open();
		const { sessionId } = (await house.post(intentPacket())).body;
		await house.post(responsePacket(sessionId));
		await house.post(responsePacket(sessionId, 'by friday'));
		await eventually('the analyst has read it', async () =>
			(await house.bench.stores.surface.items(sessionId ?? '', 'cxp')).some(({ item }) => item?.kind === 'reading'),
		);
		const hear = async (headers: Record<string, string> = {}) =>
			(
				await fetch(`${house.url}/cxp/sessions/${sessionId}/stream`, {
					headers: { authorization: 'Bearer the-token-of-the-shop', ...headers },
				})
			).text();
		const whole = await hear();
		expect(whole.match(/event: (\w+)/g)).toEqual(
			expect.arrayContaining(['event: questions', 'event: requirements', 'event: reading', 'event: end']),
		);
		const rest = await hear({ 'last-event-id': '2' });
		expect(rest).not.toContain('id: 2\n');
		expect(rest).toContain('event: requirements');
	});

	test('INT-14 FR-013 unavailable: model, timeout, worker and Redis are each said so, and nothing is made up', async () => {
		const failing = (code: 'unreachable' | 'timeout') =>
			scriptedModel(() => {
				throw new ModelError(code, 'gone', { transient: false, hint: 'none' });
			});
		for (const [code, reason] of [
			['unreachable', 'model'],
			['timeout', 'timeout'],
		] as const) {
			const house = await open({ model: failing(code) });
			const answer = await house.post(intentPacket());
			expect(answer).toMatchObject({
				status: 503,
				body: { subject: 'unavailable', code: 'assistant_unavailable', reason },
			});
			expect(answer.headers.get('retry-after')).toBe('15');
			await house.close();
			houses.pop();
			await server.flush();
		}
		const idle = await open({ idle: true, settings: intakeTestSettings({ readinessMs: 300 }) });
		const waiting = await idle.post(intentPacket());
		expect(waiting).toMatchObject({ status: 503, body: { code: 'assistant_unavailable', reason: 'worker' } });
		expect(waiting.body['body']).toMatch(/kept/);
		// It comes by itself as soon as somebody works.
		idle.bench.work();
		await eventually('the questions are there', async () => {
			const { body } = await idle.call('GET', `/cxp/sessions/${waiting.body.sessionId}/packets`);
			return (body['answers'] as unknown[]).length > 0;
		});

		const cut = await open({ commandTimeoutMs: 700 });
		const { sessionId } = (await cut.post(intentPacket())).body;
		await server.killHard();
		for (const answer of [
			await cut.post(responsePacket(sessionId)),
			await cut.post(intentPacket()),
			await cut.call('GET', `/cxp/sessions/${sessionId}`),
		])
			expect(answer).toMatchObject({ status: 503, body: { code: 'assistant_unavailable', reason: 'redis' } });
		await server.restart();
		await eventually(
			'it answers again',
			async () => (await cut.call('GET', `/cxp/sessions/${sessionId}`)).status === 200,
		);
		const paused = server.pause(4_000);
		const late = await cut.post(responsePacket(sessionId));
		expect(late).toMatchObject({
			status: 503,
			body: { code: 'assistant_unavailable', reason: expect.stringMatching(/timeout|redis/) },
		});
		expect(late.body['body']).toMatch(/again/);
		await paused;
		await eventually('it goes on', async () => (await cut.post(responsePacket(sessionId))).status === 200);
	}, 90_000);

	test('INT-26 E08 to E15 reach the caller with their codes', async () => {
		const denied = await open({
			governance: {
				evaluate: async () => ({
					outcome: 'deny',
					findings: [{ article: 'no_mugs', severity: 'deny', reason: 'No mugs.', origin: 'policy' }],
				}),
			},
		});
		const { sessionId } = (await denied.post(intentPacket())).body;
		await denied.post(responsePacket(sessionId));
		const refused = await denied.post(responsePacket(sessionId, 'by friday'));
		expect(refused).toMatchObject({ status: 422, body: { code: 'E13', subject: 'error' } });
		await denied.bench.redis.handlers.hset(
			`{${denied.bench.redis.prefix}:intake}:v1:session:${sessionId}`,
			'body',
			'x',
			'good',
			'x',
		);
		await denied.bench.desk.submit(sessionId ?? '', { kind: 'resume' });
		const list = await eventually('E15', async () => {
			const { body } = await denied.call('GET', `/cxp/sessions/${sessionId}/packets`);
			return JSON.stringify(body).includes('E15') ? body : undefined;
		});
		expect(list).toMatchObject({ state: 'CANCELLED' });
	});

	test('INT-26 E08 E09 E10 E11 E12 E14 what the intake gets over by itself is told too, with its code', async () => {
		const failing = { left: 2, code: 'timeout' as 'timeout' | 'overloaded' };
		const model = scriptedModel((request) => {
			if (failing.left > 0) {
				failing.left -= 1;
				throw new ModelError(failing.code, 'not now', { transient: true, hint: 'wait' });
			}
			if (request.purpose === 'intake.ask' && saidIn(request) === 1) return '<think>hm</think>';
			if (request.purpose === 'intake.ask' && saidIn(request) === 2) return usualAnswer(request);
			return 'REQUIREMENTS_COMPLETE: yes\nPROLOG_FACTS:\nhas_feature(mugs).\n- broken(fact).\n:- halt.';
		});
		const house = await open({ model });
		const { put } = house.bench.stores.inbox;
		let broken = true;
		Object.assign(house.bench.stores.inbox, {
			put: (...args: Parameters<typeof put>) => (broken ? Promise.reject(new Error('full')) : put(...args)),
		});
		const first = await house.post(intentPacket());
		expect(first).toMatchObject({ status: 503, body: { subject: 'unavailable', reason: 'timeout' } });
		const { sessionId } = first.body;
		const status = async () => (await house.call('GET', `/cxp/sessions/${sessionId}`)).body;
		expect(await status()).toMatchObject({ state: 'SUSPENDED', lastError: { code: 'E08' } });
		const answered = (subject: string, count = 1) =>
			eventually(`${subject} ${count}`, async () => {
				const { body } = await house.call('GET', `/cxp/sessions/${sessionId}/packets`);
				const answers = body['answers'] as { packet?: { subject: string; code?: string } }[];
				const packets = answers.flatMap(({ packet }) => packet ?? []);
				return packets.filter((packet) => packet.subject === subject).length >= count ? packets : undefined;
			});
		await answered('questions');
		Object.assign(failing, { left: 2, code: 'overloaded' });
		expect(await house.post(responsePacket(sessionId))).toMatchObject({ status: 503, body: { reason: 'model' } });
		expect(await status()).toMatchObject({ lastError: { code: 'E09' } });
		await answered('questions', 2);
		const stuck = await house.post(responsePacket(sessionId, 'by friday'));
		expect(stuck).toMatchObject({ status: 503, body: { code: 'E14', next: expect.any(String) } });
		broken = false;
		const packets = await answered('requirements');
		const codes = packets.flatMap(({ code }) => code ?? []);
		expect(codes).toEqual(expect.arrayContaining(['E10', 'E11', 'E12', 'E14']));
	}, 90_000);

	test('OPS-17 OPS-18 a caller that asks too much has to wait', async () => {
		const house = await open({ packetsPerMinute: 10 });
		const answers = await Promise.all(Array.from({ length: 30 }, () => house.call('GET', '/cxp/sessions/none')));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(5);
		expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
		expect((await house.call('GET', '/cxp/sessions/none', OTHER_TOKEN)).status).toBe(404);
	});

	test('INT-21 the interface is described in full', async () => {
		const house = await open({ idle: true });
		const api = (await (await fetch(`${house.url}/openapi.json`)).json()) as {
			paths: Record<string, Record<string, { responses: Record<string, unknown>; security: unknown }>>;
		};
		const routes = Object.entries(api.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method} ${path}`),
		);
		expect(routes).toEqual(
			expect.arrayContaining([
				'post /cxp',
				'get /cxp/sessions/{id}',
				'delete /cxp/sessions/{id}',
				'get /cxp/sessions/{id}/packets',
				'get /cxp/sessions/{id}/stream',
			]),
		);
		const post = api.paths['/cxp']?.['post'];
		expect(Object.keys(post?.responses ?? {})).toEqual(
			expect.arrayContaining([
				'200',
				'202',
				'400',
				'401',
				'403',
				'409',
				'413',
				'422',
				'429',
				'500',
				'502',
				'503',
				'504',
			]),
		);
		const text = JSON.stringify(post);
		for (const word of ['assistant_unavailable', 'signature', 'questions', 'requirements', 'E15', 'nonce'])
			expect(text).toContain(word);
	});
});
