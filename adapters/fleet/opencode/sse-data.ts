const EVENT_MAX = 4_000_000;

/** JSON values of a stream of server-sent events; data that is no JSON is left out. */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of body) {
		rest += decoder.decode(chunk, { stream: true });
		const events = rest.split(/\r?\n\r?\n/);
		rest = events.pop() ?? '';
		if (rest.length > EVENT_MAX) rest = '';
		for (const event of events) {
			const data = event
				.split(/\r?\n/)
				.filter((line) => line.startsWith('data:'))
				.map((line) => line.slice(5).trimStart())
				.join('\n');
			if (data === '') continue;
			try {
				yield JSON.parse(data) as unknown;
			} catch {
				// The next event stands on its own.
			}
		}
	}
}
