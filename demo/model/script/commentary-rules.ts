import type { ScriptedPrompt } from '../model-script.ts';
import type { RuleSet } from './rule-set.ts';

const STATE = /^\s*ROVERS\b/;

/** The voice beside the track: a line when something happened or somebody asked, else silence. */
export const commentaryRules: RuleSet = {
	name: 'commentary',
	knows: (prompt) => prompt.messages.some((message) => STATE.test(message.content)),
	answer: (prompt) => ({ text: remark(prompt) ?? 'SKIP' }),
};

function remark(prompt: ScriptedPrompt): string | undefined {
	const state = prompt.messages.findLast((message) => STATE.test(message.content))?.content ?? '';
	const [standing = '', happened = ''] = state.split(/^just happened:$/m);
	const addressed = /addressed_by=([^,\n]+)/.exec(standing)?.[1];
	const drivers = [...standing.matchAll(/^- ([^:\n]+):.*?driver=([^,\n]+)/gm)].map(
		(match) => `${match[2]} in ${match[1]}`,
	);
	const event = happened
		.split('\n')
		.map((line) => line.replace(/^- /, '').trim())
		.findLast((line) => line !== '');
	const said = new Set(
		prompt.messages.flatMap(({ role, content }) =>
			role === 'assistant' ? [content.replace(/^[^:\n]{1,40}: /, '')] : [],
		),
	);
	const lines =
		addressed !== undefined
			? [
					drivers.length > 0 ? `On the track: ${drivers.join(', ')}.` : 'The track is empty, and so are my notes.',
					`I see you, ${addressed}. The track does too.`,
				]
			: event !== undefined
				? [`${event}. The crowd, had there been one, would have stirred.`, `${event}. Noted in the book of wheels.`]
				: [];
	return lines.find((line) => !said.has(line));
}
