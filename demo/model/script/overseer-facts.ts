import type { ScriptedPrompt } from '../model-script.ts';
import { readChoices } from './answer-schema.ts';
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
	/** The line to react to: the newest from somebody who waits for an answer, with the bot's name if one has it. */
	asked: Turn | undefined;
	/** Silence is not an option this time. */
	mustAnswer: boolean;
	/** What reading the memory gave, when that was done for this very decision. */
	memory: string | undefined;
	/** What the answer's schema lets each tool be called on; a tool without such a list may take any name. */
	choices: ReadonlyMap<string, readonly string[]>;
	/** Entity ids that stand anywhere in the prompt or in the answer's schema. */
	entityIds: readonly string[];
}

const ENTITY_ID = /\b(?:light|switch|input_boolean|fan)\.[a-z0-9_]+/g;

export function isOverseerPrompt(prompt: ScriptedPrompt): boolean {
	return prompt.messages.some((message) => /^\s*STATE_UPDATE\b/.test(message.content));
}

export function readOverseerFacts(prompt: ScriptedPrompt): OverseerFacts {
	const name = (/\bYou are (?:the )?([^\n,]{1,40}),/.exec(prompt.system)?.[1] ?? 'the machine').trim();
	const contents = prompt.messages.map((message) => message.content);
	const state = readState(contents.find((content) => /^\s*STATE_UPDATE\b/.test(content)) ?? '');
	const toolsAt = contents.findIndex((content) => /^\s*available_tools\b/.test(content));
	const talk = toolsAt < 0 ? prompt.messages : prompt.messages.slice(0, toolsAt);
	const added = contents.slice(
		contents.findLastIndex((content) => /^\s*(?:available|blocked)_tools\b/.test(content)) + 1,
	);
	const turns = talk.flatMap((message) => readTurns(message.role, message.content, name));
	const trigger = state.get('trigger')?.value.split(/[\s(,]/)[0] ?? '';
	return {
		...readToolLists(contents),
		name,
		trigger,
		state,
		lights: readLights(state.get('lights')),
		turns,
		asked: askedLine(turns, name, state.get('people')?.value ?? ''),
		mustAnswer: trigger === 'direct_address' || added.some((content) => /\b(?:answer|reply to) them\b/i.test(content)),
		memory:
			toolsAt < 0
				? undefined
				: added.map((content) => /memory_read gave: (.*?)(?:\. Decide|$)/s.exec(content)?.[1]).find(Boolean),
		choices: readChoices(prompt.schema),
		entityIds: [...new Set(`${contents.join('\n')}\n${JSON.stringify(prompt.schema ?? '')}`.match(ENTITY_ID) ?? [])],
	};
}

function askedLine(turns: readonly Turn[], name: string, people: string): Turn | undefined {
	const humans = turns.filter((turn) => !turn.bot && !turn.speaker.endsWith('(bot)'));
	const waiting = new Set(/addressed_by=([^,\n]+)/.exec(people)?.[1]?.split('+') ?? []);
	const named = wholeWord(name);
	const theirs = humans.filter((turn) => waiting.size === 0 || waiting.has(turn.speaker));
	return theirs.findLast((turn) => named.test(turn.text)) ?? theirs.at(-1) ?? humans.at(-1);
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
	if (/^\s*STATE_UPDATE\b/.test(content)) return [];
	const match = /^\s*([^:\n]{1,80}):\s([\s\S]*)$/.exec(content);
	if (role === 'assistant') return [{ speaker: name, text: (match?.[2] ?? content).trim(), bot: true }];
	return match ? [{ speaker: (match[1] ?? '').trim(), text: (match[2] ?? '').trim(), bot: false }] : [];
}
