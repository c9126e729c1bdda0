type Callable = (...values: unknown[]) => unknown;

const refuse: Callable = () => {
	throw new Error('not available to policies');
};

const makers = [
	() => undefined,
	async () => undefined,
	function* () {
		yield undefined;
	},
	async function* () {
		yield undefined;
	},
];

/**
 * Takes from this thread what the engine's bridge to JavaScript could use: running text as code, and the network. A
 * second wall: policies that were vetted cannot reach the bridge at all. For the policy thread only, once it is set up.
 */
export function closeRealm(): void {
	for (const maker of makers)
		Object.defineProperty(Object.getPrototypeOf(maker) as object, 'constructor', { value: refuse });
	for (const name of ['eval', 'Function', 'fetch', 'WebSocket', 'EventSource'])
		Object.defineProperty(globalThis, name, { value: refuse, writable: false, configurable: false });
	for (const name of ['binding', 'dlopen', 'kill', 'getBuiltinModule', '_linkedBinding', 'reallyExit'])
		Object.defineProperty(process, name, { value: refuse, configurable: false });
}
