/** A base address that must not be used. The message names the field and the reason, never the address itself. */
export class ModelUrlError extends Error {
	override readonly name = 'ModelUrlError';
	readonly code = 'bad_model_url';
}

/**
 * Checks an operator's base address: http or https, no credentials, no path tricks, no cloud metadata service.
 * Loopback and LAN addresses are fine, local models live there. Returns it without a trailing slash.
 */
export function checkBaseUrl(field: string, text: string): string {
	const refuse = (reason: string): never => {
		throw new ModelUrlError(`${field}: ${reason}`);
	};
	if (!URL.canParse(text)) return refuse('is not an address such as http://127.0.0.1:11434');
	const url = new URL(text);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('must start with http:// or https://');
	if (url.username !== '' || url.password !== '') refuse('must not hold a user name or password');
	if (url.search !== '' || url.hash !== '') refuse('must not hold a query or fragment');
	if (/\/\.\.?(\/|$)|%2e/i.test(text)) refuse('must not hold dot segments');
	if (/^169\.254\.|^\[fe[89ab]|^\[fd00:ec2:|^metadata\./i.test(url.hostname))
		refuse('must not be a link-local address');
	return url.href.replace(/\/+$/, '');
}
