import { withoutPerson } from '../../../core/operations/person.ts';

type Piece = Record<string, unknown>;

/** Whether a stored text speaks of the person by id. Ids are long numbers that stand for nothing else. */
export function isOf(text: string, personId: string): boolean {
	return text.includes(personId);
}

/** The objects in a JSON text whose author the person is, as `{ who, whoId }` or with it under `cause`, `from` and the like. */
export function ownPieces(text: string, personId: string): Piece[] {
	const found: Piece[] = [];
	walk(parsed(text).value, (piece) => {
		if (piece['whoId'] === personId) found.push(piece);
	});
	return found;
}

/**
 * A stored text without the person: their questions that wait are gone, words of theirs are blank, and where an author must
 * stand it is nobody in particular. `grows`: the text carries a revision, which grows by one.
 */
export function withoutDoings(text: string, personId: string, options: { grows?: boolean } = {}): string {
	if (!isOf(text, personId)) return text;
	const { lead, value } = parsed(text);
	const person = { id: personId, names: [] };
	if (value === undefined) return String(withoutPerson(text, person));
	const cleaned = withoutPerson(withoutWords(value, personId), person);
	if (options.grows && isPiece(cleaned) && typeof cleaned['revision'] === 'number') cleaned['revision'] += 1;
	return `${lead}${JSON.stringify(cleaned)}`;
}

function withoutWords(value: unknown, personId: string): unknown {
	if (Array.isArray(value)) {
		const others = value.filter((item) => !(isPiece(item) && item['whoId'] === personId));
		return others.map((item) => withoutWords(item, personId));
	}
	if (!isPiece(value)) return value;
	const isOwn = value['whoId'] === personId;
	const said = isOwn || isBy(value['cause'], personId) || isBy(value['from'], personId);
	// An answer that is still on its way has to arrive.
	const answered = isBy(value['answeredBy'], personId) && !['pending', 'failed'].includes(String(value['delivery']));
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => {
			if (isOwn && key === 'who') return [key, 'someone'];
			if (said && key === 'text') return [key, ''];
			// Values of choices are what the session was told and no words of anybody.
			if (answered && key === 'answer' && isPiece(part)) return [key, { values: part['values'] }];
			return [key, withoutWords(part, personId)];
		}),
	);
}

function isBy(author: unknown, personId: string): boolean {
	return isPiece(author) && author['whoId'] === personId;
}

/** Lines of lists are "<number> <json>". */
function parsed(text: string): { lead: string; value: unknown } {
	const [, lead = '', json = text] = /^(\d+ )?([[{].*)$/s.exec(text) ?? [];
	try {
		return { lead, value: JSON.parse(json) as unknown };
	} catch {
		return { lead: '', value: undefined };
	}
}

function isPiece(value: unknown): value is Piece {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function walk(value: unknown, visit: (piece: Piece) => void): void {
	if (Array.isArray(value)) for (const item of value) walk(item, visit);
	if (!isPiece(value)) return;
	visit(value);
	for (const part of Object.values(value)) walk(part, visit);
}
