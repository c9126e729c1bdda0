/**
 * Many texts as two arguments of a script: their lengths in bytes, and all of them in one. A client that is handed thousands of
 * arguments spends more time on framing them than Redis on storing them.
 */
export function packTexts(texts: readonly (string | number)[]): [lengths: string, texts: Buffer] {
	const all = texts.map(String);
	// A code unit takes three bytes at most.
	const bytes = Buffer.allocUnsafe(all.reduce((sum, text) => sum + text.length * 3, 0));
	let end = 0;
	const lengths = all.map((text) => {
		const length = bytes.write(text, end);
		end += length;
		return length;
	});
	return [lengths.join(' '), bytes.subarray(0, end)];
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
