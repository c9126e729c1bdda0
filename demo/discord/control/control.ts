import type { z } from 'zod';
import { DiscordError } from '../discord-error.ts';
import { ControlError } from './control-error.ts';
import { faultOperations } from './fault-operations.ts';
import { guildOperations } from './guild-operations.ts';
import { interactionOperations } from './interaction-operations.ts';
import { type ControlServices, type Operation, parseInput } from './operation.ts';
import { peopleOperations } from './people-operations.ts';
import { readingOperations } from './reading-operations.ts';

const operations = {
	...peopleOperations,
	...interactionOperations,
	...readingOperations,
	...guildOperations,
	...faultOperations,
};

type Operations = typeof operations;

/** Every operation as a method: one object in, a promise of plain JSON out. Rejects with ControlError. */
export type Control = {
	[Name in keyof Operations]: Operations[Name] extends Operation<infer Input, infer Output>
		? (input: z.input<Input>) => Promise<Awaited<Output>>
		: never;
};

export const controlNames = Object.keys(operations) as (keyof Operations)[];

export function isControlName(name: string): name is keyof Operations {
	return Object.hasOwn(operations, name);
}

/** Runs one operation by name on unchecked input; what Discord itself would refuse becomes `not-allowed` or `refused`. */
export async function runOperation(services: ControlServices, name: keyof Operations, raw: unknown): Promise<unknown> {
	const { input, run } = operations[name] as Operation<z.ZodType, unknown>;
	try {
		return await run(services, parseInput(input, raw));
	} catch (error) {
		if (!(error instanceof DiscordError)) throw error;
		const code = error.status === 403 ? 'not-allowed' : error.status === 404 ? 'unknown' : 'refused';
		const details = error.errors === undefined ? '' : ` ${JSON.stringify(error.errors)}`;
		throw new ControlError(code, `Discord refuses with ${error.code}: ${error.message}${details}`);
	}
}

export function createControl(services: ControlServices): Control {
	const methods = controlNames.map((name) => [name, (input: unknown) => runOperation(services, name, input)]);
	return Object.fromEntries(methods) as Control;
}
