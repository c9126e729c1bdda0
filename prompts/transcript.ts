import type { OverseerSettings } from '../config/overseer.ts';
import type { NumberedMessage } from '../core/chat/message.ts';
import { LINE_MAX, promptText } from '../core/chat/sanitise.ts';
import { speakerNames } from '../core/chat/speaker-names.ts';
import { isEssential } from '../core/chat/window.ts';
import type { ModelMessage } from '../core/model/model-port.ts';
import { estimatePromptTokens } from '../core/model/token-estimate.ts';
import { looksLikeCall } from '../core/overseer/reply/call-likeness.ts';

export interface TranscriptInput {
	readonly settings: Pick<OverseerSettings, 'name' | 'aliases' | 'window'>;
	/** From `chatWindow`, oldest first. */
	readonly window: readonly NumberedMessage[];
	/** Lines that must stay whatever the budget. */
	readonly keepIds?: readonly string[];
	/** `source` of our own lines. */
	readonly ownSource?: string;
}

/** Lengths to which the lines that must stay are cut, one after the other, until they fit. */
const SHORTER = [LINE_MAX, 240, 120, 60] as const;

/** The talk as turns that cost at most `budget` tokens, if shortening can bring that about. Oldest lines go first. */
export function transcriptTurns(input: TranscriptInput, budget: number): ModelMessage[] {
	const mustStay = isEssential(input.window, input.settings.window, input.keepIds);
	const cost = (turns: readonly ModelMessage[]) => (turns.length === 0 ? 0 : estimatePromptTokens(turns));
	let lines = [...input.window];
	let turns = turnsOf(lines, input, LINE_MAX);
	while (cost(turns) > budget) {
		const oldest = lines.findIndex((line) => !mustStay(line));
		if (oldest < 0) break;
		lines = lines.filter((_, at) => at !== oldest);
		turns = turnsOf(lines, input, LINE_MAX);
	}
	for (const max of SHORTER) {
		if (cost(turns) <= budget) break;
		turns = turnsOf(lines, input, max);
	}
	return turns;
}

/** One line, one turn, whatever is in it. Two people of one name are told apart. */
function turnsOf(lines: readonly NumberedMessage[], input: TranscriptInput, max: number): ModelMessage[] {
	const { settings, ownSource = 'overseer' } = input;
	const own = [settings.name, ...settings.aliases];
	const speakers = speakerNames(input.window, own);
	return lines.flatMap((line): ModelMessage[] => {
		if (line.bot && line.source === ownSource) {
			// The model copies what it sees itself say; a line that looks like a call must not teach it to print calls.
			if (looksLikeCall(line.text)) return [];
			return [{ role: 'assistant', content: `${settings.name}: ${promptText(line.text, max)}` }];
		}
		const speaker = `${speakers.get(line.author.id) ?? 'someone'}${line.bot ? ' (bot)' : ''}`;
		return [{ role: 'user', content: `${speaker}: ${promptText(line.text, max) || '(no words)'}` }];
	});
}
