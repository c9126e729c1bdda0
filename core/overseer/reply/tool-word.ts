import { isToolName, type ToolName } from '../../tooling/tool-name.ts';

/** The tool that a model means: other case, a blank or hyphen for the underscore, camel case, a prefix. Never a guess. */
export function toolWord(raw: string): ToolName | undefined {
	const bare = raw
		.trim()
		.slice(0, 120)
		.replace(/\(\s*\)$/, '');
	const last = bare.split(/[.:/]/).at(-1) ?? bare;
	for (const text of [bare, last]) {
		const snake = text
			.trim()
			.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
			.replace(/[\s-]+/g, '_')
			.toLowerCase();
		if (isToolName(snake)) return snake;
	}
	return undefined;
}

/** Argument names in the order in which a tool prints them, for calls that leave the names out. */
export const PARAMETER_ORDER: Readonly<Record<ToolName, readonly string[]>> = {
	chat_say: ['text'],
	lift_up: [],
	lift_down: [],
	neato_start: [],
	neato_send_home: [],
	neato_locate: [],
	neato_clear_errors: [],
	ha_set_entity: ['entity_id', 'state'],
	ha_set_light: ['entity_id', 'brightness', 'color'],
	ha_run_script: ['script'],
	memory_read: [],
	memory_write: ['slot', 'text'],
	button_box_adjust: ['button', 'amount'],
};
