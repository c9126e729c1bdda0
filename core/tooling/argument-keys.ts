import type { ToolName } from './tool-name.ts';

/** Spellings that models use, folded (lower case, letters and digits only), by the argument they mean. */
const spellings: Readonly<Record<ToolName, Readonly<Record<string, readonly string[]>>>> = {
	chat_say: { text: ['text', 'message', 'content', 'line'] },
	lift_up: {},
	lift_down: {},
	neato_start: {},
	neato_send_home: {},
	neato_locate: {},
	neato_clear_errors: {},
	ha_set_entity: {
		entity_id: ['entityid', 'entity', 'name', 'light', 'lamp'],
		state: ['state', 'value', 'power', 'on'],
	},
	ha_set_light: {
		entity_id: ['entityid', 'entity', 'name', 'light', 'lamp'],
		brightness: ['brightness', 'brightnesspct', 'brightnesspercent', 'level'],
		color: ['color', 'colour', 'colorname', 'colorhex', 'rgb', 'rgbcolor', 'hex'],
		kelvin: ['kelvin', 'colortempkelvin'],
	},
	ha_run_script: { script: ['script', 'scriptid', 'entityid', 'name'] },
	memory_read: {},
	memory_write: { slot: ['slot', 'index', 'number'], text: ['text', 'content', 'value', 'note'] },
	button_box_adjust: { button: ['button', 'index', 'number'], amount: ['amount', 'value', 'count', 'delta'] },
};

/** Words that aim at more than one entity. A call that carries one is refused as a whole, not trimmed to fit. */
const wideAims: ReadonlySet<string> = new Set([
	'target',
	'area',
	'areaid',
	'areas',
	'device',
	'deviceid',
	'floor',
	'floorid',
	'label',
	'labelid',
	'entityids',
	'entities',
	'scene',
	'sceneid',
	'domain',
	'service',
]);

export type NamedArguments =
	| { readonly ok: true; readonly values: ReadonlyMap<string, unknown>; readonly notes: readonly string[] }
	| { readonly ok: false; readonly code: 'invalid_args' | 'not_allowed'; readonly why: string };

/** Maps spellings to argument names. Unknown keys are dropped with a note; two spellings that disagree are refused. */
export function nameArguments(tool: ToolName, given: ReadonlyMap<string, unknown>): NamedArguments {
	const values = new Map<string, unknown>();
	const notes: string[] = [];
	for (const [key, value] of given) {
		const folded = key.toLowerCase().replace(/[^a-z0-9]/g, '');
		const name = Object.entries(spellings[tool]).find(([, words]) => words.includes(folded))?.[0];
		if (name === undefined) {
			if (wideAims.has(folded)) return { ok: false, code: 'not_allowed', why: `${folded} cannot be a target` };
			notes.push(`dropped ${JSON.stringify(key.slice(0, 40))}`);
		} else if (values.has(name) && JSON.stringify(values.get(name)) !== JSON.stringify(value)) {
			return { ok: false, code: 'invalid_args', why: `${name} is given twice` };
		} else {
			values.set(name, value);
		}
	}
	return { ok: true, values, notes };
}
