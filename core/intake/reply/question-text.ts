import { DIMENSIONS, type Dimension } from '../dimension.ts';
import { fieldOf } from './field-aliases.ts';
import type { RawQuestion } from './raw-question.ts';

const READ_MAX = 20_000;
const MAX_READ = 20;
const LEAD = /^[\s]*(?:[-*+•‣▪>]\s+|\(?\d{1,2}[.)]\s+|#{1,6}\s*)*/u;
const DIMENSION = /^[*_`\s([]*D([1-7])\b[^:：?？\n]{0,60}[:：)\]][*_`\s]*/u;
const HEADING = /^[*_`\s([]*D([1-7])\b[^?？]{0,60}$/u;
const INLINE_OPTIONS =
	/[[(（]\s*(pick (?:one|any|all)[^:|\])）]{0,20}[:：]\s*)?([^[\]()（）]{1,600}\|[^[\]()（）]{1,600})[\])）]/iu;
const OPTION_LINE = /^\s*(?:[-*+•‣▪]|[a-hA-H][.)]|\(?[a-hA-H]\)|\d{1,2}[.)]|\[ ?\])\s+(.{1,200})$/u;

function dimensionOf(digit: string | undefined): Dimension | undefined {
	return DIMENSIONS[Number(digit) - 1];
}

/** Questions in a reply's talk: lines such as `D3: …? [a | b]`, lists of choices below a question, or plain prose. */
export function questionsInText(text: string): RawQuestion[] {
	const found: { dimension: Dimension | undefined; text: string; kind: RawQuestion['kind']; options: string[] }[] = [];
	let dimension: Dimension | undefined;
	let canTakeOptions = false;
	for (const line of text.slice(0, READ_MAX).split('\n')) {
		if (found.length >= MAX_READ) break;
		if (line.trim() === '') continue;
		const bare = line.replace(LEAD, '');
		const labelled = DIMENSION.exec(bare);
		const isQuestion = /[?？]/.test(line);
		const option = OPTION_LINE.exec(line);
		if (!isQuestion && labelled === null && option !== null && canTakeOptions) {
			found.at(-1)?.options.push(plain(option[1] ?? ''));
			continue;
		}
		if (labelled === null && !isQuestion) {
			const heading = HEADING.exec(bare);
			if (heading !== null) dimension = dimensionOf(heading[1]);
			canTakeOptions = canTakeOptions && /[:：]\s*$/.test(line);
			continue;
		}
		if (labelled !== null) dimension = dimensionOf(labelled[1]);
		const asked = inLine(labelled === null ? bare : bare.slice(labelled[0].length), dimension);
		found.push(...asked);
		canTakeOptions = asked.at(-1)?.options.length === 0;
	}
	return found.map((one) => ({
		...one,
		kind: one.options.length >= 2 ? (one.kind === 'text' ? 'single' : one.kind) : 'text',
	}));
}

function inLine(line: string, dimension: Dimension | undefined) {
	const inline = INLINE_OPTIONS.exec(line);
	const options = inline?.[2]?.split('|').map(plain) ?? [];
	const kind: RawQuestion['kind'] =
		options.length < 2 ? 'text' : /any|all/i.test(inline?.[1] ?? '') ? 'multi' : 'single';
	const spoken = inline === null ? line : line.replace(inline[0], ' ');
	const questions = sentencesWithMark(spoken);
	return questions.map((text, at) => ({
		dimension,
		text,
		kind: at === questions.length - 1 ? kind : ('text' as const),
		options: at === questions.length - 1 ? options : [],
	}));
}

/** Sentences that end with a question mark; a very short one takes the sentence before it along. */
function sentencesWithMark(line: string): string[] {
	const pieces = line.match(/[^.!?？。！]+(?:\.(?=\S)[^.!?？。！]*)*[.!?？。！]*/gu) ?? [];
	const questions: string[] = [];
	pieces.forEach((piece, at) => {
		if (!/[?？]\s*$/.test(piece)) return;
		const before = pieces[at - 1] ?? '';
		const isShort = piece.trim().split(/\s+/).length <= 3 && !/[\p{sc=Han}]/u.test(piece);
		const joins = isShort && before !== '' && !/[?？]\s*$/.test(before) && !mentionsField(before);
		const text = plain(joins ? before + piece : piece);
		if (/[\p{L}\p{N}]/u.test(text)) questions.push(text);
	});
	return questions;
}

function mentionsField(text: string): boolean {
	return text.split(/[^\p{L}_]+/u).some((word) => word.includes('_') && fieldOf(word) !== undefined);
}

/** Without bold and doubled blanks. */
function plain(text: string): string {
	return text
		.replace(/\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
		.replace(/\s+/gu, ' ')
		.trim();
}
