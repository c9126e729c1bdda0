import { visible } from '../../chat/sanitise.ts';
import { type Draft, fail } from './draft.ts';

/** Can this text be taken? Says why not, and changes nothing else. */
export function isTextFit(draft: Draft, text: string): boolean {
	if (text.length > draft.settings.maxTextChars) {
		fail(draft, 'E06', `${text.length} > ${draft.settings.maxTextChars}`);
		return false;
	}
	if (visible(text).trim() === '') {
		fail(draft, 'E05');
		return false;
	}
	return true;
}
