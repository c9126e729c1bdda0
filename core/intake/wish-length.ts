/** Fewer letters and digits than this say nothing that could be asked about; a sign of a script without spaces says more. */
const LETTERS_MIN = 4;

/** Whether a wish is too short to be one, such as a slip of the finger or a greeting. */
export function isTooShort(wish: string): boolean {
	const dense = wish.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
	const signs = wish.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
	return signs + dense < LETTERS_MIN;
}
