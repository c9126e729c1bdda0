const CODES = ['redis_unavailable', 'redis_refuses_writes', 'store_away'];
/** What the queue library lets through as it comes from the client. */
const RAW =
	/^(OOM|READONLY|MISCONF|NOREPLICAS|LOADING|CLUSTERDOWN|MASTERDOWN)\b|Connection is closed|isn't writeable|timed out/;

/** Our own store was away or took no writes: nothing is wrong with what was being done, it can be done again later. */
export function isStoreFailure(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const code = 'code' in error ? String(error.code) : '';
	return CODES.includes(code) || RAW.test(error.message);
}

/** Something was not done because our own store failed under it. */
export class StoreAway extends Error {
	override readonly name = 'StoreAway';
	readonly code = 'store_away';
}
