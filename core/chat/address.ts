import type { ChatMessage } from './message.ts';
import { SELF } from './message.ts';
import { visible } from './sanitise.ts';

/** The names that a runtime answers to. */
export interface Names {
	readonly name: string;
	readonly aliases: readonly string[];
}

export type AddressKind = 'mention' | 'reply' | 'name';

/**
 * Scripts that write words without blanks, or glue endings to foreign words. A neighbour in one of them does not make a
 * name part of a longer word.
 */
const UNSPACED =
	'\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー';
const BEFORE = `(?<!(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])`;
const AFTER = `(?!(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])`;
const URLS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+|\bwww\.\S+/giu;

/** How a person's line addresses us; undefined when it does not. Lines written by programs never do. */
export function addressKind(message: ChatMessage, names: Names): AddressKind | undefined {
	if (message.bot) return undefined;
	if (message.mentions.includes(SELF)) return 'mention';
	if (message.replyTo?.toBot) return 'reply';
	return saysName(message.text, names) ? 'name' : undefined;
}

export function isAddressed(message: ChatMessage, names: Names): boolean {
	return addressKind(message, names) !== undefined;
}

/** Is the name or an alias in the text as a whole word, in any case and spelling width? Web addresses do not count. */
export function saysName(text: string, names: Names): boolean {
	const folded = fold(text.slice(0, 4_000).replace(URLS, ' '));
	return [names.name, ...names.aliases].some((name) => nameRule(fold(name))?.test(folded) ?? false);
}

function fold(text: string): string {
	// Twice: composition may only become possible once the letters are small.
	return visible(text).normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

function nameRule(name: string): RegExp | undefined {
	if (name === '') return undefined;
	const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
	return new RegExp(`${BEFORE}${escaped}${AFTER}`, 'u');
}
