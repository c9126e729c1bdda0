/**
 * Many texts as two arguments of a script: their lengths in bytes, and all of them in one. A client that is handed thousands of
 * arguments, or one long text with a single letter beyond Latin 1 in it, spends more on framing and encoding them than Redis on
 * taking them apart.
 */
export function packTexts(texts: readonly string[]): [lengths: string, texts: Buffer] {
	let most = 0;
	// A code unit takes three bytes at most.
	for (const text of texts) most += text.length * 3;
	const bytes = Buffer.allocUnsafe(most);
	let end = 0;
	let lengths = '';
	for (const text of texts) {
		const length = bytes.write(text, end);
		end += length;
		lengths += `${length} `;
	}
	return [lengths, bytes.subarray(0, end)];
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
