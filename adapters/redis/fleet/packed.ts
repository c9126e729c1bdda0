/**
 * Many texts as two arguments of a script: their lengths in bytes, and all of them in one. A client that is handed thousands of
 * arguments spends more time on framing them than Redis on storing them. Between two texts stands a byte, since halves of a
 * character that meet would become a whole one.
 */
export function packTexts(texts: readonly string[]): [lengths: string, texts: string] {
	const lengths = texts.map((text) => Buffer.byteLength(text));
	return [lengths.join(' '), texts.join('\n')];
}

/** Lua: the texts again, as a table. */
export const UNPACK_TEXTS = `
local function unpackTexts(lengths, bytes)
  local texts, count, from = {}, 0, 1
  for length in string.gmatch(lengths, '%d+') do
    count = count + 1
    texts[count] = string.sub(bytes, from, from + length - 1)
    from = from + length + 1
  end
  return texts
end
`;
