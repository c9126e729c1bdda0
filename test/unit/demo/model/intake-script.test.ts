import { describe, expect, test } from 'vitest';
import { intakeSettings } from '../../../../config/intake.ts';
import { readPromptFiles } from '../../../../config/prompt-files.ts';
import type { Effect } from '../../../../core/intake/effect.ts';
import { freshSession, type IntakeSession } from '../../../../core/intake/session.ts';
import { stepIntake } from '../../../../core/intake/step.ts';
import { createScript } from '../../../../demo/model/script/script.ts';
import { renderIntakeMessages } from '../../../../prompts/intake/messages.ts';
import { intakeReplySchema } from '../../../../prompts/intake/reply-schema.ts';
import { checkPrompts, PROMPT_FILES } from '../../../../prompts/render.ts';

const settings = intakeSettings.parse({});
const prompts = readPromptFiles({
	names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
	builtInDir: 'prompts',
});
if (!prompts.ok) throw new Error('the prompts cannot be read');
const texts = checkPrompts(
	Object.fromEntries(Object.entries(prompts.files).map(([name, text]) => [`${name}.md`, text])),
);
const script = createScript();

/** Plays a whole intake on the real prompts; each answer is one message. */
async function play(intent: string, answers: readonly string[], isForced: boolean): Promise<IntakeSession> {
	let session = freshSession({ id: 's1', place: { kind: 'cxp', caller: 'x' }, requesterId: 'p', review: true }, 0);
	let now = 0;
	const author = { id: 'p', bot: false };
	const apply = async (event: Parameters<typeof stepIntake>[1]): Promise<void> => {
		now += 1_000;
		const { state, effects } = stepIntake(session, event, settings, now);
		session = state;
		for (const effect of effects) if (effect.kind === 'call_model') await think(effect);
	};
	const think = async ({ call }: Extract<Effect, { kind: 'call_model' }>) => {
		const { messages } = renderIntakeMessages({ texts, session, settings, call });
		const { text } = await script({
			system: messages
				.filter(({ role }) => role === 'system')
				.map(({ content }) => content)
				.join('\n'),
			messages: messages.filter(({ role }) => role !== 'system'),
			tools: [],
			...(isForced ? { schema: intakeReplySchema(call.purpose).json } : {}),
		});
		await apply({ kind: 'model_reply', callId: call.id, text });
	};
	await apply({ kind: 'intent', id: 'm0', author, text: intent });
	for (const [index, text] of answers.entries()) {
		if (session.state !== 'QUESTIONING') break;
		await apply({ kind: 'message', id: `m${index + 1}`, author, text, whole: true });
	}
	return session;
}

describe('the scripted interviewer', () => {
	test.each([true, false])(
		'INT-16 it asks about all seven dimensions, then compiles what was said (schema: %s)',
		async (isForced) => {
			const session = await play(
				'I want a shop for mugs with a cart, but no newsletter.',
				['customers, on a phone, orders', 'It talks to Paypal. We have 12 people and 5000 euros.'],
				isForced,
			);
			expect(session.state).toBe('REVIEW');
			expect(session.finalization).toMatchObject({ trigger: 'complete', cause: 'signal', standIns: [] });
			const asked = session.questionSets.flatMap(({ questions }) => questions);
			expect(asked.every(({ origin }) => origin === 'model')).toBe(true);
			expect([...new Set(asked.map(({ dimension }) => dimension))].sort()).toEqual([
				'D1',
				'D2',
				'D3',
				'D4',
				'D5',
				'D6',
				'D7',
			]);
			expect(new Set(asked.map(({ text }) => text)).size).toBe(asked.length);
			const facts = session.facts.map(({ text }) => text);
			for (const fact of [
				'has_feature(cart).',
				'out_of_scope(newsletter).',
				'integrates_with(paypal).',
				'users_expected(12).',
				'budget(5000).',
				'platform(phone).',
			])
				expect(facts).toContain(fact);
			expect(session.excluded).toEqual([]);
		},
	);

	test('INT-16 it asks in German when it is told in German', async () => {
		const session = await play('Ich möchte eine Suche für Rechnungen und Fotos.', ['Kunden'], true);
		const asked = session.questionSets.flatMap(({ questions }) => questions.map(({ text }) => text));
		expect(asked).toContain('Wer arbeitet damit?');
		expect(asked.every((text) => !/\bWhat\b|\bWho\b/.test(text))).toBe(true);
	});
});
