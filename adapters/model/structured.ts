/** The value when the whole text is JSON, undefined otherwise; repairing is the normaliser's business. */
export function parseStructured(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
