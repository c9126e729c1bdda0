import { PermissionFlagsBits } from 'discord-api-types/v10';

export type PermissionName = keyof typeof PermissionFlagsBits;

/** Adds up permission names, e.g. `['ViewChannel']`. Throws RangeError on a name Discord does not have. */
export function permissionBits(names: readonly string[]): bigint {
	let bits = 0n;
	for (const name of names) {
		const bit = PermissionFlagsBits[name as PermissionName];
		if (bit === undefined) throw new RangeError(`no permission is called ${name}`);
		bits |= bit;
	}
	return bits;
}
