import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '../../core/ports.ts';

/** Numbers and ids nobody can guess. Ids are 23 URL-safe characters (128 bits of chance) and start with a letter. */
export function createSystemRandom(): Random {
	return {
		next: () => randomInt(2 ** 47) / 2 ** 47,
		id: () => `r${randomBytes(16).toString('base64url')}`.slice(0, 23),
	};
}
