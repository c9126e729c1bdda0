/** `<parameter=key>value</parameter>`, `<parameter name="key">value</parameter>`, `<key>value</key>` as an object. */
export function markupArguments(text: string): Record<string, string> {
	const result: Record<string, string> = {};
	const opening = /<(?:(?:parameter|param|arg)\s*(?:=\s*|\s+name\s*=\s*)["']?(\w{1,40})["']?|(\w{1,40}))\s*>/gi;
	let from = 0;
	for (const match of text.matchAll(opening)) {
		const key = match[1] ?? match[2];
		if (match.index < from || key === undefined) continue;
		const start = match.index + match[0].length;
		const closer = match[1] === undefined ? `</${match[2]}` : '</';
		const end = text.indexOf(closer, start);
		const stop = end < 0 ? text.length : end;
		result[key] = text.slice(start, stop).trim();
		from = stop;
		if (end < 0) break;
	}
	return result;
}
