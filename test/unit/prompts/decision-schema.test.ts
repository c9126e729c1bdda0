import { expect, test } from 'vitest';
import { isClosedSchema } from '../../../adapters/model/closed-schema.ts';
import type { LightView } from '../../../core/overseer/world.ts';
import { TOOL_NAMES, type ToolName } from '../../../core/tooling/tool-name.ts';
import { decisionSchema } from '../../../prompts/overseer/decision-schema.ts';
import { worldOf } from '../core/overseer/room-fixture.ts';

const lamp = (entityId: string, label: string, available = true): LightView => ({
	entityId,
	label,
	show: 'state',
	state: 'on',
	available,
	colorModes: [],
});
const world = worldOf({
	lights: [lamp('light.a', 'shelf'), lamp('switch.b', 'corner'), lamp('light.c', 'gone', false)],
	scripts: [{ entityId: 'script.movie', label: 'movie', available: true }],
});

interface Shape {
	properties: {
		mode: { enum: string[] };
		chat?: unknown;
		calls?: {
			items: {
				anyOf: {
					properties: { tool: { enum: string[] }; args: { properties: Record<string, { enum?: string[] }> } };
				}[];
			};
		};
	};
	required: string[];
}
const shape = (available: readonly ToolName[], room = world) =>
	decisionSchema({ available, blocked: [] }, room).json as unknown as Shape;
const tools = (schema: Shape) =>
	schema.properties.calls?.items.anyOf.flatMap(({ properties }) => properties.tool.enum) ?? [];

test('OVR-13 OVR-12 the calls that the schema allows are exactly the available tools; chat is the chat field', () => {
	const schema = shape(['chat_say', 'lift_up', 'memory_read']);
	expect(tools(schema)).toEqual(['lift_up', 'memory_read']);
	expect(schema.properties.mode.enum).toEqual(['SKIP', 'CHAT', 'ACTION', 'ACTION+CHAT']);
	expect(schema.required).toEqual(['mode', 'chat', 'calls']);
});

test('OVR-12 what is blocked cannot be said: no chat field without chat, no calls without tools', () => {
	expect(shape(['lift_up']).properties).not.toHaveProperty('chat');
	expect(shape(['lift_up']).properties.mode.enum).toEqual(['SKIP', 'ACTION']);
	expect(shape(['chat_say']).properties).not.toHaveProperty('calls');
	expect(shape(['chat_say']).properties.mode.enum).toEqual(['SKIP', 'CHAT']);
	expect(shape([]).properties.mode.enum).toEqual(['SKIP']);
});

test('OVR-20 lamps and scripts can only be those that are there', () => {
	const schema = shape(['ha_set_entity', 'ha_set_light', 'ha_run_script']);
	const args = schema.properties.calls?.items.anyOf.map(({ properties }) => properties.args.properties) ?? [];
	expect(args[0]?.['entity_id']?.enum).toEqual(['shelf', 'corner']);
	expect(args[1]?.['entity_id']?.enum).toEqual(['shelf']);
	expect(args[2]?.['script']?.enum).toEqual(['movie']);
	expect(tools(shape(['ha_set_entity', 'ha_set_light', 'ha_run_script', 'lift_up'], worldOf()))).toEqual(['lift_up']);
});

test('OVR-13 the schema is closed everywhere, so that strict providers can hold to it', () => {
	expect(isClosedSchema(decisionSchema({ available: TOOL_NAMES, blocked: [] }, world).json)).toBe(true);
});
