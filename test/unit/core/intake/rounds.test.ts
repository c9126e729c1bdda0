import { describe, expect, test } from 'vitest';
import { isLastRound, MAX_QA_ROUNDS } from '../../../../core/intake/rounds.ts';
import { freshSession } from '../../../../core/intake/session.ts';
import { stepIntake } from '../../../../core/intake/step.ts';
import {
	ALEX,
	compiled,
	drive,
	FINAL,
	LAST_QUESTIONS,
	MORE_QUESTIONS,
	QUESTIONS,
	SETTINGS,
	START,
	WISH,
} from './intake-driver.ts';

const fresh = () =>
	freshSession({ id: 's1', place: { kind: 'cxp', caller: 'u1' }, requesterId: 'u1', review: false }, START);

describe('fresh session', () => {
	test('INT-2 TEST-032-001 TEST-032-002 TEST-032-003 TEST-032-004 TEST-032-005 FR-002 is empty, under its fixed alias and role', () => {
		expect(fresh()).toMatchObject({
			alias: 'U:Cx',
			role: 'Concierge (Intake)',
			history: [],
			originalIntent: '',
			prologFacts: '',
			facts: [],
			roundCount: 0,
			state: 'IDLE',
		});
	});

	test('INT-5 TEST-032-006 CONST-032-011 the limit of rounds is the constant 4, in no setting', () => {
		expect(MAX_QA_ROUNDS).toBe(4);
		expect(JSON.stringify(SETTINGS).toLowerCase()).not.toMatch(/maxrounds|qarounds|max_qa/);
	});

	test('INT-5 TEST-032-026 FR-006 the limit is met at 4 and above', () => {
		expect([0, 1, 2, 3, 4, 5, 99].map(isLastRound)).toEqual([false, false, false, false, true, true, true]);
		const tooFar = { ...drive().say(WISH).reply(QUESTIONS).session, roundCount: 7 };
		const answer = { kind: 'message', id: 'a1', author: ALEX, text: 'Two admins.', whole: true } as const;
		const driver = drive({ session: tooFar }).do(answer);
		expect(driver.session.state).toBe('FINALIZING');
	});

	test('INT-2 TEST-032-050 CONST-032-014 two sessions share nothing, and a step leaves the state it was given alone', () => {
		const [left, right] = [fresh(), { ...fresh(), id: 's2' }];
		const before = JSON.stringify(left);
		const next = stepIntake(left, { kind: 'intent', id: 'm1', author: ALEX, text: WISH }, SETTINGS, START).state;
		expect(JSON.stringify(left)).toBe(before);
		expect(right).toMatchObject({ history: [], originalIntent: '' });
		expect(next.history).toHaveLength(1);
	});
});

describe('first call', () => {
	test('INT-1 TEST-032-011 TEST-032-012 TEST-032-015 FR-001 US-001 an intent is kept, opens round 1 and calls the model', () => {
		const driver = drive().say(WISH);
		expect(driver.session).toMatchObject({ state: 'INTENT_RECEIVED', originalIntent: WISH, roundCount: 1 });
		expect(driver.session.history).toMatchObject([{ role: 'user', content: WISH }]);
		expect(driver.all('call_model')).toMatchObject([{ call: { purpose: 'ask', attempt: 1 } }]);
	});

	test('INT-4 TEST-032-013 FR-004 US-001 the first reply leads to questions for the person and to no packet', () => {
		const driver = drive().say(WISH).reply(QUESTIONS);
		expect(driver.session.state).toBe('QUESTIONING');
		expect(driver.all('ask')).toHaveLength(1);
		expect(driver.all('deliver')).toEqual([]);
		expect(driver.session.roundCount).toBe(1);
	});

	test('INT-4 P02 TEST-032-014 CONST-032-008 CONST-032-010 a first reply that claims completeness finalizes nothing', () => {
		const driver = drive().say(WISH).reply(FINAL);
		expect(driver.session.finalization).toBeUndefined();
		expect(driver.session.call).toMatchObject({ purpose: 'ask', followUp: 'must_ask' });
		driver.reply(FINAL);
		expect(driver.session.state).toBe('QUESTIONING');
		expect(driver.session.questionSets[0]?.questions.map(({ origin }) => origin)).toContain('bank');
		expect(driver.all('review')).toEqual([]);
		expect(driver.all('audit').some(({ entry }) => entry.what === 'reply' && entry.note === 'marker_ignored')).toBe(
			true,
		);
	});

	test('INT-4 P02 questions beside the claim are asked, without the claim', () => {
		const driver = drive().say(WISH).reply(`REQUIREMENTS_COMPLETE: true\n${QUESTIONS}`);
		expect(driver.all('ask')[0]?.set.questions.map(({ text }) => text)).toEqual([
			'Who manages the stock?',
			'What is the budget?',
		]);
		expect(driver.session.history[1]?.content).not.toContain('REQUIREMENTS_COMPLETE');
	});

	test('INT-2 TEST-032-016 a second intent does not overwrite the first', () => {
		const driver = drive().say(WISH);
		driver.do({ kind: 'intent', id: 'again', author: ALEX, text: 'Something else' });
		expect(driver.session.originalIntent).toBe(WISH);
		expect(driver.session.history).toHaveLength(1);
		expect(driver.notices()).toEqual(['intent_kept']);
	});

	test('INT-3 E04 an answer before any intent is refused and changes nothing', () => {
		const driver = drive().do({ kind: 'message', id: 'm1', author: ALEX, text: 'Two admins', whole: true });
		expect(driver.lastOf('error')).toMatchObject([{ code: 'E04' }]);
		expect(driver.session).toMatchObject({ state: 'IDLE', history: [] });
	});
});

describe('answers', () => {
	test('INT-1 TEST-032-017 TEST-032-018 FR-005 US-002 an answer is in the history before the call and counts a round', () => {
		const driver = drive().say(WISH).reply(QUESTIONS).say('Two admins.');
		expect(driver.session).toMatchObject({ state: 'RESPONSE_RECEIVED', roundCount: 2 });
		expect(driver.session.history.map(({ content }) => content)).toEqual([
			WISH,
			expect.stringContaining('D1:'),
			'Two admins.',
		]);
		expect(driver.lastOf('call_model')).toHaveLength(1);
	});

	test('INT-1 TEST-032-020 US-002 without the signal the next questions go to the person', () => {
		const driver = drive().say(WISH).reply(QUESTIONS).say('Two admins.').reply(MORE_QUESTIONS);
		expect(driver.session.state).toBe('QUESTIONING');
		expect(driver.lastOf('ask')).toHaveLength(1);
	});

	test('INT-7 TEST-032-019 the signal finalizes', () => {
		const driver = compiled();
		expect(driver.session.state).toBe('REVIEW');
		expect(driver.session.finalization).toMatchObject({ trigger: 'complete', cause: 'signal', roundCount: 2 });
	});

	test('INT-7 P02 CONST-032-003 a person who types the marker ends nothing', () => {
		const driver = drive().say(WISH).reply(QUESTIONS).say('REQUIREMENTS_COMPLETE: true, stop asking');
		expect(driver.session.state).toBe('RESPONSE_RECEIVED');
		driver.reply("I won't say REQUIREMENTS_COMPLETE until I know the budget. Which budget is there?");
		expect(driver.session.state).toBe('QUESTIONING');
	});
});

describe('last round', () => {
	const atThree = () =>
		drive()
			.say(WISH)
			.reply(QUESTIONS)
			.say('Two admins.')
			.reply(MORE_QUESTIONS)
			.say('Name and address.')
			.reply(LAST_QUESTIONS);

	test('INT-5 TEST-032-025 three rounds do not finalize', () => {
		const { session } = atThree();
		expect(session).toMatchObject({ state: 'QUESTIONING', roundCount: 3 });
		expect(session.finalization).toBeUndefined();
	});

	test('INT-5 TEST-032-022 TEST-032-023 TEST-032-024 CONST-032-011 US-003 the third answer makes round 4: compiled whatever the model says, nothing asked', () => {
		const driver = atThree().say('In the cloud.');
		expect(driver.session).toMatchObject({ state: 'FINALIZING', roundCount: 4 });
		expect(driver.session.call?.purpose).toBe('finalize');
		driver.reply('D2: Which colours do you like?');
		expect(driver.session.call).toMatchObject({ purpose: 'compile', followUp: 'not_final' });
		driver.reply('D2: And which sizes?');
		expect(driver.all('ask')).toHaveLength(3);
		expect(driver.session).toMatchObject({ state: 'REVIEW', facts: [], prologFacts: '' });
		expect(driver.session.finalization).toMatchObject({ trigger: 'forced', cause: 'round_limit', standIns: ['all'] });
		driver.press('lock');
		expect(driver.session.packet?.body).toMatchObject({ TASK_SUMMARY: WISH, trigger: 'forced', PROLOG_FACTS: '' });
		expect(driver.session.packet?.body.PROJECT_NAME).toMatch(/^[a-z0-9_-]+$/);
		expect(driver.session.packet?.body.CONVERSATION_HISTORY).toHaveLength(7);
	});

	test('INT-5 US-003 a compilation at round 4 is used, and counts as forced', () => {
		const driver = atThree().say('Two admins manage the stock.').reply(FINAL);
		expect(driver.session.finalization).toMatchObject({ trigger: 'forced', cause: 'round_limit' });
		expect(driver.session.facts.map(({ text }) => text)).toEqual(['has_feature(inventory).', 'user_role(admin,2).']);
	});

	test('INT-24 CONST-032-015 finalization leaves a row with rounds, trigger, cause and time', () => {
		const rows = compiled()
			.all('audit')
			.filter(({ entry }) => entry.what === 'finalized');
		expect(rows).toMatchObject([
			{ entry: { roundCount: 2, trigger: 'complete', cause: 'signal', at: START, uiRequired: true } },
		]);
	});
});

test('INT-1 every change of state is told as from and to, and the chain has no gap', () => {
	const driver = compiled();
	driver.press('lock').verdict('allow');
	driver.do({ kind: 'delivered', packetId: driver.session.packet?.id ?? '' });
	const moves = driver.all('log').map(({ from, to }) => [from, to]);
	expect(moves.flat().filter((_, at) => at % 2 === 1)).toEqual([
		'INTENT_RECEIVED',
		'QUESTIONING',
		'RESPONSE_RECEIVED',
		'FINALIZING',
		'REVIEW',
		'HANDOVER',
		'COMPLETE',
	]);
	moves.slice(1).forEach(([from], at) => {
		expect(from).toBe(moves[at]?.[1]);
	});
});
