/** The closed list of what a model may call. The registry in `tools/` holds exactly these. */
export const TOOL_NAMES = [
	'chat_say',
	'lift_up',
	'lift_down',
	'neato_start',
	'neato_send_home',
	'neato_locate',
	'neato_clear_errors',
	'ha_set_entity',
	'ha_set_light',
	'ha_run_script',
	'memory_read',
	'memory_write',
	'button_box_adjust',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** Families share one cooldown. */
export type ToolFamily = 'chat' | 'lift' | 'neato' | 'light' | 'script' | 'memory' | 'buttonBox';

export function isToolName(text: string): text is ToolName {
	return (TOOL_NAMES as readonly string[]).includes(text);
}

const families: Readonly<Record<ToolName, ToolFamily>> = {
	chat_say: 'chat',
	lift_up: 'lift',
	lift_down: 'lift',
	neato_start: 'neato',
	neato_send_home: 'neato',
	neato_locate: 'neato',
	neato_clear_errors: 'neato',
	ha_set_entity: 'light',
	ha_set_light: 'light',
	ha_run_script: 'script',
	memory_read: 'memory',
	memory_write: 'memory',
	button_box_adjust: 'buttonBox',
};

export function toolFamily(name: ToolName): ToolFamily {
	return families[name];
}

/** Tools that move or switch something; they cost budget and happen at most once. */
export function isPhysical(name: ToolName): boolean {
	return !['chat_say', 'memory_read', 'memory_write'].includes(name);
}
