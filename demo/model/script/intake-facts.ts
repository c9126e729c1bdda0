import { choosable, questionOf } from './intake-bank.ts';

export interface ScriptedFact {
	fact: string;
	quote: string;
}

const FEATURES =
	'inventory|cart|checkout|search|login|reservations?|newsletter|reviews?|invoices?|calendar|export|reports?|photos?|reminders?|payments?|orders?|messages?|statistics|map|wishlist|lager|warenkorb|suche|anmeldung|rechnungen?|kalender|berichte?|fotos?|erinnerungen?';
const TECHNOLOGIES =
	'react|vue|angular|typescript|javascript|python|java|go|rust|postgres|postgresql|mysql|sqlite|redis|docker|kubernetes';
const SYSTEMS = 'stripe|paypal|slack|shopify|sap|datev|outlook|excel|mailchimp';

/** What a person said as facts, each with the words it rests on. Simple patterns; what they do not see is left out. */
export function scriptedFacts(turns: readonly string[]): ScriptedFact[] {
	const found = turns.flatMap((turn) => turn.split('\n').flatMap(factsOfLine));
	return found.filter(({ fact }, index) => found.findIndex((other) => other.fact === fact) === index);
}

function factsOfLine(line: string): ScriptedFact[] {
	const question = questionOf(line);
	if (question?.fact !== undefined) {
		const chosen = line
			.slice(question.text.length)
			.split('; ')
			.map((label) => label.trim());
		return chosen
			.filter((label) => question.options.includes(label))
			.map((label) => ({ fact: `${question.fact}(${atom(label)}).`, quote: label }));
	}
	const own = question === undefined ? line : line.slice(question.text.length).trim();
	// A denial holds for its own part of the sentence only.
	return own.split(/(?<=[.!?;,])\s+|\s+(?=but\b|aber\b)/).flatMap((clause) => factsOfClause(clause.trim()));
}

function factsOfClause(sentence: string): ScriptedFact[] {
	const facts: ScriptedFact[] = [];
	const add = (fact: string) => facts.push({ fact, quote: sentence });
	const each = (words: string, make: (word: string) => string) => {
		for (const [word] of sentence.matchAll(new RegExp(`\\b(?:${words})\\b`, 'gi'))) add(make(word.toLowerCase()));
	};
	const denied = /\b(?:no|without|kein|keine|ohne)\s+(?:an?\s+)?([\p{L}-]{3,30})/iu.exec(sentence)?.[1];
	if (denied !== undefined) add(`out_of_scope(${atom(denied)}).`);
	else {
		each(FEATURES, (word) => `has_feature(${atom(word)}).`);
		each(TECHNOLOGIES, (word) => `uses_technology(${atom(word)}).`);
		each(SYSTEMS, (word) => `integrates_with(${atom(word)}).`);
		for (const { fact, option } of choosable())
			if (new RegExp(`\\b${option}\\b`, 'i').test(sentence)) add(`${fact}(${atom(option)}).`);
	}
	const people = /\b(\d[\d.]*)\s+(?:\p{L}+\s+)?(?:people|users|customers|visitors|leute|nutzer|kunden)\b/iu.exec(
		sentence,
	)?.[1];
	if (people !== undefined) add(`users_expected(${people.replaceAll('.', '')}).`);
	const money = /\b(\d[\d.,]*)\s*(?:€|eur\b|euros?\b|dollars?\b|usd\b)/i.exec(sentence)?.[1];
	if (money !== undefined) add(`budget(${money.replace(/[.,](?=\d{3})/g, '')}).`);
	return facts;
}

/** Any words as an atom: lower case and underscores, or quoted where that is not enough. */
function atom(words: string): string {
	const plain = words
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
	return /^[a-z][a-z0-9_]*$/.test(plain) ? plain : `'${words.trim().replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
