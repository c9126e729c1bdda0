/** A question the script asks, and how a choice reads as a fact. */
export interface ScriptedQuestion {
	dimension: 'D1' | 'D2' | 'D3' | 'D4' | 'D5' | 'D6' | 'D7';
	text: string;
	kind: 'single' | 'multi' | 'text';
	options: string[];
	/** Kind of fact that a chosen option becomes; none for text, whose words are read instead. */
	fact?: string;
}

const english: ScriptedQuestion[] = [
	{
		dimension: 'D1',
		text: 'Who will work with it?',
		kind: 'multi',
		options: ['customers', 'staff', 'administrators'],
		fact: 'user_role',
	},
	{
		dimension: 'D2',
		text: 'Where will people use it?',
		kind: 'multi',
		options: ['phone', 'computer', 'tablet'],
		fact: 'platform',
	},
	{
		dimension: 'D3',
		text: 'What must it remember?',
		kind: 'multi',
		options: ['orders', 'contacts', 'documents', 'measurements'],
		fact: 'stores',
	},
	{ dimension: 'D4', text: 'Which other systems does it exchange data with?', kind: 'text', options: [] },
	{ dimension: 'D5', text: 'How many people use it at the same time?', kind: 'text', options: [] },
	{
		dimension: 'D6',
		text: 'Where does it run?',
		kind: 'single',
		options: ['own server', 'rented cloud', 'on the device'],
		fact: 'deploy_on',
	},
	{ dimension: 'D7', text: 'Which limits of money or time are there?', kind: 'text', options: [] },
	{ dimension: 'D1', text: 'What is left out on purpose?', kind: 'text', options: [] },
	{
		dimension: 'D5',
		text: 'What happens when it stands still for an hour?',
		kind: 'single',
		options: ['nothing', 'work stops', 'money is lost'],
		fact: 'availability',
	},
];

const german: ScriptedQuestion[] = [
	{
		dimension: 'D1',
		text: 'Wer arbeitet damit?',
		kind: 'multi',
		options: ['Kunden', 'Mitarbeiter', 'Verwaltung'],
		fact: 'user_role',
	},
	{
		dimension: 'D2',
		text: 'Wo wird es benutzt?',
		kind: 'multi',
		options: ['Telefon', 'Rechner', 'Tablet'],
		fact: 'platform',
	},
	{
		dimension: 'D3',
		text: 'Was muss es sich merken?',
		kind: 'multi',
		options: ['Bestellungen', 'Kontakte', 'Dokumente'],
		fact: 'stores',
	},
	{ dimension: 'D4', text: 'Mit welchen anderen Systemen tauscht es Daten aus?', kind: 'text', options: [] },
	{ dimension: 'D5', text: 'Wie viele Leute benutzen es gleichzeitig?', kind: 'text', options: [] },
	{
		dimension: 'D6',
		text: 'Wo läuft es?',
		kind: 'single',
		options: ['eigener Server', 'gemietete Cloud', 'auf dem Gerät'],
		fact: 'deploy_on',
	},
	{ dimension: 'D7', text: 'Welche Grenzen an Geld oder Zeit gibt es?', kind: 'text', options: [] },
	{ dimension: 'D1', text: 'Was gehört ausdrücklich nicht dazu?', kind: 'text', options: [] },
	{
		dimension: 'D5',
		text: 'Was geschieht, wenn es eine Stunde steht?',
		kind: 'single',
		options: ['nichts', 'die Arbeit steht', 'es kostet Geld'],
		fact: 'availability',
	},
];

const GERMAN_WORDS = /(?:^|\s)(?:ich|wir|eine?n?|und|für|soll|möchte|brauche|mit|nicht)(?=\s|[,.!?]|$)/gi;

/** The questions in the language a person writes in. */
export function scriptedQuestions(said: string): ScriptedQuestion[] {
	return (said.match(GERMAN_WORDS) ?? []).length >= 2 ? german : english;
}

/** The question that a line of a form's answer begins with. */
export function questionOf(line: string): ScriptedQuestion | undefined {
	return [...english, ...german].find(({ text }) => line.startsWith(text));
}

/** Everything that could be chosen, for finding it in free text. */
export function choosable(): { fact: string; option: string }[] {
	return [...english, ...german].flatMap(({ fact, options }) =>
		fact === undefined ? [] : options.map((option) => ({ fact, option })),
	);
}
