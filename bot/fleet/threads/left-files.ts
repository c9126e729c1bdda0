import type { Message } from 'discord.js';
import { cutText, oneLine } from '../../../core/chat/sanitise.ts';
import type { Translate } from '../../catalogue.ts';
import { inline } from '../../views/view.ts';

/** A file that somebody put on a message. Sessions take words only, so it stays on Discord. */
export interface LeftFile {
	readonly name: string;
	readonly size: number;
	readonly contentType: string | null;
	/** Discord's; it stops being readable after about a day. */
	readonly url: string;
}

const FILES_MAX = 10;
const NAMED_MAX = 3;

export function leftFilesOf({ attachments }: Pick<Message, 'attachments'>): readonly LeftFile[] {
	return attachments.map(({ name, size, contentType, url }) => ({ name, size, contentType, url })).slice(0, FILES_MAX);
}

/** Words for the session with where the files are; no file goes along. */
export function withAddresses(text: string, files: readonly LeftFile[]): string {
	if (files.length === 0) return text;
	const lines = files.map(({ name, size, contentType, url }) => {
		const type = contentType === null ? '' : `${oneLine(contentType, 80)}, `;
		return `- ${oneLine(name, 120)} (${type}${sizeText(size)}): ${url}`;
	});
	const head = '[attached on Discord and not passed on as a file; readable at this address for about a day]';
	return [...(text === '' ? [] : [text, '']), head, ...lines].join('\n');
}

/** For whoever sent them: what was not passed on, what was, and what to do. */
export function leftFilesNote(files: readonly LeftFile[], t: Translate): string | undefined {
	if (files.length === 0) return undefined;
	const names = files.slice(0, NAMED_MAX).map(({ name }) => `“${inline(cutText(name, 40), 80)}”`);
	const more = files.length - names.length;
	return t('fleet.thread.noFiles', { files: `${names.join(', ')}${more > 0 ? ` +${more}` : ''}` });
}

function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
