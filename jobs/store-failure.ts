const CODES = ['redis_unavailable', 'redis_refuses_writes', 'store_away'];
/** What the queue library lets through as it comes from the client. It bears no code, unlike words of a model's provider. */
const RAW =
	/^(OOM|READONLY|MISCONF|NOREPLICAS|LOADING|CLUSTERDOWN|MASTERDOWN)\b|Connection is closed|isn't writeable|Command timed out/;

/**
 * Our own store was away or took no writes: nothing is wrong with what was being done, it can be done again later. Also when
 * something else, such as a call of a model, was refused because of that.
 */
export function isStoreFailure(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (!('code' in error)) return RAW.test(error.message);
	return isOurs(error) || isOurs(error.cause);
}

function isOurs(error: unknown): boolean {
	return error instanceof Error && 'code' in error && CODES.includes(String(error.code));
}

/** Something was not done because our own store failed under it. */
export class StoreAway extends Error {
	override readonly name = 'StoreAway';
	readonly code = 'store_away';
}
