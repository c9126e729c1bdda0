import { cutText, oneLine } from '../chat/sanitise.ts';

/** The concierge's own name; no session can have it. */
const CONCIERGE_NAME = 'concierge';
const NAME_MAX = 40;
/** Most names are like this, and every report brings one: nothing about it is to be changed. */
const CLEAN = /^[a-z0-9]+(?:[-._][a-z0-9]+)*$/i;

/** Letters of other scripts that look like those of the reserved name. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
	с: 'c',
	о: 'o',
	е: 'e',
	і: 'i',
	ї: 'i',
	ο: 'o',
	ϲ: 'c',
	ı: 'i',
	ɡ: 'g',
	ɢ: 'g',
	ո: 'n',
	ɴ: 'n',
	ᴄ: 'c',
	ᴏ: 'o',
	ᴇ: 'e',
	ɪ: 'i',
	г: 'r',
	ʀ: 'r',
};

/** A name that reads as the concierge's, however it is spelt. */
export function isReservedName(name: string): boolean {
	const plain = Array.from(name.normalize('NFKC').toLowerCase())
		.map((letter) => LOOK_ALIKES[letter] ?? letter)
		.join('')
		.normalize('NFKD')
		.replace(/[^a-z0-9]/g, '');
	return plain === CONCIERGE_NAME;
}

/** A name as it may be shown, typed and matched: letters, digits, `.`, `_` and `-`, at most 40; undefined when no letter or digit is left. */
export function cleanName(wanted: string): string | undefined {
	if (wanted.length <= NAME_MAX && CLEAN.test(wanted)) return wanted;
	const name = cutText(
		oneLine(wanted.normalize('NFKC'), 200)
			.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
			.replace(/-{2,}/g, '-')
			.replace(/^[-.]+|[-.]+$/g, ''),
		NAME_MAX,
	).replace(/…$/, '');
	// Marks and dashes alone show next to nothing.
	return /[\p{L}\p{N}]/u.test(name) ? name : undefined;
}

/** Last part of a path, for sessions that bring no name of their own. */
export function nameOfDirectory(directory: string | undefined): string | undefined {
	const part = directory
		?.split(/[\\/]+/)
		.filter((piece) => piece !== '')
		.at(-1);
	return part === undefined ? undefined : cleanName(part);
}

/**
 * The wanted name, or with a number behind it when another session has it. `taken` is asked with lower-case names; it must
 * not count the session itself.
 */
export function freeName(wanted: string, taken: (lowerCaseName: string) => boolean): string {
	const base = cleanName(wanted) ?? 'session';
	const isFree = (name: string) => !isReservedName(name) && !taken(name.toLowerCase());
	if (isFree(base)) return base;
	for (let number = 2; ; number += 1) {
		const name = `${base}-${number}`;
		if (isFree(name)) return name;
	}
}
