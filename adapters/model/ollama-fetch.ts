import { ModelError } from '../../core/model/model-port.ts';
import { retryAfterMs } from './retry.ts';

/** An answer larger than this is a server gone wild. */
const MAX_ANSWER_CHARACTERS = 8_000_000;
const MAX_ERROR_CHARACTERS = 10_000;
/** How long the rest of a finished stream is awaited so that its connection can be used again. */
const DRAIN_MS = 1_000;

export interface OllamaFetch {
	fetch: typeof fetch;
	/** The pause the last refusing response asked for, in milliseconds. */
	lastRetryAfterMs(): number | undefined;
}

/**
 * The client's fetch with what it lacks: a signal over headers and body, no console output for odd bodies, and a
 * verdict on every way a line-wise stream can break (the client skips a broken line and goes on).
 */
export function createOllamaFetch(options: {
	fetch: typeof fetch;
	signal: AbortSignal;
	epochNow: () => number;
}): OllamaFetch {
	let waitMs: number | undefined;
	return {
		lastRetryAfterMs: () => waitMs,
		async fetch(input, init) {
			const response = await options.fetch(input, { ...init, signal: options.signal, redirect: 'error' });
			if (!response.ok) {
				waitMs = retryAfterMs(response.headers.get('retry-after'), options.epochNow());
				return asJsonError(response);
			}
			const isStream = String(input).endsWith('/api/chat');
			if (!isStream || response.body === null) return response;
			return new Response(checkedLines(response.body), { status: response.status, headers: response.headers });
		},
	};
}

async function asJsonError(response: Response): Promise<Response> {
	const text = (await response.text().catch(() => '')).slice(0, MAX_ERROR_CHARACTERS);
	let error = text.trim() === '' ? `HTTP ${response.status}` : text;
	try {
		const parsed: unknown = JSON.parse(text);
		const inner = typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed.error : undefined;
		if (inner !== undefined) error = typeof inner === 'string' ? inner : JSON.stringify(inner);
	} catch {
		// A proxy's page or plain text: keep it as the message.
	}
	return new Response(JSON.stringify({ error: error.slice(0, 500) }), {
		status: response.status,
		headers: { 'content-type': 'application/json' },
	});
}

/** Passes whole JSON lines on and fails the stream for a broken line, a missing end or an endless answer. */
function checkedLines(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let buffer = '';
	let length = 0;
	let goodLines = 0;
	let finished = false;

	function pass(line: string, out: ReadableStreamDefaultController<Uint8Array>): void {
		if (line.trim() === '' || finished) return;
		const chunk = parseObject(line);
		if (chunk === undefined) {
			throw goodLines > 0
				? cut('the stream holds a broken line')
				: new ModelError('invalid', 'the answer is not a line-wise JSON stream', {
						transient: false,
						hint: 'Something answers at this address, but it is not Ollama. Check the base URL and proxies.',
					});
		}
		goodLines += 1;
		// Some servers name the reason and forget the flag.
		if (typeof chunk['done_reason'] === 'string' && chunk['done_reason'] !== '') chunk['done'] = true;
		finished = chunk['done'] === true;
		out.enqueue(encoder.encode(`${JSON.stringify(chunk)}\n`));
	}

	return new ReadableStream<Uint8Array>({
		async pull(out) {
			try {
				for (let enqueued = goodLines; enqueued === goodLines && !finished; ) {
					const { done, value } = await reader.read();
					length += value?.length ?? 0;
					if (length > MAX_ANSWER_CHARACTERS) throw cut('the answer does not end');
					buffer += decoder.decode(value, { stream: !done });
					const lines = buffer.split('\n');
					buffer = done ? '' : (lines.pop() ?? '');
					for (const line of lines) pass(line, out);
					if (done && !finished) throw cut('the stream ended before the answer was complete');
				}
				if (finished) {
					out.close();
					void drain(reader);
				}
			} catch (error) {
				out.error(error);
				void reader.cancel().catch(() => {});
			}
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

function parseObject(line: string): Record<string, unknown> | undefined {
	try {
		const parsed: unknown = JSON.parse(line);
		return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
	} catch {
		return undefined;
	}
}

function cut(message: string): ModelError {
	return new ModelError('unreachable', message, {
		transient: true,
		hint: 'The connection or the model runner broke off. Look at the Ollama log if it repeats.',
	});
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
	const timer = setTimeout(() => void reader.cancel().catch(() => {}), DRAIN_MS);
	try {
		while (!(await reader.read()).done);
	} catch {
		// The answer is complete already; how the connection ends does not matter any more.
	} finally {
		clearTimeout(timer);
	}
}
