/** A refusal of the control API: `code` is stable, the message is for people. */
export class ApiError extends Error {
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/** Calls one control operation. */
export async function call(name, input = {}) {
	const response = await fetch(`/control/${name}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(input),
	});
	const body = await response.json();
	if (!response.ok) throw new ApiError(body.error, body.message);
	return body;
}

/**
 * Listens to what one person hears; the browser reconnects by itself. `connected` is called for each connection: what was
 * missed before it has to be loaded. Returns how to stop.
 */
export function listen(as, connected, handlers) {
	const source = new EventSource(`/control/live?as=${encodeURIComponent(as)}`);
	source.addEventListener('open', connected);
	for (const [name, handler] of Object.entries(handlers)) {
		source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
	}
	return () => source.close();
}
