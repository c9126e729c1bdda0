import { clip } from '../views/view.ts';

/** Untrusted text of several lines that shows as it was written: nothing in it is mark-up, nothing hides its address. */
export function plainText(text: string, max: number): string {
	const escaped = text
		.replace(/([\\*_~`|<>[\]])/g, '\\$1')
		.replace(/^(\s*)(#{1,3}|-#|[-+])(?=\s)/gm, '$1\\$2')
		.trim();
	return clip(escaped === '' ? '–' : escaped, max);
}

/** A moment that Discord counts on by itself, in everybody's own time zone. `f` is the date, `R` how long ago. */
export function stamp(at: number, style: 'f' | 'R' = 'R'): string {
	return `<t:${Math.floor(at / 1_000)}:${style}>`;
}
