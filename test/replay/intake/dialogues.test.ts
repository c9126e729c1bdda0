import { expect, test } from 'vitest';
import { measureSession } from '../../../core/intake/measures/measure-session.ts';
import { readSession } from '../../../core/intake/session.ts';
import { drive } from '../../unit/core/intake/intake-driver.ts';
import { DIALOGUES } from './dialogues.ts';

test.each(DIALOGUES.map((one) => [one.name, one] as const))('INT-7 INT-9 INT-28 P01 P04 %s', (_, dialogue) => {
	const driver = drive();
	driver.session = { ...driver.session, language: dialogue.language };
	dialogue.turns.forEach((text, at) => {
		driver.now += 60_000;
		if (at % 2 === 0) driver.say(text);
		else driver.reply(text);
		// As if another process had taken over after each turn.
		const stored = readSession(JSON.parse(JSON.stringify(driver.session)));
		if (stored === undefined) throw new Error('the session cannot be read back');
		driver.session = stored;
	});
	driver.press('lock').verdict('allow');
	const { packet, excluded } = driver.session;
	expect(packet?.body.PROLOG_FACTS.split('\n').filter((line) => line !== '')).toEqual(dialogue.facts);
	expect(excluded.map(({ reason }) => reason)).toEqual(dialogue.excluded);
	expect(packet?.body).toMatchObject({
		UI_REQUIREMENTS: dialogue.ui,
		trigger: dialogue.trigger,
		PROJECT_NAME: dialogue.project,
	});
	expect(packet?.body.TASK_SUMMARY).not.toContain('40 hours');
	expect(driver.all('ask').every(({ set }) => set.questions.every(({ text }) => !text.includes('REQUIREMENTS')))).toBe(
		true,
	);
	expect(measureSession(driver.session)).toMatchObject({ failedGates: [], questions: { neutral: { rate: 1 } } });
});
