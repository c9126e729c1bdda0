import type { StartRequest } from './session-control.ts';
import type { HostOffer } from './start-desk.ts';

export type HostChoice =
	| { readonly kind: 'host'; readonly host: string }
	| { readonly kind: 'refused'; readonly code: 'directory_not_allowed' | 'not_ready'; readonly why: string };

const SHOWN_MAX = 20;

/**
 * Which machine a session is started on: the one named, else the one whose folder stands nearest above the wanted one. Only
 * the spelling is looked at; the machine follows links and decides.
 */
export function chooseHost(
	offers: readonly HostOffer[],
	{ directory, host }: Pick<StartRequest, 'directory' | 'host'>,
): HostChoice {
	if (offers.every(({ directories }) => directories.length === 0)) {
		return { kind: 'refused', code: 'not_ready', why: 'no machine that starts sessions is there now' };
	}
	const named = host === undefined ? offers : offers.filter((offer) => offer.host === host);
	if (named.length === 0) return { kind: 'refused', code: 'not_ready', why: `the machine ${host} is not there now` };
	const fitting = named
		.flatMap((offer) => offer.directories.map((folder) => ({ host: offer.host, folder: withoutEnd(folder) })))
		.filter(({ folder }) => isAtOrBelow(directory, folder))
		.sort((left, right) => right.folder.length - left.folder.length || (left.host < right.host ? -1 : 1));
	const [best] = fitting;
	if (best !== undefined) return { kind: 'host', host: best.host };
	const folders = [...new Set(named.flatMap(({ directories }) => directories))].sort();
	const more = folders.length > SHOWN_MAX ? ` and ${folders.length - SHOWN_MAX} more` : '';
	const why = `sessions start in these folders and below them: ${folders.slice(0, SHOWN_MAX).join(', ')}${more}`;
	return { kind: 'refused', code: 'directory_not_allowed', why };
}

function withoutEnd(folder: string): string {
	return folder.length > 1 ? folder.replace(/[/\\]+$/, '') : folder;
}

function isAtOrBelow(path: string, folder: string): boolean {
	if (!path.startsWith(folder)) return false;
	return folder === '/' || path.length === folder.length || /[/\\]/.test(path.charAt(folder.length));
}
