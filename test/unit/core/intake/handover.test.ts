import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../../core/intake/canonical-json.ts';
import { factsPl, handoffJson, requirementsMarkdown } from '../../../../core/intake/handoff/files.ts';
import { guardFindings } from '../../../../core/intake/handoff/guards.ts';
import { handoffPacket } from '../../../../core/intake/handoff-packet.ts';
import { sha256 } from '../../../../core/intake/hash.ts';
import { checkOutbound } from '../../../../core/intake/reply-packet.ts';
import { reviewCard } from '../../../../core/intake/review-card.ts';
import { wakeAt } from '../../../../core/intake/wake.ts';
import { ALEX, compiled, type Driver, drive, FINAL, QUESTIONS, SETTINGS, WISH } from './intake-driver.ts';

const sent = (options = {}) => {
	const driver = compiled(options);
	if (driver.session.state === 'REVIEW') driver.press('lock');
	return driver.verdict('allow');
};
const packetOf = (driver: Driver) => {
	const { packet } = driver.session;
	if (packet === undefined) throw new Error('no packet');
	return packet;
};

describe('packet', () => {
	test('INT-11 TEST-032-037 TEST-032-038 TEST-032-039 TEST-032-040 TEST-032-041 FR-010 FR-012 US-006 goes to U:BA with everything it owes', () => {
		const [{ packet } = { packet: undefined }] = sent().lastOf('deliver');
		expect(packet).toMatchObject({
			from: 'U:Cx',
			to: 'U:BA',
			subject: 'requirements',
			sessionId: 's1',
			body: {
				TASK_SUMMARY: 'An online shop for handmade mugs with inventory.',
				PROJECT_NAME: 'mug_shop',
				PROLOG_FACTS: 'has_feature(inventory).\nuser_role(admin,2).\n',
				UI_REQUIREMENTS: true,
				ESCALATE_TO: 'U:BA',
				trigger: 'complete',
				round_count: 2,
			},
			governance: { outcome: 'allow' },
		});
		expect(packet?.body.CONVERSATION_HISTORY.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
		expect(packet?.body.facts_hash).toBe(sha256(packet?.body.PROLOG_FACTS ?? ''));
	});

	test('INT-11 each requirement names the messages and words it rests on; what nothing rests on is listed', () => {
		const { body } = packetOf(sent());
		expect(body.requirements).toMatchObject([
			{ id: 'R1', text: 'Feature: inventory', dimension: 'D1', evidence: [{ turnId: 't1', messageId: 'm1' }] },
			{
				id: 'R2',
				text: 'User role: admin, 2',
				evidence: [{ turnId: 't3', messageId: 'm2', quote: 'Two admins manage the stock' }],
			},
		]);
		expect(body.not_used.map(({ quote }) => quote)).toEqual(['Budget is 5000 EUR.']);
		expect(body.missing_info).toContain('D2 Tech stack');
	});

	test('INT-11 TEST-032-042 TEST-032-043 CONST-032-009 ESCALATE_TO is kept and logged and changes no address', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply(FINAL.replace('U:BA', 'U:PM'))
			.press('lock')
			.verdict('allow');
		expect(driver.all('deliver').map(({ packet }) => packet.to)).toEqual(['U:BA']);
		expect(packetOf(driver).body).toMatchObject({ ESCALATE_TO: 'U:PM', requires_escalation: false });
		expect(driver.all('audit').find(({ entry }) => entry.what === 'finalized')?.entry).toMatchObject({
			escalateTo: 'U:PM',
		});
		expect(driver.all('notify_admin')).toEqual([]);
	});

	test('INT-11 US-006 when it names a person, the packet still goes to U:BA, marked, and somebody is told', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply(FINAL.replace('U:BA', 'Dana from legal'))
			.press('lock')
			.verdict('allow');
		expect(packetOf(driver)).toMatchObject({ to: 'U:BA', body: { requires_escalation: true } });
		expect(driver.lastOf('notify_admin')).toMatchObject([{ code: 'escalation', detail: 'Dana from legal' }]);
	});

	test('INT-3 INT-11 CONST-032-009 any other address is refused at run time', () => {
		const packet = packetOf(sent());
		expect(checkOutbound(packet)).toEqual(packet);
		for (const to of ['U:PM', 'U:Ar', 'U:Cd', 'U:BA ', 'HUMAN', ''])
			expect(() => checkOutbound({ ...packet, to }), to).toThrow();
		// @ts-expect-error no other stage can be named
		const wrong: Parameters<typeof handoffPacket.parse>[0] & { to: 'U:BA' } = { ...packet, to: 'U:PM' };
		expect(handoffPacket.safeParse(wrong).success).toBe(false);
	});

	test('INT-9 TEST-032-032 US-005 the canonical facts are kept in the session', () => {
		expect(compiled().session.prologFacts).toBe('has_feature(inventory).\nuser_role(admin,2).\n');
	});

	test('INT-26 E12 TEST-032-028 TEST-032-029 TEST-032-030 missing fields get stand-ins and no exception', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply('REQUIREMENTS_COMPLETE: true')
			.reply('REQUIREMENTS_COMPLETE: yes')
			.reply('ESCALATE_TO: U:BA');
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E12', detail: 'summary, name, facts' }]);
		const { body } = packetOf(driver.press('lock'));
		expect(body).toMatchObject({ TASK_SUMMARY: WISH, PROLOG_FACTS: '', stand_ins: ['summary', 'name', 'facts'] });
		expect(body.PROJECT_NAME).toBe('online_shop_handmade_mugs');
	});

	test('INT-9 INT-26 E11 TEST-032-031 CONST-032-005 a malformed block is left out, and that is said', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply(
				'REQUIREMENTS_COMPLETE: true\nTASK_SUMMARY: A shop.\nPROLOG_FACTS:\nhas_feature(inventory\nHas_feature(X) :- true',
			);
		expect(driver.session).toMatchObject({ prologFacts: '', facts: [], state: 'REVIEW' });
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E11' }, { code: 'E12' }]);
		expect(driver.session.excluded.length).toBeGreaterThan(0);
	});

	test('CONST-032-001 a sentence with a number nobody said is not in the summary', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply(FINAL.replace('with inventory.', 'with inventory. It serves 900 customers. See https://evil.example.'));
		expect(packetOf(driver.press('lock')).body.TASK_SUMMARY).toBe('An online shop for handmade mugs with inventory.');
	});
});

describe('review', () => {
	test('INT-18 shows what will be sent and locks on the press', () => {
		const driver = compiled();
		expect(driver.lastOf('review')).toMatchObject([{ autoLockAt: driver.now + SETTINGS.reviewTimeoutMs }]);
		const card = reviewCard(driver.session, SETTINGS);
		driver.press('lock');
		expect(card?.requirements).toEqual(packetOf(driver).body.requirements);
		expect(card?.notUsed).toEqual(packetOf(driver).body.not_used);
		expect(driver.session.state).toBe('HANDOVER');
	});

	test('INT-18 before anything was compiled there is nothing to show', () => {
		expect(reviewCard(drive().say(WISH).session, SETTINGS)).toBeUndefined();
	});

	test('INT-18 nobody touches it: it locks itself, as forced', () => {
		const driver = compiled();
		expect(wakeAt(driver.session, SETTINGS)).toBe(driver.now + SETTINGS.reviewTimeoutMs);
		driver.wait(SETTINGS.reviewTimeoutMs - 1);
		expect(driver.session.state).toBe('REVIEW');
		driver.wait(1);
		expect(packetOf(driver).body).toMatchObject({ trigger: 'forced', cause: 'auto_lock' });
	});

	test('INT-18 without a review the packet leaves at once', () => {
		const driver = compiled({ review: false });
		expect(driver.session.state).toBe('HANDOVER');
		expect(driver.lastOf('govern')).toHaveLength(1);
	});

	test('INT-18 text in the review is added and compiled in, without a round or a question', () => {
		const driver = compiled().say('Customers pay by credit card.');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 2 });
		driver.reply(FINAL.replace('has_feature(inventory).', 'has_payment(credit_card).\nhas_feature(inventory).'));
		expect(driver.session.prologFacts).toContain('has_payment(credit_card).');
		expect(driver.all('ask')).toHaveLength(1);
	});

	test('INT-18 compiling again has an end', () => {
		const driver = compiled();
		for (let at = 0; at < SETTINGS.maxRecompiles; at += 1) driver.say(`More ${at}.`).reply(FINAL);
		driver.say('And more.');
		expect(driver.session.state).toBe('REVIEW');
		expect(driver.notices()).toEqual(['no_more_edits']);
	});

	test('INT-18 discarded: nothing leaves', () => {
		const driver = compiled().do({ kind: 'cancel', id: 'c', author: ALEX, reason: 'discarded' });
		expect(driver.session.state).toBe('CANCELLED');
		expect(driver.all('govern')).toEqual([]);
	});
});

describe('governance', () => {
	test('INT-10 CONST-032-007 FR-008 the rules are asked before anything leaves, over canonical text only', () => {
		const driver = compiled().press('lock');
		expect(driver.all('deliver')).toEqual([]);
		const [{ input } = { input: undefined }] = driver.lastOf('govern');
		expect(input?.facts).toBe(driver.session.prologFacts);
		for (const line of [
			"packet_to('U:BA').",
			'round_count(2).',
			'max_rounds(4).',
			'dimension_status(d1,answered).',
			'fact_at(1,has_feature(inventory)).',
			'fact_evidence(1,1).',
			'trigger(complete).',
		])
			expect(input?.metadata.split('\n')).toContain(line);
	});

	test('INT-10 INT-26 E13 denied: it does not leave, the article is named, and the person can answer', () => {
		const driver = compiled().press('lock');
		const finding = { article: 'budget_known', severity: 'deny', reason: 'No budget.', origin: 'policy' } as const;
		driver.do({ kind: 'governance', packetId: packetOf(driver).id, verdict: { outcome: 'deny', findings: [finding] } });
		expect(driver.session.state).toBe('REVIEW');
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E13', detail: 'budget_known' }]);
		expect(driver.all('deliver')).toEqual([]);
		expect(wakeAt(driver.session, SETTINGS)).toBe(driver.now + SETTINGS.retention.idleMs);
		driver.say('The budget is 5000 EUR.').reply(FINAL).press('lock').verdict('flag');
		expect(driver.lastOf('deliver')).toMatchObject([{ packet: { id: 's1-p2', governance: { outcome: 'flag' } } }]);
	});

	test('INT-10 a verdict on another packet, or a second one, is nothing', () => {
		const driver = compiled().press('lock');
		const waiting = driver.session;
		driver.do({ kind: 'governance', packetId: 's1-p9', verdict: { outcome: 'allow', findings: [] } });
		expect(driver.session).toBe(waiting);
		driver.verdict('allow').verdict('deny');
		expect(driver.all('deliver')).toHaveLength(1);
		expect(driver.session.state).toBe('HANDOVER');
	});

	test('INT-10 a verdict "allow" that lists a denial is a denial', () => {
		const driver = compiled().press('lock');
		const finding = { article: 'x', severity: 'deny', reason: '', origin: 'policy' } as const;
		driver.do({
			kind: 'governance',
			packetId: packetOf(driver).id,
			verdict: { outcome: 'allow', findings: [finding] },
		});
		expect(driver.all('deliver')).toEqual([]);
	});

	test('INT-10 a broken policy denies and calls somebody', () => {
		const driver = compiled().press('lock');
		const finding = { article: 'policy_error', severity: 'deny', reason: 'time', origin: 'policy' } as const;
		driver.do({ kind: 'governance', packetId: packetOf(driver).id, verdict: { outcome: 'deny', findings: [finding] } });
		expect(driver.lastOf('notify_admin')).toMatchObject([{ code: 'policy_error' }]);
	});

	test('INT-10 each plain article denies by itself', () => {
		const { session } = compiled().press('lock');
		const packet = packetOf(compiled().press('lock'));
		const articles = (over: Partial<typeof session>, packetOver: Partial<typeof packet> = {}) =>
			guardFindings({ ...session, ...over }, { ...packet, ...packetOver }).map(({ article }) => article);
		expect(articles({})).toEqual([]);
		expect(articles({ questionSets: [] })).toEqual(['first_call_asks']);
		expect(articles({ history: session.history.filter(({ kind }) => kind !== 'questions') })).toEqual([
			'first_call_asks',
		]);
		expect(articles({ roundCount: 5 })).toEqual(['rounds_within_limit']);
		expect(articles({}, { to: 'U:PM' as 'U:BA' })).toEqual(['only_to_analyst']);
		const invented = {
			...session.facts[0],
			evidence: [{ turnId: 't1', messageId: 'm1', quote: 'never said' }],
		} as (typeof session.facts)[0];
		expect(articles({ facts: [invented, ...session.facts.slice(1)] })).toEqual(['facts_grounded']);
		expect(articles({ facts: [] })).toEqual(['facts_grounded']);
		expect(articles({ originalIntent: 'other' })).toEqual(['intent_unchanged']);
	});

	test('INT-10 a secret in the conversation stays here until that answer is edited', () => {
		const driver = drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Use password: hunter2hunter2 for the mail.')
			.reply(FINAL)
			.press('lock');
		expect(driver.session.state).toBe('REVIEW');
		expect(driver.session.verdict?.findings.map(({ article }) => article)).toEqual(['no_secrets']);
		expect(JSON.stringify(driver.session.verdict)).not.toContain('hunter2');
		driver
			.do({ kind: 'edit_answer', id: 'e', author: ALEX, turnId: 't3', text: 'Two admins manage the stock.' })
			.reply(FINAL)
			.press('lock');
		expect(driver.lastOf('govern')).toHaveLength(1);
	});
});

describe('delivery', () => {
	test('INT-22 delivered: complete, and no cancel any more', () => {
		const driver = sent();
		driver.do({ kind: 'cancel', id: 'c', author: ALEX, reason: 'discarded' });
		expect(driver.notices()).toEqual(['nothing_to_do']);
		driver.do({ kind: 'delivered', packetId: packetOf(driver).id });
		expect(driver.session.state).toBe('COMPLETE');
		expect(driver.lastOf('done')).toMatchObject([{ state: 'COMPLETE' }]);
	});

	test('INT-19 text that comes while the packet is handed over is refused aloud, not lost in silence', () => {
		const driver = compiled().press('lock').say('One more thing.');
		expect(driver.notices()).toEqual(['no_more_edits']);
		expect(driver.session.pending).toBeUndefined();
	});

	test('INT-22 INT-26 E14 undeliverable: kept, told once, and delivered later', () => {
		const driver = sent();
		const packetId = packetOf(driver).id;
		driver.do({ kind: 'undeliverable', packetId }).do({ kind: 'undeliverable', packetId });
		expect(driver.all('error').map(({ code }) => code)).toEqual(['E14']);
		expect(driver.session).toMatchObject({ state: 'HANDOVER', delivery: 'failed' });
		expect(driver.do({ kind: 'delivered', packetId }).session.state).toBe('COMPLETE');
	});
});

describe('files', () => {
	test('INT-18 requirements.md, handoff.json and facts.pl say the same, and cannot ping or open markup', () => {
		const driver = drive()
			.say(`${WISH} Tell @everyone about **it**.`)
			.reply(QUESTIONS)
			.say('Two admins manage the stock.')
			.reply(FINAL)
			.press('lock');
		const packet = packetOf(driver);
		const text = requirementsMarkdown(packet);
		expect(text).toContain('- **R1** Feature: inventory');
		expect(text).toContain('## D2 Tech stack (open)');
		expect(text).not.toContain('@everyone');
		expect(text).toContain('\\*\\*it\\*\\*');
		expect(JSON.parse(handoffJson(packet))).toEqual(JSON.parse(canonicalJson(packet)));
		expect(
			factsPl(packet)
				.split('\n')
				.filter((line) => !line.startsWith('%')),
		).toEqual(['has_feature(inventory).', 'user_role(admin,2).', '']);
	});

	test('D03 P05 a packet without facts has files too', () => {
		const driver = drive().say(WISH).reply(QUESTIONS).say('Two admins.').press('finish_now');
		const packet = packetOf(driver.reply('x').reply('y').press('lock'));
		expect(factsPl(packet)).toMatch(/^% s1-p1/);
		expect(requirementsMarkdown(packet)).toContain('Compiled before the intake was complete');
	});
});
