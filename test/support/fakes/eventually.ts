/** Polls until `check` neither throws nor gives false; the last failure is thrown after `timeoutMs`. */
export async function eventually<Result>(check: () => Result | Promise<Result>, timeoutMs = 15_000): Promise<Result> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		let failure: unknown = new Error('the condition did not become true');
		try {
			const result = await check();
			if (result !== false) return result;
		} catch (error) {
			failure = error;
		}
		if (Date.now() > deadline) throw failure;
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
