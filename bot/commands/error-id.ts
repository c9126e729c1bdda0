import type { Random } from '../../core/ports.ts';

/** Short id that a person can quote and an operator finds in the log. */
export function createErrorId(random: Random): string {
	return `e-${random
		.id()
		.replace(/[^a-z0-9]/gi, '')
		.slice(0, 8)
		.toLowerCase()}`;
}
