import type { ToolName } from './tool-name.ts';

interface Parameter {
	readonly name: string;
	readonly isOptional?: true;
}

const lamp: Parameter = { name: 'entity_id' };

/** What each tool takes, in the order in which it is offered to a model and in which calls without names are read. */
export const PARAMETERS: Readonly<Record<ToolName, readonly Parameter[]>> = {
	chat_say: [{ name: 'text' }],
	lift_up: [],
	lift_down: [],
	neato_start: [],
	neato_send_home: [],
	neato_locate: [],
	neato_clear_errors: [],
	ha_set_entity: [lamp, { name: 'state' }],
	ha_set_light: [lamp, { name: 'brightness', isOptional: true }, { name: 'color', isOptional: true }],
	ha_run_script: [{ name: 'script' }],
	memory_read: [],
	memory_write: [{ name: 'slot' }, { name: 'text' }],
	button_box_adjust: [{ name: 'button' }, { name: 'amount' }],
};
