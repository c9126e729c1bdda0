import type { Dimension } from '../dimension.ts';

/** Two standing questions for each dimension, asked only when the model gives none that can be used. */
const ENGLISH: Readonly<Record<Dimension, readonly [string, string]>> = {
	D1: ['What should a person be able to do with it?', 'What is outside of this project?'],
	D2: ['Which technologies or platforms are already decided?', 'Which devices must it run on?'],
	D3: ['What information does it have to remember?', 'How much data do you expect in a year?'],
	D4: ['How do people or other programs get in touch with it?', 'Which other systems must it exchange data with?'],
	D5: ['How many people use it at the same time?', 'What happens when it is down for an hour?'],
	D6: ['Where should it run?', 'Who looks after it once it runs?'],
	D7: ['Which limits of time or money are there?', 'Which laws or house rules apply to it?'],
};
const GERMAN: Readonly<Record<Dimension, readonly [string, string]>> = {
	D1: ['Was soll man damit tun können?', 'Was gehört nicht dazu?'],
	D2: ['Welche Techniken oder Plattformen stehen schon fest?', 'Auf welchen Geräten muss es laufen?'],
	D3: ['Welche Angaben muss es sich merken?', 'Wie viele Daten fallen im Jahr an?'],
	D4: ['Wie kommen Menschen oder andere Programme damit in Berührung?', 'Mit welchen Systemen tauscht es Daten aus?'],
	D5: ['Wie viele Leute benutzen es gleichzeitig?', 'Was geschieht, wenn es eine Stunde ausfällt?'],
	D6: ['Wo soll es laufen?', 'Wer betreut es danach?'],
	D7: ['Welche Grenzen setzen Zeit oder Geld?', 'Welche Gesetze oder Hausregeln gelten dafür?'],
};

/** The standing questions of a dimension in a language; English where there are none. */
export function bankQuestions(dimension: Dimension, language: string): readonly string[] {
	return (language.toLowerCase().startsWith('de') ? GERMAN : ENGLISH)[dimension];
}
