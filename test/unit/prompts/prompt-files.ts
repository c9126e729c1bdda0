import { readFileSync } from 'node:fs';
import { checkPrompts, PROMPT_FILES, type PromptTexts } from '../../../prompts/render.ts';

/** The prompt files as shipped. */
export function shippedPrompts(): PromptTexts {
	const read = (name: string) => readFileSync(new URL(`../../../prompts/${name}`, import.meta.url), 'utf8');
	return checkPrompts(Object.fromEntries(PROMPT_FILES.map((name) => [name, read(name)])));
}
