import { describe, expect, test } from 'vitest';
import { createTranslate, toLanguage } from '../../../bot/catalogue.ts';
import german from '../../../bot/locales/de.json' with { type: 'json' };
import english from '../../../bot/locales/en.json' with { type: 'json' };
import intakeGerman from '../../../bot/locales/intake.de.json' with { type: 'json' };
import intakeEnglish from '../../../bot/locales/intake.en.json' with { type: 'json' };

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe('catalogue', () => {
	test.each<[string, Record<string, string>, Record<string, string>]>([
		['house', english, german],
		['intake', intakeEnglish, intakeGerman],
	])('OPS-11 both languages have the same texts with the same placeholders: %s', (_, from, to) => {
		expect(Object.keys(to).sort()).toEqual(Object.keys(from).sort());
		for (const [key, text] of Object.entries(from))
			expect(placeholders(to[key] ?? ''), key).toEqual(placeholders(text));
	});

	test('OPS-11 the language follows the person, English is for everybody else', () => {
		expect(['de', 'de-AT', 'en-GB', 'fr', '', null, undefined].map(toLanguage)).toEqual([
			'de',
			'de',
			'en',
			'en',
			'en',
			'en',
			'en',
		]);
	});

	test('values are filled in as they are', () => {
		expect(createTranslate('de')('done.mode', { mode: '{lock} $& x' })).toBe('Der Modus ist jetzt `{lock} $& x`.');
		expect(createTranslate('en')('done.mode')).toContain('{mode}');
	});
});
