import { z } from 'zod';
import type { ToolName } from './tool-name.ts';

/** Longest note in characters. */
export const MEMORY_TEXT_LIMIT = 180;
/** Longest text that a call may bring; the room's own limit is applied where the line is posted. */
const CHAT_TEXT_LIMIT = 2_000;

const entity = z.string().regex(/^[a-z_]+\.[a-z0-9_]+$/);
const nothing = z.strictObject({});
const channel = z.int().min(0).max(255);
const characters = (text: string) => [...text].length;

/** What a lamp can be told: one colour, in the one form that the lamp has. */
const lampColor = z.union([
	z.strictObject({ rgb: z.tuple([channel, channel, channel]) }),
	z.strictObject({ kelvin: z.int().min(1_500).max(9_000) }),
]);

/**
 * Exact arguments by tool, as they are after all forgiveness: entity ids are configured ids, brightness is percent. The
 * forgiving reading is `prepareCall`; tools check once more against these shapes before they act.
 */
export const toolArguments = {
	chat_say: z.strictObject({
		text: z
			.string()
			.trim()
			.min(1)
			.max(CHAT_TEXT_LIMIT)
			.regex(/^[^\p{Cc}]*(?:[\n\t][^\p{Cc}]*)*$/u, 'no control characters'),
	}),
	lift_up: nothing,
	lift_down: nothing,
	neato_start: nothing,
	neato_send_home: nothing,
	neato_locate: nothing,
	neato_clear_errors: nothing,
	ha_set_entity: z.strictObject({ entity_id: entity, state: z.enum(['on', 'off']) }),
	ha_set_light: z.strictObject({
		entity_id: entity,
		brightness: z.int().min(1).max(100).optional(),
		color: lampColor.optional(),
	}),
	ha_run_script: z.strictObject({ script: entity }),
	memory_read: nothing,
	memory_write: z.strictObject({
		slot: z.union([z.literal(1), z.literal(2), z.literal(3)]),
		text: z
			.string()
			.trim()
			.min(1)
			.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'one line without control characters')
			.refine((text) => characters(text) <= MEMORY_TEXT_LIMIT, `at most ${MEMORY_TEXT_LIMIT} characters`),
	}),
	button_box_adjust: z.strictObject({
		button: z.int().min(1).max(4),
		amount: z
			.int()
			.min(-25)
			.max(25)
			.refine((amount) => amount !== 0, 'not 0'),
	}),
} as const satisfies Record<ToolName, z.ZodType>;

export type ToolArguments = { readonly [Name in ToolName]: z.infer<(typeof toolArguments)[Name]> };
export type LampColor = z.infer<typeof lampColor>;

/** A call whose arguments are exact and inside the allowlist. */
export type PreparedCall = {
	readonly [Name in ToolName]: { readonly tool: Name; readonly args: ToolArguments[Name] };
}[ToolName];
