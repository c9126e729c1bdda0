/** A checked base address without a trailing slash, or what is wrong with it; the problem never repeats the address. */
export type CheckedHomeUrl =
	| { readonly kind: 'ok'; readonly url: string }
	| { readonly kind: 'refused'; readonly problem: string };

const refused = (problem: string): CheckedHomeUrl => ({ kind: 'refused', problem });

/**
 * Checks the base address of Home Assistant: http or https, no credentials, no query, nothing that leads to a cloud
 * machine's metadata service. Addresses of this machine and of the local network are fine, Home Assistant lives there.
 */
export function checkHomeUrl(text: string): CheckedHomeUrl {
	let url: URL;
	try {
		url = new URL(text.trim());
	} catch {
		return refused('is not an address like http://homeassistant.local:8123');
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('must begin with http:// or https://');
	if (url.username !== '' || url.password !== '') return refused('must not contain a user name or password');
	if (url.search !== '' || url.hash !== '') return refused('must not contain ? or #');
	if (/(^|[\\/])\.\.([\\/]|$)/.test(text)) return refused('must not contain ..');
	if (isLinkLocal(url.hostname)) return refused('must not be a link-local address');
	const path = url.pathname.replace(/\/+$/, '');
	if (path.endsWith('/api') || path.endsWith('/api/websocket')) {
		return refused('must be the base address, without /api or /api/websocket');
	}
	return { kind: 'ok', url: `${url.protocol}//${url.host}${path}` };
}

/** Link-local IPv4 and IPv6 addresses and the names under which clouds serve metadata; the URL parser has already unified notations. */
function isLinkLocal(hostname: string): boolean {
	const host = hostname
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '')
		.toLowerCase();
	if (/^169\.254\./.test(host) || /^fe[89ab][\da-f]:/.test(host)) return true;
	if (/^::ffff:a9fe:/.test(host) || host === 'fd00:ec2::254') return true;
	return host === 'metadata.google.internal' || host === 'metadata';
}
