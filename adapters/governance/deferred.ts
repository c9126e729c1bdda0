export interface Deferred<T> {
	readonly promise: Promise<T>;
	resolve(value: T): void;
	reject(error: Error): void;
}

/** A promise with its two ends in hand. A rejection that nobody waits for is no error. */
export function createDeferred<T>(): Deferred<T> {
	let resolve: (value: T) => void = () => undefined;
	let reject: (error: Error) => void = () => undefined;
	const promise = new Promise<T>((yes, no) => {
		resolve = yes;
		reject = no;
	});
	promise.catch(() => undefined);
	return { promise, resolve, reject };
}
