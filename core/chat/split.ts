/** A code fence that is open at some place of the text. */
interface Fence {
	readonly mark: '```' | '~~~';
	/** Text behind the opening mark, when short enough to be written again. */
	readonly language: string;
}

/** One fence mark. The range `(at, zoneEnd]` belongs to an opener: a cut there would orphan its language. */
interface Mark {
	readonly at: number;
	readonly end: number;
	readonly zoneEnd: number;
	readonly mark: Fence['mark'];
	readonly language: string;
}

interface Piece {
	readonly open: string;
	readonly body: string;
	readonly close: string;
}

export interface SplitText {
	/** Ready to be sent, in order: 1 to `limit` UTF-16 units each, never blank, fences whole. */
	readonly messages: readonly string[];
	/** What did not fit into `maxMessages`, to be attached as one file to the last message. */
	readonly file?: string;
	/** The text itself in the same pieces, blank ones and the file's included: joined they are the input again. */
	readonly bodies: readonly string[];
}

const LONGEST_LANGUAGE = 20;

/**
 * Cuts a text for Discord. A block that does not fit is closed at the cut and opened again with its language. Backtick
 * and tilde fences are two independent switches, since Discord knows only the first and a `.md` reader both.
 */
export function splitText(text: string, options: { limit?: number; maxMessages?: number } = {}): SplitText {
	const limit = options.limit ?? 2_000;
	const maxMessages = options.maxMessages ?? 5;
	if (limit < 64 || maxMessages < 1) throw new RangeError('limit must be at least 64 and maxMessages at least 1');
	const marks = findMarks(text);
	const pieces: Piece[] = [];
	const bodies: string[] = [];
	let start = 0;
	let open: readonly Fence[] = [];
	let nextMark = 0;
	let sent = 0;
	while (start < text.length) {
		if (sent === maxMessages) {
			const rest = text.slice(start);
			bodies.push(rest);
			return finish(pieces, bodies, rest.trim() === '' ? undefined : opener(open) + rest);
		}
		const cut = findCut(text, marks, { start, nextMark, open, limit });
		const piece = {
			open: opener(open),
			body: text.slice(start, cut.at),
			close: closer(cut.open, text[cut.at - 1] === '\n'),
		};
		bodies.push(piece.body);
		if (piece.body.trim() !== '') {
			pieces.push(piece);
			sent += 1;
		}
		start = cut.at;
		open = cut.open;
		nextMark = cut.nextMark;
	}
	return finish(pieces, bodies);
}

function finish(pieces: readonly Piece[], bodies: readonly string[], file?: string): SplitText {
	const messages = pieces.map((piece) => piece.open + piece.body + piece.close);
	return file === undefined ? { messages, bodies } : { messages, bodies, file };
}

function findMarks(text: string): Mark[] {
	const marks: Mark[] = [];
	const isOpen = { '```': false, '~~~': false };
	for (const found of text.matchAll(/```|(?<=^|\n) {0,3}~~~/g)) {
		const mark = found[0].endsWith('~') ? '~~~' : '```';
		const end = found.index + found[0].length;
		isOpen[mark] = !isOpen[mark];
		// Only a word alone on its line is a language; in "```one``` more" the text is code.
		const word = isOpen[mark] ? /^[^\s`~]*(?=\n)/.exec(text.slice(end, end + 80))?.[0] : undefined;
		const zoneEnd = isOpen[mark] ? (word === undefined ? end : end + word.length + 1) : end - 1;
		const language = word !== undefined && word.length <= LONGEST_LANGUAGE ? word : '';
		marks.push({ at: found.index, end, zoneEnd, mark, language });
	}
	return marks;
}

interface Cut {
	readonly at: number;
	readonly open: readonly Fence[];
	readonly nextMark: number;
}

interface Place {
	readonly start: number;
	readonly nextMark: number;
	readonly open: readonly Fence[];
	readonly limit: number;
}

/** How good a place is, and how full the message must be for that to count. Better kinds first. */
const kinds = [
	{ kind: 'paragraph', fill: 0.5 },
	{ kind: 'line', fill: 0.4 },
	{ kind: 'codeLine', fill: 0.25 },
	{ kind: 'word', fill: 0.4 },
	{ kind: 'codeLine', fill: 0 },
	{ kind: 'anywhere', fill: 0 },
	{ kind: 'opener', fill: 0 },
] as const;
type Kind = (typeof kinds)[number]['kind'];

/** The best end for the message that begins at `start`; always past `start`. */
function findCut(text: string, marks: readonly Mark[], place: Place): Cut {
	const room = place.limit - opener(place.open).length;
	const last: Partial<Record<Kind, Cut>> = {};
	let open = place.open;
	let next = place.nextMark;
	for (let at = place.start + 1; at <= text.length && at - place.start <= room; at += 1) {
		const mark = marks[next];
		if (mark !== undefined && at > mark.at && at < mark.end) continue;
		if (mark !== undefined && at === mark.end) {
			open = toggle(open, mark);
			next += 1;
		}
		if (at - place.start + closer(open, text[at - 1] === '\n').length > room) continue;
		if (at === text.length) return { at, open, nextMark: next };
		if (!mayCut(text, at)) continue;
		const previous = marks[next - 1];
		const inOpener = previous !== undefined && at > previous.at && at <= previous.zoneEnd && previous.at >= place.start;
		const kind = inOpener ? 'opener' : kindOf(text, at, open.length > 0);
		last[kind] = { at, open, nextMark: next };
	}
	for (const { kind, fill } of kinds) {
		const cut = last[kind];
		if (cut !== undefined && cut.at - place.start >= fill * room) return cut;
	}
	const rest = Object.values(last).sort((a, b) => b.at - a.at)[0];
	if (rest === undefined) throw new RangeError('no place to cut');
	return rest;
}

function kindOf(text: string, at: number, inCode: boolean): Kind {
	if (text[at - 1] === '\n') return inCode ? 'codeLine' : text[at - 2] === '\n' ? 'paragraph' : 'line';
	return text[at - 1] === ' ' || text[at - 1] === '\t' ? 'word' : 'anywhere';
}

function mayCut(text: string, at: number): boolean {
	const before = text.charCodeAt(at - 1);
	const after = text.charCodeAt(at);
	if (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) return false;
	// The rest must not begin with something that only becomes a fence by standing first.
	if (text[at - 1] !== '\n' && /^ {0,3}~~~/.test(text.slice(at, at + 6))) return false;
	// Backticks left of and right of the cut must not count differently than together.
	return !(text[at - 1] === '`' && text[at] === '`' && splitsRun(text, at));
}

/** Counting triples from the left, a cut inside a run of backticks is safe only at a multiple of three. */
function splitsRun(text: string, at: number): boolean {
	let start = at;
	while (start > 0 && text[start - 1] === '`') start -= 1;
	return (at - start) % 3 !== 0;
}

function toggle(open: readonly Fence[], mark: Mark): readonly Fence[] {
	const others = open.filter((fence) => fence.mark !== mark.mark);
	return others.length < open.length ? others : [...open, { mark: mark.mark, language: mark.language }];
}

function opener(open: readonly Fence[]): string {
	return open.map((fence) => `${fence.mark}${fence.language}\n`).join('');
}

function closer(open: readonly Fence[], onNewLine: boolean): string {
	if (open.length === 0) return '';
	const marks = open.map((fence) => fence.mark).reverse();
	return (onNewLine ? '' : '\n') + marks.join('\n');
}
