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
		renderLine(texts, 'overseer/honest.md', fact, { NAME: settings.name, THING: THINGS[family], RESULT: '', TIME: '' });
}

/** Why a person gets no thought-out answer: the model is out of reach, the answer was lost twice, or a limit is used up. */
export type HonestWhy = 'unreachable' | 'given_up' | 'limited' | 'limited_person';

/** The line for that person. `opensAt` is when a used-up limit opens again, epoch ms; Discord shows it in their own time. */
export function honestLine(
	texts: PromptTexts,
	settings: Pick<OverseerSettings, 'name'>,
	why: HonestWhy,
	opensAt = 0,
): string {
	const at = `<t:${Math.ceil(opensAt / 1_000)}:t>`;
	return renderLine(texts, 'overseer/honest.md', why, { NAME: settings.name, THING: '', RESULT: '', TIME: at });
}
