import type { OverseerSettings } from '../../config/overseer.ts';
import type { FactWording } from '../../core/chat/firewall.ts';
import type { ToolFamily } from '../../core/tooling/tool-name.ts';
import { type PromptTexts, renderLine } from '../render.ts';

const THINGS: Readonly<Record<ToolFamily | 'any', string>> = {
	lift: 'lift',
	neato: 'vacuum',
	light: 'lights',
	script: 'scene',
	memory: 'notes',
	buttonBox: 'button box',
	chat: 'chat',
	any: 'room',
};

/** The words with which a false claim is replaced by what is true. */
export function honestFact(texts: PromptTexts, settings: Pick<OverseerSettings, 'name'>): FactWording {
	return (fact, family) =>
		renderLine(texts, 'overseer/honest.md', fact, { NAME: settings.name, THING: THINGS[family], RESULT: '' });
}

/** The line for a person who gets no thought-out answer: the model is out of reach, or the answer was lost twice. */
export function honestLine(
	texts: PromptTexts,
	settings: Pick<OverseerSettings, 'name'>,
	why: 'unreachable' | 'given_up',
): string {
	return renderLine(texts, 'overseer/honest.md', why, { NAME: settings.name, THING: '', RESULT: '' });
}
