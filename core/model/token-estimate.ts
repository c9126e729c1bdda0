import type { ModelMessage } from './model-port.ts';

/** Role markers and separators a chat template puts around each turn. */
const TOKENS_PER_MESSAGE = 4;
/** Beginning-of-text and the opened assistant turn. */
const TOKENS_PER_PROMPT = 4;

/** Letters of Latin, Greek and Cyrillic words, in runs. */
const WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/gu;
const DIGITS = /\d+/g;

/**
 * Upper-leaning estimate of the tokens in a text, without any tokenizer.
 *
 * Common byte-pair vocabularies (Llama 3, Qwen, Mistral, Claude) put English prose at 4 to 4.5 characters per token.
 * This counts a word as one token per started 4 letters (non-ASCII words: per 2), digits one each (the split of
 * Qwen and Mistral), every symbol, ideograph or emoji at least one. It comes out 10 to 40 % above the real count on
 * prose and on state lists, and within a factor of two on code and non-Latin scripts; it is meant to keep prompts
 * inside a window, not to bill.
 */
export function estimateTokens(text: string): number {
	let tokens = 0;
	let rest = text.replace(WORD, (word) => {
		tokens += Math.ceil(word.length / (isAscii(word) ? 4 : 2));
		return '';
	});
	rest = rest.replace(DIGITS, (digits) => {
		tokens += digits.length;
		return '';
	});
	for (const character of rest) {
		if (character === ' ') continue;
		// Emoji and rare scripts are spelled in bytes by many vocabularies.
		tokens += character.length > 1 ? 3 : 1;
	}
	// Runs of blanks are tokens of their own only beyond the first blank, which belongs to the next word.
	tokens += (text.match(/ {2,}/g) ?? []).length;
	return tokens;
}

/** The estimate for a whole prompt, template overhead included. */
export function estimatePromptTokens(messages: readonly ModelMessage[]): number {
	return messages.reduce(
		(sum, message) => sum + TOKENS_PER_MESSAGE + estimateTokens(message.content),
		TOKENS_PER_PROMPT,
	);
}

function isAscii(text: string): boolean {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
	return /^[\x00-\x7f]*$/.test(text);
}
