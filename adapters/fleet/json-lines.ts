/** One line of JSON; longer ones are dropped whole, so that a runaway writer cannot fill our memory. */
const LINE_MAX = 8_000_000;

/**
 * Splits a byte stream into JSON values, one a line. Only a line feed ends a line: Unicode line separators may stand inside
 * JSON texts. Lines that are no JSON go to `onGarbage`.
 */
export function createJsonLines(onValue: (value: unknown) => void, onGarbage: (line: string) => void) {
	const decoder = new TextDecoder();
	let rest = '';
	let isSkipping = false;
	const take = (line: string) => {
		const text = line.endsWith('\r') ? line.slice(0, -1) : line;
		if (text.trim() === '') return;
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			onGarbage(text.slice(0, 200));
			return;
		}
		onValue(value);
	};
	return (chunk: Uint8Array): void => {
		const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
		rest = parts.pop() ?? '';
		for (const line of parts) {
			if (isSkipping || line.length > LINE_MAX) {
				isSkipping = false;
				onGarbage(line.slice(0, 200));
			} else take(line);
		}
		if (rest.length > LINE_MAX) {
			isSkipping = true;
			rest = '';
		}
	};
}
