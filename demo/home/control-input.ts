import { z } from 'zod';

const entityId = z.string().regex(/^[\da-z_]+\.[\da-z_]+$/, 'must look like light.shelf');
const report = { state: z.string().max(255).optional(), attributes: z.record(z.string(), z.unknown()).optional() };
const rover = z.enum(['rover1', 'rover2', 'rover3']);
const ms = z.number().min(0).max(3_600_000);

/** The bodies of the control requests, by the last part of their path. */
export const controlInput = {
	act: z.strictObject({
		domain: z.string(),
		service: z.string(),
		entityId,
		data: z.record(z.string(), z.unknown()).optional(),
	}),
	poke: z.discriminatedUnion('kind', [
		z.strictObject({ kind: z.literal('drive'), rover, driver: z.string().max(80).optional() }),
		z.strictObject({ kind: z.enum(['dock', 'stop', 'bump']), rover }),
		z.strictObject({ kind: z.literal('jam_lift'), jam: z.enum(['none', 'stuck', 'never_reports']) }),
		z.strictObject({ kind: z.literal('vacuum_error'), error: z.string().max(80) }),
		z.strictObject({ kind: z.literal('vacuum_alert'), alert: z.string().max(80) }),
		z.strictObject({ kind: z.literal('presence'), present: z.boolean() }),
		z.strictObject({ kind: z.literal('press'), button: entityId }),
	]),
	set: z.strictObject({ entityId, ...report, parentId: z.string().max(64).optional() }),
	release: z.strictObject({ entityId }),
	presence: z.strictObject({ id: z.string(), presence: z.enum(['available', 'unavailable', 'removed']) }),
	rename: z.strictObject({ entityId, to: entityId }),
	fault: z.strictObject({
		domain: z.string().optional(),
		service: z.string().optional(),
		entityId: entityId.optional(),
		kind: z.enum(['hang', 'delay', 'reject', 'no_effect', 'drop']),
		acts: z.boolean().optional(),
		delayMs: ms.optional(),
		code: z.string().optional(),
		message: z.string().optional(),
		times: z.number().int().min(1).max(1_000).optional(),
	}),
	'clear-faults': z.strictObject({}),
	'revoke-token': z.strictObject({}),
	'set-token': z.strictObject({ token: z.string().min(1) }),
	'close-sockets': z.strictObject({}),
	stall: z.strictObject({ stalled: z.boolean() }),
	restart: z.strictObject({ downMs: ms.optional(), loadMs: ms.optional() }),
	advance: z.strictObject({ ms }),
	reset: z.strictObject({}),
} as const;
