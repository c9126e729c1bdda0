import type { HouseLanguage } from '../../../config/language.ts';
import { ENGLISH } from './english.ts';
import type { FleetWording } from './fleet-wording.ts';
import { GERMAN } from './german.ts';

export function wordingOf(language: HouseLanguage): FleetWording {
	return language === 'de' ? GERMAN : ENGLISH;
}

/** The same text in every language of the house; whoever shows it knows which one is read there. */
export function inAllLanguages(text: (words: FleetWording) => string): Record<HouseLanguage, string> {
	return { en: text(ENGLISH), de: text(GERMAN) };
}
