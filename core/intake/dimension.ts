import { z } from 'zod';

/** The seven kinds of requirement an intake asks about, in the order in which they are asked. */
export const DIMENSIONS = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7'] as const;
export const dimension = z.enum(DIMENSIONS);
export type Dimension = z.infer<typeof dimension>;

/** What each one is called where a person or a model reads it. */
export const DIMENSION_NAMES: Readonly<Record<Dimension, string>> = {
	D1: 'Functional scope',
	D2: 'Tech stack',
	D3: 'Data model',
	D4: 'Interfaces',
	D5: 'Quality',
	D6: 'Deployment',
	D7: 'Constraints',
};

/** `deferred`: the person said "later" or skipped; it leaves as missing information, never guessed. */
export const dimensionStatus = z.enum(['open', 'asked', 'answered', 'deferred']);
export type DimensionStatus = z.infer<typeof dimensionStatus>;

export const dimensionStates = z.record(dimension, dimensionStatus);
export type DimensionStates = z.infer<typeof dimensionStates>;

export const ALL_OPEN: DimensionStates = {
	D1: 'open',
	D2: 'open',
	D3: 'open',
	D4: 'open',
	D5: 'open',
	D6: 'open',
	D7: 'open',
};
