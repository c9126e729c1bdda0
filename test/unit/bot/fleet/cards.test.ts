import type { APIEmbed } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import { cardFace, isStaleCard } from '../../../../bot/fleet/cards/card-face.ts';
import { CARD_ACTS, formatCardId, isCardId, parseCardId } from '../../../../bot/fleet/cards/card-id.ts';
import { failureCard } from '../../../../bot/fleet/cards/failure-card.ts';
import { questionCard } from '../../../../bot/fleet/cards/question-card.ts';
import { plainText } from '../../../../bot/fleet/plain-text.ts';
import { toPayload, type View } from '../../../../bot/views/view.ts';
import { askQuestion } from '../../../../core/fleet/ask-question.ts';
import type { Question } from '../../../../core/fleet/question.ts';
import type { CardRecord } from '../../../../core/fleet/records.ts';
import type { FleetSession } from '../../../../core/fleet/session.ts';
import { asked, sessionOf, T0 } from '../../core/fleet/fixture.ts';

const t = createTranslate('en');
const question = (change: object = {}): Question => ({
	...askQuestion({ id: 's1', name: 'api-fix' }, asked('r1').question, 1, T0),
	...change,
});
const top = { mentions: ['100000000000000001'], headline: undefined };
const fleetSession = (change: Partial<FleetSession>): FleetSession => {
	const { session } = sessionOf('api-fix');
	if (session === undefined) throw new Error('the fixture makes no session');
	return { ...session, ...change };
};
const show = (one: Question, more: object = {}) => questionCard({ question: one, muted: false, ...top, t, ...more });
const state = ({ embeds }: View) => embeds?.[0]?.fields?.find(({ name }) => name === 'State')?.value;
const buttons = ({ components }: View) =>
	(components ?? []).flatMap((row) => row.components.map((one) => ('label' in one ? one.label : one.type)));

describe('a card of a question', () => {
	const answered = {
		state: 'answered',
		settledAt: T0 + 60_000,
		answeredBy: { who: 'Ria *', whoId: '1' },
		answer: { values: ['v2'] },
	};

	test.each([
		[{}, `open, asked <t:${T0 / 1_000}:R>`, ['v1 (keep)', 'v2 (migrate)', 'Reply…', 'Open thread', 'Mute']],
		[{ reminders: 2 }, `open, asked <t:${T0 / 1_000}:R> · reminded 2 of 3`, undefined],
		[
			{ state: 'closed', settledAt: T0 },
			`closed <t:${T0 / 1_000}:f>: the session moved on without an answer`,
			['Open thread'],
		],
		[
			{ state: 'lost', settledAt: T0 },
			`lost <t:${T0 / 1_000}:f>: the session's process ended before anybody answered`,
			['Open thread'],
		],
		[
			{ ...answered, delivery: 'pending' },
			`Ria \\* answered <t:${T0 / 1_000 + 60}:f>: "v2 (migrate)"\nsending…`,
			['Open thread'],
		],
		[
			{ ...answered, delivery: 'delivered' },
			`Ria \\* answered <t:${T0 / 1_000 + 60}:f>: "v2 (migrate)"\n✓ delivered`,
			['Open thread'],
		],
		[
			{ ...answered, delivery: 'failed', deliveryError: 'it is gone' },
			`Ria \\* answered <t:${T0 / 1_000 + 60}:f>: "v2 (migrate)"\n✗ not delivered: it is gone`,
			['Retry', 'Open thread'],
		],
		[
			{ ...answered, answeredBy: undefined },
			`answered in the session itself <t:${T0 / 1_000 + 60}:f>`,
			['Open thread'],
		],
	] as [object, string, string[] | undefined][])('FLT-13 says how it stands: %j', (change, text, pressable) => {
		const card = show(question({ freeText: true, ...change }));
		expect(state(card)).toBe(text);
		if (pressable !== undefined) expect(buttons(card)).toEqual(pressable);
	});

	test('FLT-13 when its session is muted the control ends that', () => {
		const card = show(question(), { muted: true });
		expect(buttons(card)).toContain('Unmute');
		expect(state(card)).toMatch(/ · muted$/);
	});

	test('FLT-13 stays within what Discord takes, whatever a session writes', () => {
		const long = '*_`[<@everyone>]('.repeat(400);
		const choices = Array.from({ length: 60 }, (_, index) => ({
			label: `${'*'.repeat(300)}${index}`,
			value: `${index}`,
			description: long,
		}));
		for (const change of [{ multi: true }, { multi: false }]) {
			const card = show(question({ text: long, context: long, choices, sessionName: '_'.repeat(80), ...change }), {
				headline: long,
				mentions: ['100000000000000001'],
			});
			const { content, embeds, components } = toPayload(card);
			expect(content.length).toBeLessThanOrEqual(2_000);
			const [embed] = embeds as [APIEmbed];
			expect((embed.title ?? '').length).toBeLessThanOrEqual(256);
			expect((embed.description ?? '').length).toBeLessThanOrEqual(4_096);
			expect(embed.fields?.map(({ name }) => name)).toEqual(['Context', 'State']);
			for (const { value } of embed.fields ?? []) expect(value.length).toBeLessThanOrEqual(1_024);
			const [menu] = components[0]?.components ?? [];
			expect(menu).toMatchObject({ options: { length: 25 }, max_values: change.multi ? 25 : 1 });
		}
	});

	test('FLT-17 D03 what a session writes is shown as it was written and never as mark-up', () => {
		expect(plainText('**a** [b](https://c) <@1> `d` ~~e~~ ||f||', 200)).toBe(
			'\\*\\*a\\*\\* \\[b\\](https://c) \\<@1\\> \\`d\\` \\~\\~e\\~\\~ \\|\\|f\\|\\|',
		);
		expect(plainText('# big\n- one\n-# small', 200)).toBe('\\# big\n\\- one\n\\-# small');
		const headline = 'ask <@999999999999999999> @everyone';
		expect(show(question(), { headline }).content).toBe(
			'<@100000000000000001> ask \\<@999999999999999999\\> @everyone',
		);
	});

	test('FLT-13 is in the language of the server', () => {
		const german = show(question({ freeText: true }), { t: createTranslate('de') });
		expect(german.embeds?.[0]?.title).toBe('api-fix fragt');
		expect(buttons(german)).toEqual(['v1 (keep)', 'v2 (migrate)', 'Antworten…', 'Thread öffnen', 'Stumm']);
	});
});

describe('a card of a failed run', () => {
	const session = fleetSession({ state: 'failed', runReason: 'out of tokens', summary: 'half done' });
	const base = { needId: 'f1', session, reason: 'out of tokens', settled: undefined, ...top, t };

	test('FLT-20 says why, with what can be done about it', () => {
		const card = failureCard(base);
		expect(card.embeds?.[0]).toMatchObject({ title: 'api-fix failed', description: 'out of tokens' });
		expect(buttons(card)).toEqual(['Reply…', 'Open thread', 'Mute', 'Dismiss']);
		expect(buttons(failureCard({ ...base, session: { ...session, endedAt: T0 } }))).not.toContain('Reply…');
	});

	test('FLT-13 stays as a record of who dismissed it, or that the session went on', () => {
		const dismissed = failureCard({ ...base, settled: { how: 'dismissed', at: T0, who: 'Ria' } });
		expect(state(dismissed)).toBe(`Ria dismissed it <t:${T0 / 1_000}:f>`);
		const over = failureCard({ ...base, settled: { how: 'over', at: T0 } });
		expect(state(over)).toContain('the session went on');
		expect(buttons(over)).toEqual(['Open thread']);
		expect(over.embeds?.[0]?.description).toBe('out of tokens');
	});
});

describe('when a card is written again', () => {
	const record = (more: Partial<CardRecord>): CardRecord => ({
		id: 'q1',
		kind: 'question',
		sessionId: 's1',
		channelId: '1',
		messageId: '2',
		shownRevision: 1,
		postedAt: T0,
		mentioned: true,
		...more,
	});
	const face = (one: Question, muted = false) =>
		cardFace(one.id, { kind: 'question', question: one, session: fleetSession({ muted }) }, top, t);

	test('FLT-13 an open one whenever it would look different, a settled one only when it changed', () => {
		const open = face(question());
		const shown = record({ shownRevision: open.revision, shownHash: open.hash });
		expect(isStaleCard(shown, open)).toBe(false);
		expect(isStaleCard(shown, face(question(), true))).toBe(true);
		expect(isStaleCard(shown, face(question({ revision: 2 })))).toBe(true);
		const closed = face(question({ state: 'closed', settledAt: T0, revision: 2 }));
		expect(closed).toMatchObject({ isOpen: false, isFinal: true });
		expect(isStaleCard(record({ shownRevision: 2, shownHash: 'an older look' }), closed)).toBe(false);
		expect(face(question({ state: 'answered', delivery: 'pending' })).isFinal).toBe(false);
	});
});

describe('what a control stands for', () => {
	test.each(CARD_ACTS)('FLT-13 %s comes back as it was made', (act) => {
		const id = formatCardId(act, 'q0123456789abcde', act === 'choose' ? 4 : '-');
		expect(id.length).toBeLessThanOrEqual(100);
		expect(parseCardId(id)).toEqual({ act, needId: 'q0123456789abcde', detail: act === 'choose' ? '4' : '-' });
	});

	test.each(['v2:need:choose:q1:1', 'v1:need:approve:q1:1', 'v1:need:choose:q1', 'v1:need:choose:../x:1'])(
		'FLT-13 %s is ours to refuse',
		(text) => {
			expect(isCardId(text)).toBe(true);
			expect(parseCardId(text)).toBeUndefined();
		},
	);

	test('FLT-13 controls of others are left alone', () => {
		expect(isCardId('v1:intake:answer:s1:-')).toBe(false);
	});
});
