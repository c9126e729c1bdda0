import type { ScriptedPrompt } from '../../../../demo/model/model-script.ts';

export interface PromptParts {
	name?: string;
	trigger?: string;
	lights?: string;
	lift?: string;
	time?: string;
	/** `alex: text`, or `> text` for the bot's own line. */
	talk?: string[];
	available?: string[];
	blocked?: string[];
	extraState?: string[];
	/** Messages after the tool lists. */
	after?: string[];
	schema?: unknown;
	tools?: string[];
}

export const ALL_TOOLS = [
	'chat_say(text)',
	'lift_up()',
	'lift_down()',
	'neato_start()',
	'neato_send_home()',
	'neato_locate()',
	'neato_clear_errors()',
	'ha_set_entity(entity_id, state)',
	'ha_set_light(entity_id, brightness?, color?)',
	'memory_read()',
	'memory_write(slot, text)',
];

/** A prompt in the canonical order: system, state, talk, available and blocked tools. */
export function overseerPrompt(parts: PromptParts): ScriptedPrompt {
	const name = parts.name ?? 'Vigil';
	const state = [
		'STATE_UPDATE',
		`time: ${parts.time ?? '2026-06-01T20:00:00+02:00'}`,
		`trigger: ${parts.trigger ?? 'direct_address'}`,
		'cooldowns: lift=ready, neato=12s, ha=ready',
		'rovers:',
		'- rover1: driving, driver=kim, docked=false',
		'- rover2: docked=true, charging=true',
		`lift: ${parts.lift ?? 'down, busy=false'}`,
		'neato: connected=true, state=cleaning, charging=false',
		'lights:',
		`- ${parts.lights ?? 'shelf=on, bench=off, corner=on, color=purple, aux1=off'}`,
		'mode: open, lights_lock=none',
		...(parts.extraState ?? []),
	].join('\n');
	const talk = (parts.talk ?? []).map((line) =>
		line.startsWith('> ') ? { role: 'assistant', content: line.slice(2) } : { role: 'user', content: line },
	);
	const list = (heading: string, lines: string[]) => ({
		role: 'user',
		content: [`${heading}:`, ...lines.map((line) => `- ${line}`)].join('\n'),
	});
	return {
		system: `You are ${name}, the machine behind this room.\n- Silence is fine.`,
		messages: [
			{ role: 'user', content: state },
			...talk,
			list('available_tools', parts.available ?? ALL_TOOLS),
			list('blocked_tools', parts.blocked ?? []),
			...(parts.after ?? []).map((content) => ({ role: 'user', content })),
		],
		schema: parts.schema,
		tools: parts.tools ?? [],
	};
}
