import german from './locales/de.json' with { type: 'json' };
import english from './locales/en.json' with { type: 'json' };
import fleetGerman from './locales/fleet.de.json' with { type: 'json' };
import fleetEnglish from './locales/fleet.en.json' with { type: 'json' };
import intakeGerman from './locales/intake.de.json' with { type: 'json' };
import intakeEnglish from './locales/intake.en.json' with { type: 'json' };

export type TextKey = keyof typeof english | keyof typeof intakeEnglish | keyof typeof fleetEnglish;
export type Language = 'en' | 'de';
export type Vars = Readonly<Record<string, string | number>>;

/** Writes a text of the catalogue in one language, its `{placeholders}` filled in. */
export type Translate = (key: TextKey, vars?: Vars) => string;

const texts: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = {
	en: { ...english, ...intakeEnglish, ...fleetEnglish },
	de: { ...german, ...intakeGerman, ...fleetGerman },
};

/** Discord's locale (`de`, `en-GB`, …) as one of ours; English for everybody else. */
export function toLanguage(locale: string | null | undefined): Language {
	return locale?.startsWith('de') ? 'de' : 'en';
}

/** A catalogue in one language. Placeholders without a value stay visible, so that a mistake is seen. */
export function createTranslate(language: Language): Translate {
	return (key, vars = {}) =>
		texts[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
			Object.hasOwn(vars, name) ? String(vars[name]) : whole,
		);
}
