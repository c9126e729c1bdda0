/**
 * Many texts as two arguments of a script: their lengths in bytes, and all of them in one. A client that is handed thousands of
 * arguments, or one long text with a single letter beyond Latin 1 in it, spends more on framing and encoding them than Redis on
 * taking them apart. Texts are encoded as they come, so that none of them lives until Redis has answered: what lives that long
 * is copied by every garbage collection.
 */
export interface TextPack {
	add(text: string): void;
	/** Lengths, and texts. */
	args(): [string, Buffer];
}

const FIRST_BYTES = 4_096;

export function createTextPack(): TextPack {
	let bytes = Buffer.allocUnsafe(FIRST_BYTES);
	let end = 0;
	let lengths = '';

	function makeRoom(most: number): void {
		if (end + most <= bytes.length) return;
		const larger = Buffer.allocUnsafe(Math.max(end + most, bytes.length * 2));
		bytes.copy(larger, 0, 0, end);
		bytes = larger;
	}

	return {
		add(text) {
			// A code unit takes three bytes at most.
			makeRoom(text.length * 3);
			const length = bytes.write(text, end);
			end += length;
			lengths += `${length} `;
		},
		args: () => [lengths, bytes.subarray(0, end)],
	};
}

/** Lua: the texts again, as a table. */
export const UNPACK_TEXTS = `
local function unpackTexts(lengths, bytes)
  local texts, count, from = {}, 0, 1
  for length in string.gmatch(lengths, '%d+') do
    count = count + 1
    texts[count] = string.sub(bytes, from, from + length - 1)
    from = from + length
  end
  return texts
end
`;
