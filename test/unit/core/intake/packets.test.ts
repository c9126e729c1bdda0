import { describe, expect, test } from 'vitest';
import { OUTBOUND_ADDRESSES } from '../../../../core/intake/addresses.ts';
import { canonicalJson } from '../../../../core/intake/canonical-json.ts';
import { INTAKE_ERRORS, intakeErrorCode } from '../../../../core/intake/error-code.ts';
import { isoWeek, packetLabel } from '../../../../core/intake/handoff/packet-label.ts';
import { secretKinds } from '../../../../core/intake/handoff/secrets.ts';
import { errorPacketOf, packetOfEffect, unavailablePacketOf } from '../../../../core/intake/reply-packet.ts';
import { routePacket } from '../../../../core/intake/route-packet.ts';
import { projectSlug } from '../../../../core/intake/slug.ts';
import { compiled, drive, QUESTIONS, SETTINGS, WISH } from './intake-driver.ts';

const packet = (over: Record<string, unknown> = {}) => ({
	from: 'HUMAN',
	to: 'U:Cx',
	subject: 'intent',
	body: WISH,
	...over,
});
const route = (raw: unknown, session = undefined as ReturnType<typeof drive>['session'] | undefined) =>
	routePacket(raw, { session, settings: SETTINGS, newId: 'n1', caller: 'u1' });

describe('routing', () => {
	test('INT-3 TEST-032-007 TEST-032-008 FR-001 intent and response become what the machine does with them', () => {
		expect(route(packet())).toMatchObject({
			ok: true,
			subject: 'intent',
			event: { kind: 'intent', id: 'n1', text: WISH, author: { id: 'u1' } },
		});
		const asked = drive().say(WISH).reply(QUESTIONS);
		const routed = route(
			packet({ subject: 'response', body: 'Two admins.', id: 'p7', from: 'gateway' }),
			asked.session,
		);
		expect(routed).toMatchObject({ ok: true, subject: 'response', event: { kind: 'message', id: 'p7', whole: true } });
		if (routed.ok) expect(asked.do(routed.event).session.roundCount).toBe(2);
	});

	test('INT-3 TEST-032-010 the subject may be written in any case', () => {
		for (const subject of ['intent', 'INTENT', 'Intent', ' iNTENT '])
			expect(route(packet({ subject })), subject).toMatchObject({ ok: true });
	});

	const complete = compiled({ review: false }).verdict('allow');
	complete.do({ kind: 'delivered', packetId: complete.session.packet?.id ?? '' });
	test.each([
		['no object', 'hello', undefined, 'E01'],
		['null', null, undefined, 'E01'],
		['a list', [packet()], undefined, 'E01'],
		['no subject', { from: 'HUMAN', to: 'U:Cx', body: 'x' }, undefined, 'E01'],
		['a body that is no text', packet({ body: { a: 1 } }), undefined, 'E01'],
		['to somebody else', packet({ to: 'U:BA' }), undefined, 'E01'],
		['an unknown subject', packet({ subject: 'requirements' }), undefined, 'E02'],
		['a subject of the object prototype', packet({ subject: 'constructor' }), undefined, 'E02'],
		['a source that may not write', packet({ from: 'U:PM' }), undefined, 'E03'],
		['our own name as source', packet({ from: 'U:Cx' }), undefined, 'E03'],
		['a response without a session', packet({ subject: 'response' }), undefined, 'E04'],
		['a response before the intent', packet({ subject: 'response' }), drive().session, 'E04'],
		['no words', packet({ body: ' \n\u200b' }), undefined, 'E05'],
		['no body at all', packet({ body: null }), undefined, 'E05'],
		['too many words', packet({ body: 'x'.repeat(SETTINGS.maxTextChars + 1) }), undefined, 'E06'],
		['a finished session', packet({ subject: 'response' }), complete.session, 'E07'],
	] as const)('INT-3 INT-26 TEST-032-009 %s is refused with its code', (_, raw, session, code) => {
		expect(route(raw, session)).toMatchObject({ ok: false, code });
	});

	test('INT-3 extra members do no harm, and a refusal shows no text of the packet', () => {
		expect(route(packet({ priority: 'high', __proto__: { x: 1 } }))).toMatchObject({ ok: true });
		expect(JSON.stringify(route(packet({ subject: 'secret words' })))).not.toContain('secret words');
	});
});

describe('what leaves', () => {
	test('INT-3 FR-012 every packet to the person has our address, its subject and the session', () => {
		const driver = drive().say(WISH).reply(QUESTIONS);
		const [ask] = driver.lastOf('ask');
		if (ask === undefined) throw new Error('not asked');
		expect(packetOfEffect(ask, 's1', 5)).toMatchObject({
			from: 'U:Cx',
			to: 'HUMAN',
			subject: 'questions',
			sessionId: 's1',
			body: 'D1: Who manages the stock?\nD7: What is the budget?',
			questions: { id: 'r1' },
		});
	});

	test('INT-14 FR-013 unavailable is for machines too, and says nothing that looks like talk', () => {
		expect(unavailablePacketOf('model', { id: 'x', sessionId: 's1', at: 1 })).toMatchObject({
			subject: 'unavailable',
			code: 'assistant_unavailable',
			reason: 'model',
		});
	});

	test('INT-3 FR-012 refusals, outages and the handoff become packets of their own subject', () => {
		const driver = drive().say('').say(WISH);
		driver.do({ kind: 'model_failed', callId: driver.session.call?.id ?? '', reason: 'timeout', transient: false });
		const sent = compiled().press('lock').verdict('allow');
		const effects = [...driver.all('error'), ...driver.all('unavailable'), ...sent.all('deliver')];
		expect(effects.map((effect) => packetOfEffect(effect, 's1', 5)).map(({ to, subject }) => [to, subject])).toEqual([
			['HUMAN', 'error'],
			['HUMAN', 'unavailable'],
			['U:BA', 'requirements'],
		]);
	});

	test('INT-3 only three can be written to', () => {
		expect(OUTBOUND_ADDRESSES).toEqual(['HUMAN', 'U:BA', 'governance']);
	});

	test('INT-26 each of the fifteen codes has a sentence, what was kept and what comes next', () => {
		expect(Object.keys(INTAKE_ERRORS)).toEqual(intakeErrorCode.options);
		expect(intakeErrorCode.options).toHaveLength(15);
		for (const code of intakeErrorCode.options) {
			const made = errorPacketOf(code, { id: 'x', at: 1 }, 'detail');
			expect(made.body, code).toMatch(/^[A-Z].*\. \(detail\)$/);
			for (const text of [made.kept, made.next]) expect(text, code).toMatch(/^[A-Z].*\.$/);
		}
		expect(new Set(Object.values(INTAKE_ERRORS).map(({ sentence }) => sentence)).size).toBe(15);
	});
});

test('INT-21 canonical JSON has one spelling, whatever the order of keys', () => {
	expect(canonicalJson({ b: [1, { d: null, c: 'ä"' }], a: undefined, '10': true, '9': 1.5 })).toBe(
		'{"10":true,"9":1.5,"b":[1,{"c":"ä\\"","d":null}]}',
	);
	expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
	expect(() => canonicalJson(() => 1)).toThrow(TypeError);
});

test('INT-11 the label for people counts ISO weeks', () => {
	const week = (date: string) => isoWeek(Date.parse(date));
	expect(['2026-01-01', '2026-12-31', '2027-01-03', '2027-01-04', '2024-12-30'].map(week)).toEqual([1, 53, 53, 1, 1]);
	expect(packetLabel('s1-p1', Date.parse('2026-06-01'))).toMatch(/^\[Cx>BA:23:\d\d\]$/);
});

test('S03 INT-11 a project name becomes a safe slug, never empty, never reserved, never a path', () => {
	const names = [
		'../../etc/cron.d/x',
		'..',
		'CON',
		'a/b',
		'mug shop 🛒',
		'',
		'x'.repeat(300),
		'%2e%2e%2fx',
		'proj\u0000.md',
		'__proto__',
		'constructor',
		'手工杯子',
		'Größe',
		'nul',
		'-_-',
	];
	for (const name of names) expect(projectSlug(name, 'sess-12345678'), name).toMatch(/^[a-z0-9_-]{1,40}$/);
	expect(names.slice(0, 5).map((name) => projectSlug(name, 'abc123'))).toEqual([
		'etc_cron_d_x',
		'project_abc123',
		'project_con',
		'a_b',
		'mug_shop',
	]);
	expect(projectSlug('__proto__', 'x1')).toBe('proto');
	expect(projectSlug('constructor', 'x1')).toBe('project_constructor');
	expect(projectSlug('手工杯子', 'x1')).toBe('project_x1');
});

test('INT-10 shapes of secrets are known, and named without being shown', () => {
	const fake = (text: string) => text.replaceAll('~', '');
	for (const text of [
		'-----BEGIN RSA PRIVATE KEY-----',
		fake('AKIA~IOSFODNN7EXAMPLE'),
		fake('sk-~ant-abcdefghijklmnopqrstuvwx'),
		fake('ghp~_abcdefghijklmnopqrstuvwxyz0123456789'),
		'password: hunter2hunter2',
		'postgres://admin:s3cret@db.example/x',
		'4111 1111 1111 1111',
	])
		expect(secretKinds(text), text).toHaveLength(1);
	for (const text of [
		'A shop with passwords for admins.',
		'The password page.',
		'Call 030 1234567.',
		'https://mugs.example/spec',
	])
		expect(secretKinds(text), text).toEqual([]);
});
