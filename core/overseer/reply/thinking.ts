/** Reasoning marks of the usual model families; a slash makes a closing one. */
const MARK =
	/<(\/?)\|?\s{0,4}(\/?)\s{0,4}(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis)\s{0,4}\|?>|\[(\/?)THINK\]|◁(\/?)think▷/giu;

export interface Spoken {
	/** What is left when reasoning is taken away. */
	readonly text: string;
	readonly hadThinking: boolean;
}

/**
 * Takes reasoning out of an answer: proper pairs, everything before a closing mark that was never opened, everything after
 * an opening one that is never closed. A mark inside `inline code` is talk about the mark and stays.
 */
export function withoutThinking(text: string): Spoken {
	let kept = '';
	let from = 0;
	let isOpen = false;
	let hadThinking = false;
	for (const match of text.matchAll(MARK)) {
		const end = match.index + match[0].length;
		if (isInlineCode(text, match.index, end)) continue;
		hadThinking = true;
		const isClosing = match.slice(1).includes('/');
		if (isClosing) {
			// Without an opening mark everything so far was reasoning.
			if (!isOpen) kept = '';
			isOpen = false;
		} else if (!isOpen) {
			kept += text.slice(from, match.index);
			isOpen = true;
		}
		from = end;
	}
	if (!isOpen) kept += text.slice(from);
	return { text: kept.trim(), hadThinking };
}

function isInlineCode(text: string, start: number, end: number): boolean {
	return text[start - 1] === '`' && text[end] === '`' && text[start - 2] !== '`' && text[end + 1] !== '`';
}
