/** A share of a whole, 0 to 1; an empty whole is whole. Counts stay with it, so that shares can be added up over sessions. */
export interface Share {
	readonly part: number;
	readonly whole: number;
	readonly rate: number;
}

export function shareOf(part: number, whole: number): Share {
	return { part, whole, rate: whole === 0 ? 1 : part / whole };
}

export function addShares(shares: readonly Share[]): Share {
	return shareOf(
		shares.reduce((sum, { part }) => sum + part, 0),
		shares.reduce((sum, { whole }) => sum + whole, 0),
	);
}

export function median(values: readonly number[]): number | undefined {
	if (values.length === 0) return undefined;
	const sorted = [...values].sort((left, right) => left - right);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] as number;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
