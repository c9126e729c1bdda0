import type { Availability, BlockReason } from '../../core/tooling/facts.ts';
import type { ToolName } from '../../core/tooling/tool-name.ts';

/** Tools as the model reads them. `?` marks what may be left out. */
const SIGNATURES: Readonly<Record<ToolName, string>> = {
	chat_say: 'chat_say(text)',
	lift_up: 'lift_up()',
	lift_down: 'lift_down()',
	neato_start: 'neato_start()',
	neato_send_home: 'neato_send_home()',
	neato_locate: 'neato_locate()',
	neato_clear_errors: 'neato_clear_errors()',
	ha_set_entity: 'ha_set_entity(entity_id, state)',
	ha_set_light: 'ha_set_light(entity_id, brightness?, color?)',
	ha_run_script: 'ha_run_script(script)',
	memory_read: 'memory_read()',
	memory_write: 'memory_write(slot, text)',
	button_box_adjust: 'button_box_adjust(button, amount)',
};

export function availableToolsBlock({ available }: Availability): string {
	return [
		'available_tools:',
		...(available.length > 0 ? available.map((name) => `- ${SIGNATURES[name]}`) : ['- none']),
	].join('\n');
}

export function blockedToolsBlock({ blocked }: Availability): string {
	if (blocked.length === 0) return 'blocked_tools:\n- none';
	return ['blocked_tools:', ...blocked.map(({ tool, reasons }) => `- ${SIGNATURES[tool]} ${reasonText(reasons)}`)].join(
		'\n',
	);
}

/** The weightiest reason first; its remaining time in whole seconds, never `0s`. */
function reasonText(reasons: readonly BlockReason[]): string {
	return reasons
		.map(({ code, remainingMs }) => {
			const rest = remainingMs === undefined ? '' : ` remaining=${Math.max(1, Math.ceil(remainingMs / 1_000))}s`;
			return `reason=${code}${rest}`;
		})
		.join(' ');
}
