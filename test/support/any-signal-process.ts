import { anySignal } from '../../core/any-signal.ts';

/*
 * Run with --expose-gc. Makes signals that nobody keeps, has the garbage collected over and over, and tells which fired.
 */
const fired: string[] = [];
const listen = (name: string, make: () => AbortSignal) =>
	make().addEventListener('abort', () => {
		fired.push(name);
	});
const stop = new AbortController();
listen('time limit', () => anySignal([stop.signal, AbortSignal.timeout(300)]));
listen('nested time limit', () => anySignal([anySignal([AbortSignal.timeout(300)]), new AbortController().signal]));
listen('controller', () => anySignal([stop.signal, AbortSignal.timeout(100_000)]));
const polled = anySignal([AbortSignal.timeout(300)]);
for (let round = 0; round < 20; round += 1) {
	globalThis.gc?.();
	await new Promise((resolve) => setTimeout(resolve, 10));
}
stop.abort();
await new Promise((resolve) => setTimeout(resolve, 600));
if (polled.aborted) fired.push('polled');
process.stdout.write(JSON.stringify(fired.sort()));
process.exit(0);
