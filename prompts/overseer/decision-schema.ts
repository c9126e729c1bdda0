import type { JsonSchema } from '../../core/model/model-port.ts';
import type { WorldView } from '../../core/overseer/world.ts';
import type { Availability } from '../../core/tooling/facts.ts';
import type { ToolName } from '../../core/tooling/tool-name.ts';

const text: JsonSchema = { type: 'string' };

/** A list of fixed words; free text where there is none to choose from (an empty list would allow nothing). */
function oneOf(words: readonly string[]): JsonSchema {
	return words.length > 0 ? { type: 'string', enum: [...new Set(words)] } : text;
}

function argumentsOf(tool: ToolName, world: WorldView): { properties: Record<string, JsonSchema>; required: string[] } {
	const lamps = world.lights.filter(({ available }) => available);
	switch (tool) {
		case 'chat_say':
			return { properties: { text }, required: ['text'] };
		case 'ha_set_entity':
			return {
				properties: { entity_id: oneOf(lamps.map(({ label }) => label)), state: oneOf(['on', 'off']) },
				required: ['entity_id', 'state'],
			};
		case 'ha_set_light':
			return {
				properties: {
					entity_id: oneOf(lamps.filter(({ entityId }) => entityId.startsWith('light.')).map(({ label }) => label)),
					brightness: { type: 'integer' },
					color: text,
				},
				required: ['entity_id'],
			};
		case 'ha_run_script':
			return {
				properties: { script: oneOf(world.scripts.filter(({ available }) => available).map(({ label }) => label)) },
				required: ['script'],
			};
		case 'memory_write':
			return { properties: { slot: { type: 'integer', enum: [1, 2, 3] }, text }, required: ['slot', 'text'] };
		case 'button_box_adjust':
			return {
				properties: { button: { type: 'integer', enum: [1, 2, 3, 4] }, amount: { type: 'integer' } },
				required: ['button', 'amount'],
			};
		default:
			return { properties: {}, required: [] };
	}
}

function closed(properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema {
	return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/**
 * JSON schema of a decision: a call can only be one of this cycle's available tools, with their arguments; lamps and scripts
 * only those that are there. Every object is closed, no bounds on lengths: the subset that all providers enforce.
 */
export function decisionSchema(availability: Availability, world: WorldView): { name: string; json: JsonSchema } {
	const { available } = availability;
	const canSpeak = available.includes('chat_say');
	const tools = available.filter((tool) => tool !== 'chat_say' && isUsable(tool, world));
	const calls = tools.map((tool) => {
		const { properties, required } = argumentsOf(tool, world);
		return closed({ tool: { type: 'string', enum: [tool] }, args: closed(properties, required) }, ['tool', 'args']);
	});
	const modes = [
		'SKIP',
		...(canSpeak ? ['CHAT'] : []),
		...(calls.length > 0 ? ['ACTION'] : []),
		...(canSpeak && calls.length > 0 ? ['ACTION+CHAT'] : []),
	];
	const properties: Record<string, JsonSchema> = {
		mode: { type: 'string', enum: modes },
		...(canSpeak ? { chat: text } : {}),
		...(calls.length > 0 ? { calls: { type: 'array', items: { anyOf: calls } } } : {}),
	};
	return { name: 'decision', json: closed(properties, Object.keys(properties)) };
}

function isUsable(tool: ToolName, world: WorldView): boolean {
	if (tool === 'ha_run_script') return world.scripts.some(({ available }) => available);
	if (tool === 'ha_set_entity') return world.lights.some(({ available }) => available);
	if (tool === 'ha_set_light')
		return world.lights.some(({ available, entityId }) => available && entityId.startsWith('light.'));
	return true;
}
