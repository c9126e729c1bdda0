import { wellFormed } from '../model/well-formed.ts';

/** Characters that show nothing or turn the reading direction: they hide words inside words. */
const INVISIBLE = new RegExp(
	[
		'[\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200c\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0]',
		'[\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
		'\\u034f|\\u17b4|\\u17b5|\\u180b|\\u180c|\\u180d|\\u180f',
	].join('|'),
	'gu',
);
/** The joiner and the variation selectors are kept only where they build an emoji. */
const STRAY_EMOJI_GLUE =
	/(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{RI}|\ufe0f|[0-9#*])(?:\u200d|[\ufe00-\ufe0f])/gu;
const OTHER_SELECTORS = /[\ufe00-\ufe0e]/gu;
/** A single blank is as it should be, and most of any text: it is not matched. */
const BLANKS = /(?! )[\s\p{Cc}\u2028\u2029][\s\p{Cc}\u2028\u2029]*| [\s\p{Cc}\u2028\u2029]+/gu;
/** Anything but words with one blank between them, in plain ASCII, and the sign that a cut leaves. */
const UNEVEN = /[^ -~…]| {2}/;
/** Nothing that hides, folds or combines is plain ASCII; most of what agents write is nothing else. */
const BEYOND_ASCII = /[^\t-~…]/;
const ZALGO = /(\p{M}{3})\p{M}+/gu;

const FULL_WIDTH: Readonly<Record<string, string>> = {
	'＜': '<',
	'＞': '>',
	'﹤': '<',
	'﹥': '>',
	'［': '[',
	'］': ']',
	'｛': '{',
	'｝': '}',
	'｜': '|',
	'＠': '@',
	'﹫': '@',
	'＃': '#',
	'：': ':',
	'﹕': ':',
	'‹': '<',
	'›': '>',
	'〈': '<',
	'〉': '>',
	'｀': '`',
	'＿': '_',
};
const FULL_WIDTH_ANY = new RegExp(`[${Object.keys(FULL_WIDTH).join('')}]`, 'gu');

/** Folds look-alike brackets and signs to plain ones, so that one rule sees every spelling. */
export function foldSigns(text: string): string {
	if (!BEYOND_ASCII.test(text)) return text;
	return text.replace(FULL_WIDTH_ANY, (sign) => FULL_WIDTH[sign] ?? sign);
}

/** Removes what cannot be seen; shortens stacks of combining marks to three; well-formed. Line breaks stay. */
export function visible(text: string): string {
	if (!BEYOND_ASCII.test(text)) return text;
	return wellFormed(text)
		.replace(INVISIBLE, '')
		.replace(STRAY_EMOJI_GLUE, '')
		.replace(OTHER_SELECTORS, '')
		.replace(ZALGO, '$1');
}

/** Cuts on whole characters (code points); a cut text ends in `…` and is at most `max` code points long. */
export function cutText(text: string, max: number): string {
	if (text.length <= max) return text;
	let at = 0;
	let end = 0;
	for (let points = 0; points < max; points += 1) {
		if (at >= text.length) return text;
		end = at;
		at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
	}
	return at >= text.length && max > 0 ? text : `${text.slice(0, end).trimEnd()}…`;
}

/** One line of visible text: line breaks, tabs and control characters become one blank. */
export function oneLine(text: string, max: number): string {
	// Cut generously first: a pasted novel is not worth a walk through all its characters.
	const bounded = text.length > max * 8 + 64 ? text.slice(0, max * 8 + 64) : text;
	if (UNEVEN.test(bounded)) return cutText(visible(bounded).replace(BLANKS, ' ').trim(), max);
	const even = bounded.trim();
	return even.length <= max ? even : `${even.slice(0, Math.max(0, max - 1)).trimEnd()}…`;
}

/** Discord's mention, channel, emoji, time and command syntax as plain words; nothing left pings anybody. */
export function plainMentions(text: string): string {
	if (!/[<@]/.test(text)) return text;
	return text
		.replace(/<@&\d{1,25}>/g, '(a role)')
		.replace(/<@!?\d{1,25}>/g, '(somebody)')
		.replace(/<#\d{1,25}>/g, '(a channel)')
		.replace(/<a?:(\w{1,40}):\d{1,25}>/g, ':$1:')
		.replace(/<t:-?\d{1,20}(?::\w)?>/g, '(a time)')
		.replace(/<id:\w{1,20}>/g, '(a channel)')
		.replace(/<\/([^:<>]{1,80}):\d{1,25}>/g, '/$1')
		.replace(/@+(?=\s*(?:everyone|here)\b)/giu, '')
		.replace(/@(?=&?!?\d{15,})/g, '');
}

/** Words with which our own prompt is built; in chat they are spelled so that they open nothing. */
const BLOCK_WORDS = /STATE_UPDATE|(?:available|blocked)_tools|tool_(?:results?|calls?)/gi;

/**
 * Takes the meaning out of text that looks like a piece of a prompt: tags and brackets of roles, fences, special tokens,
 * names of our blocks. The words stay readable.
 */
export function plainMarkers(text: string): string {
	// Each of the rules below needs one of these.
	if (!/[<>[`~#:_]/.test(text)) return text;
	return text
		.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'))
		.replace(/\[(\/?\s*(?:system|user|assistant|tool|inst|s|TOOL_CALLS|AVAILABLE_TOOLS)[^\]]{0,40})\]/gi, '($1)')
		.replace(/`{3,}|~{3,}/g, "'")
		.replace(/(^|\s)#{1,6}(?=\s)/g, '$1')
		.replace(/(?<![\p{L}\p{N}_])(system|assistant|developer)\s*:/giu, '$1 -')
		.replace(BLOCK_WORDS, (whole) => whole.replaceAll('_', ' '));
}

/** Longest chat line in a prompt, in characters. */
export const LINE_MAX = 500;

/** A person's chat text as it may stand in a prompt: one line, nothing invisible, no mention, no marker. */
export function promptText(text: string, max = LINE_MAX): string {
	return cutText(plainMarkers(plainMentions(foldSigns(oneLine(text, max)))).trim(), max);
}

const ROLE_NAME = /^(?:system|user|assistant|tool|developer|function|model|human|ai|state[ _]update)$/i;
const NAME_MAX = 32;

/** A display name as it may stand before a colon: no colon, no brackets, no quotes, never a role, never empty. */
export function promptName(name: string, ownNames: readonly string[] = []): string {
	const plain = promptText(name, 80)
		.replace(/[:[\]{}()<>‹›|"'`*_~#\\/=,;]+/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	const short = cutText(plain, NAME_MAX);
	if (short === '') return 'someone';
	const key = short.toLowerCase().replaceAll(' ', '');
	const forged = ROLE_NAME.test(short) || ownNames.some((own) => own.toLowerCase().replaceAll(' ', '') === key);
	return forged ? `${short} (a person)` : short;
}
