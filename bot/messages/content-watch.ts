/** Empty messages of people in a row; a message with text or a file begins anew. */
export interface ContentWatch {
	readonly emptyInARow: number;
	readonly isWarned: boolean;
}

export const FRESH_CONTENT_WATCH: ContentWatch = { emptyInARow: 0, isWarned: false };
const EMPTY_UNTIL_WARNING = 30;

/** What is said once when messages arrive without their text. */
export const MISSING_CONTENT_WARNING =
	'30 messages in a row arrived without text: the MESSAGE_CONTENT intent is off for this bot. Switch on "Message Content Intent" in the developer portal (Bot page), or set discord.messageContent: false to work on mentions, replies and commands.';

/** Counts one message of a person; `warn` is true exactly once in a row of empty ones. */
export function countContent(watch: ContentWatch, hasContent: boolean): { watch: ContentWatch; warn: boolean } {
	if (hasContent) return { watch: FRESH_CONTENT_WATCH, warn: false };
	const emptyInARow = watch.emptyInARow + 1;
	const warn = emptyInARow >= EMPTY_UNTIL_WARNING && !watch.isWarned;
	return { watch: { emptyInARow, isWarned: watch.isWarned || warn }, warn };
}
