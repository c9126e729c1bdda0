import type { ScriptedPrompt } from '../model-script.ts';
import { readToolLists, type ToolLists } from './tool-lists.ts';

interface Turn {
	speaker: string;
	text: string;
	bot: boolean;
}

export interface LightFact {
	/** As the state names it: `shelf`, or `light.shelf`. */
	key: string;
	/** `on`, `off`, a colour, `unavailable` … */
	value: string;
}

/** What an Overseer prompt says, and nothing that it does not. */
export interface OverseerFacts extends ToolLists {
	name: string;
	trigger: string;
	/** The state's lines by their key; `items` are the dashed lines below it. */
	state: ReadonlyMap<string, { value: string; items: readonly string[] }>;
	lights: readonly LightFact[];
	turns: readonly Turn[];
	/** The line to react to: the newest one from a person that names the bot, else the newest from a person. */
	asked: Turn | undefined;
	/** Silence is not an option this time. */
	mustAnswer: boolean;
	/** Results of a tool that was called for this very decision. */
	toolResult: string | undefined;
	/** Entity ids that stand anywhere in the prompt or in the answer's schema. */
	entityIds: readonly string[];
}

const ENTITY_ID = /\b(?:light|switch|input_boolean|fan)\.[a-z0-9_]+/g;

export function isOverseerPrompt(prompt: ScriptedPrompt): boolean {
	return prompt.messages.some((message) => /^\s*STATE_UPDATE\b/.test(message.content));
}

export function readOverseerFacts(prompt: ScriptedPrompt): OverseerFacts {
	const name = /\bYou are (?:the )?([^\n,.;:]{1,40})/.exec(prompt.system)?.[1]?.trim() ?? 'the machine';
	const contents = prompt.messages.map((message) => message.content);
	const state = readState(contents.find((content) => /^\s*STATE_UPDATE\b/.test(content)) ?? '');
	const lists = readToolLists(contents);
	const turns = prompt.messages.flatMap((message) => readTurns(message.role, message.content, name));
	const humans = turns.filter((turn) => !turn.bot);
	const trigger = state.get('trigger')?.value.split(/[\s(,]/)[0] ?? '';
	const insists = contents.some((content) =>
		/\b(?:must|have to) (?:answer|reply|chat|speak)|chat (?:is )?required/i.test(content),
	);
	const named = wholeWord(name);
	return {
		...lists,
		name,
		trigger,
		state,
		lights: readLights(state.get('lights')),
		turns,
		asked:
			(trigger === 'direct_address' ? humans.findLast((turn) => named.test(turn.text)) : undefined) ?? humans.at(-1),
		mustAnswer: trigger === 'direct_address' || insists,
		toolResult: contents.find((content) => /^\s*tool_results?\b/i.test(content)),
		entityIds: [...new Set(`${contents.join('\n')}\n${JSON.stringify(prompt.schema ?? '')}`.match(ENTITY_ID) ?? [])],
	};
}

/** The name as a whole word, in any script and case. */
export function wholeWord(name: string): RegExp {
	const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'iu');
}

function readState(text: string): OverseerFacts['state'] {
	const state = new Map<string, { value: string; items: string[] }>();
	let current: { value: string; items: string[] } | undefined;
	for (const line of text.split('\n')) {
		const item = /^\s*- (.*)$/.exec(line)?.[1];
		if (item !== undefined) {
			current?.items.push(item);
			continue;
		}
		const pair = /^\s*([a-z_]+):\s*(.*)$/.exec(line);
		if (!pair) continue;
		current = { value: pair[2] ?? '', items: [] };
		state.set(pair[1] ?? '', current);
	}
	return state;
}

function readLights(section: { value: string; items: readonly string[] } | undefined): LightFact[] {
	if (!section) return [];
	const text = [section.value, ...section.items].join(', ');
	return [...text.matchAll(/([\p{L}\p{N}_.\- ]+?)\s*=\s*([^\s,]+)/gu)].map((match) => ({
		key: (match[1] ?? '').trim(),
		value: match[2] ?? '',
	}));
}

function readTurns(role: string, content: string, name: string): Turn[] {
	if (/^\s*(?:STATE_UPDATE|available_tools|blocked_tools|tool_results?)\b/i.test(content)) return [];
	const match = /^\s*([^:\n]{1,80}):\s([\s\S]*)$/.exec(content);
	if (role === 'assistant') return [{ speaker: name, text: (match?.[2] ?? content).trim(), bot: true }];
	return match ? [{ speaker: (match[1] ?? '').trim(), text: (match[2] ?? '').trim(), bot: false }] : [];
}
