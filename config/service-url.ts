import { z } from 'zod';

/** Addresses at which cloud machines hand out their credentials; nothing of ours ever lives there. */
const metadataHost =
	/^169\.254\.|^\[fe[89ab][0-9a-f]:|^\[::ffff:a9fe:|^\[fd00:ec2::254\]$|^100\.100\.100\.200$|^metadata(\.google\.internal)?\.?$/i;

/** What is wrong with a service address, in words that never repeat it; `undefined` = nothing. */
function decideUrlFault(text: string): string | undefined {
	const example = 'such as http://127.0.0.1:11434';
	if (!URL.canParse(text)) return `a full address ${example}`;
	const url = new URL(text);
	if (url.protocol === 'ws:' || url.protocol === 'wss:')
		return `an address that starts with http: or https:, ${example}; the WebSocket is found from there`;
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		return `an address that starts with http: or https:, ${example}`;
	if (url.username !== '' || url.password !== '')
		return 'an address without user name or password: secrets come from the environment';
	if (metadataHost.test(url.hostname)) return 'another address: link-local and cloud metadata addresses are refused';
	if (url.search !== '' || url.hash !== '') return 'a base address without ? or #';
	if (/(^|[\\/])(\.|%2e){2}([\\/]|$)/i.test(text)) return 'an address without ".." in it';
	return undefined;
}

/** Base address of a service: http or https, no credentials, no cloud metadata address. Local addresses are fine. */
export const serviceUrl = z.string().superRefine((text, context) => {
	const fault = decideUrlFault(text);
	if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});
