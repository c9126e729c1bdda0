import { foldSigns, plainMarkers, plainMentions, visible } from '../chat/sanitise.ts';
import { FIELD_NAMES } from './final-fields.ts';

const FIELD = new RegExp(FIELD_NAMES.join('|').replaceAll('_', '[\\s_]{0,3}_[\\s_]{0,3}'), 'gi');

/**
 * A person's text as it may stand in a prompt: nothing invisible, no tag, no role, no field of ours, line breaks kept. The
 * words stay; only what would make them an instruction to the program is spelled differently.
 */
export function promptHuman(text: string): string {
	return foldSigns(visible(text).replace(/\r\n?/g, '\n'))
		.replace(/[^\S\n]+/gu, ' ')
		.replace(/[\p{Cc}\u2028\u2029]/gu, (sign) => (sign === '\n' ? '\n' : ' '))
		.split('\n')
		.map((line) => plainMarkers(plainMentions(line)).trimEnd())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.replace(FIELD, (name) => name.replace(/[\s_]*_[\s_]*/g, ' ').toLowerCase())
		.replace(/\[(t\d{1,5})\]/gi, '($1)')
		.trim();
}
