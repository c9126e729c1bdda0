import type { OverseerSettings } from '../../config/overseer.ts';
import type { RoomSettings } from '../../config/rooms.ts';
import type { JsonSchema } from '../model/model-port.ts';
import type { WorldView } from '../overseer/world.ts';
import { isDimmable } from './availability.ts';
import type { BlockedTool } from './facts.ts';
import { PARAMETERS } from './parameters.ts';
import { MEMORY_TEXT_LIMIT } from './tool-arguments.ts';
import type { ToolName } from './tool-name.ts';

const purposes: Readonly<Record<ToolName, string>> = {
	chat_say: 'Say one line in the room.',
	lift_up: 'Move the lift up.',
	lift_down: 'Move the lift down.',
	neato_start: 'Let the vacuum start or go on cleaning.',
	neato_send_home: 'Send the vacuum to its base.',
	neato_locate: 'Let the vacuum make a sound so that people find it.',
	neato_clear_errors: 'Clear the errors that the vacuum shows.',
	ha_set_entity:
		'Switch one lamp on or off. Whether a lamp is on stands in STATE_UPDATE; do not switch it to find out.',
	ha_set_light: 'Set brightness or colour of one lamp.',
	ha_run_script: 'Run one prepared script of the room.',
	memory_read: 'Read the three notes.',
	memory_write: 'Replace one of the three notes.',
	button_box_adjust: 'Add to or take from one counter of the button box.',
};

/** `ha_set_entity(entity_id, state)`. */
export function signatureOf(tool: ToolName): string {
	const names = PARAMETERS[tool].map(({ name, isOptional }) => (isOptional ? `${name}?` : name));
	return `${tool}(${names.join(', ')})`;
}

/** One sentence that tells a model what the tool is for. */
export function describeTool(tool: ToolName): string {
	return purposes[tool];
}

/** Line of the available_tools block. */
export function availableLine(tool: ToolName): string {
	return `- ${signatureOf(tool)}`;
}

/**
 * Line of the blocked_tools block: the most weighty reason, with what is left of it in whole seconds, e.g.
 * `- neato_start() reason=cooldown remaining=12s` or `- lift_up() reason=unavailable:conflict`.
 */
export function blockedLine({ tool, reasons }: BlockedTool): string {
	const [first] = reasons;
	if (first === undefined) return `- ${signatureOf(tool)}`;
	const detail = first.code === 'unavailable' && first.detail ? `:${first.detail}` : '';
	const remaining = first.remainingMs === undefined ? '' : ` remaining=${Math.ceil(first.remainingMs / 1_000)}s`;
	return `- ${signatureOf(tool)} reason=${first.code}${detail}${remaining}`;
}

/**
 * JSON schema of a tool's arguments for this room and moment: only plain types, enums and descriptions, which every
 * provider's strict mode takes. Entities that cannot be reached are not in the enum.
 */
export function argumentSchema(
	tool: ToolName,
	room: RoomSettings,
	world: WorldView,
	settings: OverseerSettings,
): JsonSchema {
	const reachable = (ids: readonly string[], open: readonly { entityId: string; available: boolean }[]) =>
		ids.filter((id) => open.some((item) => item.entityId === id && item.available));
	const lampIds = room.lights.map((item) => item.entityId);
	const most = settings.buttonBox.maxAmount;
	switch (tool) {
		case 'chat_say':
			return object({ text: { type: 'string', description: 'One short line.' } });
		case 'ha_set_entity':
			return object({
				entity_id: { type: 'string', enum: reachable(lampIds, world.lights) },
				state: { type: 'string', enum: ['on', 'off'] },
			});
		case 'ha_set_light':
			return object(
				{
					entity_id: { type: 'string', enum: reachable(lampIds, world.lights.filter(isDimmable)) },
					brightness: { type: 'integer', description: 'Percent, 1 to 100.' },
					color: {
						type: 'string',
						description: 'A name such as red or warm white, #rrggbb, or a temperature such as 2700K.',
					},
				},
				['entity_id'],
			);
		case 'ha_run_script': {
			const scripts = room.scripts.map((item) => item.entityId);
			return object({ script: { type: 'string', enum: reachable(scripts, world.scripts) } });
		}
		case 'memory_write':
			return object({
				slot: { type: 'integer', enum: [1, 2, 3] },
				text: { type: 'string', description: `One line, at most ${MEMORY_TEXT_LIMIT} characters.` },
			});
		case 'button_box_adjust': {
			const buttons = (room.buttonBoxEntityIds ?? []).map((_id, index) => index + 1);
			return object({
				button: { type: 'integer', enum: buttons },
				amount: { type: 'integer', description: `${-most} to ${most}, not 0.` },
			});
		}
		default:
			return object({});
	}
}

function object(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
	return { type: 'object', properties, required, additionalProperties: false };
}
