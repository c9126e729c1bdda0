import { z } from 'zod';

const common = {
	/** Milliseconds before the first byte. */
	delayMs: z.int().min(0).max(600_000).optional(),
	/** How many requests this step answers. */
	times: z.int().min(1).max(10_000).optional(),
};

/** Ends a streamed answer early: after so many pieces the socket is reset, closed, left open, or told of an error. */
const cut = z.strictObject({
	afterChunks: z.int().min(0),
	how: z.enum(['reset', 'end', 'hang', 'error']),
});

const answering = {
	...common,
	thinking: z.string().optional(),
	/** The prompt size to report instead of the true one. */
	promptTokens: z.int().min(0).optional(),
	outputTokens: z.int().min(0).optional(),
	stop: z.enum(['end', 'length', 'refusal']).optional(),
	/** Pause between two pieces of the stream. */
	chunkDelayMs: z.int().min(0).max(60_000).optional(),
	cut: cut.optional(),
};

const call = z.strictObject({ name: z.string(), arguments: z.unknown().optional() });

/** One prepared answer. */
export const modelStep = z.discriminatedUnion('kind', [
	/** This text, verbatim. */
	z.strictObject({ kind: z.literal('text'), text: z.string(), ...answering }),
	/** This value as JSON text (where the request forces a tool: as that tool's input). */
	z.strictObject({ kind: z.literal('json'), value: z.unknown(), ...answering }),
	/** Native tool calls; arguments go out exactly as given, strings and null included. */
	z.strictObject({ kind: z.literal('calls'), calls: z.array(call).min(1), text: z.string().optional(), ...answering }),
	/** What the script says, with other timing or figures. */
	z.strictObject({ kind: z.literal('script'), ...answering }),
	/** These lines instead of a real stream, each followed by a line feed. */
	z.strictObject({
		kind: z.literal('raw'),
		lines: z.array(z.string()),
		status: z.int().min(200).max(599).optional(),
		contentType: z.string().optional(),
		end: z.enum(['close', 'reset', 'hang']).optional(),
		...common,
	}),
	/** This HTTP error. */
	z.strictObject({
		kind: z.literal('error'),
		status: z.int().min(400).max(599),
		body: z.unknown().optional(),
		headers: z.record(z.string(), z.string()).optional(),
		...common,
	}),
	/** No answer: no headers at all, or headers and then silence. */
	z.strictObject({ kind: z.literal('hang'), where: z.enum(['headers', 'body']).optional(), ...common }),
	/** The connection is closed without a word. */
	z.strictObject({ kind: z.literal('drop'), ...common }),
	/** The provider's own form of these. */
	z.strictObject({ kind: z.literal('overload'), ...common }),
	z.strictObject({ kind: z.literal('rate_limit'), retryAfterSeconds: z.number().min(0).optional(), ...common }),
	z.strictObject({ kind: z.literal('refuse'), ...common }),
	z.strictObject({ kind: z.literal('missing_model'), ...common }),
	z.strictObject({ kind: z.literal('bad_key'), ...common }),
]);

export type ModelStep = z.infer<typeof modelStep>;
export type StreamCut = z.infer<typeof cut>;
