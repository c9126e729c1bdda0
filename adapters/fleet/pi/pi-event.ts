import { z } from 'zod';

const usage = z.looseObject({
	cost: z.looseObject({ total: z.number().nonnegative().catch(0) }).optional(),
});

const block = z.looseObject({ type: z.string(), text: z.string().optional() });

/** A message of a session as pi keeps it. */
export const piMessage = z.looseObject({
	role: z.string(),
	content: z.union([z.string(), z.array(block)]).catch([]),
	stopReason: z.string().optional(),
	errorMessage: z.string().optional(),
	usage: usage.optional(),
});
export type PiMessage = z.infer<typeof piMessage>;

const toolCall = { toolCallId: z.string(), toolName: z.string() };

/** What pi writes in RPC mode and matters here; kinds that are not listed are left out by the reader. */
export const piEvent = z.discriminatedUnion('type', [
	z.looseObject({ type: z.literal('agent_start') }),
	z.looseObject({ type: z.literal('agent_end'), messages: z.array(piMessage).catch([]) }),
	z.looseObject({ type: z.literal('message_end'), message: piMessage }),
	z.looseObject({
		type: z.literal('tool_execution_start'),
		...toolCall,
		args: z.record(z.string(), z.unknown()).catch({}),
	}),
	z.looseObject({ type: z.literal('tool_execution_end'), ...toolCall, isError: z.boolean().optional() }),
	z.looseObject({ type: z.literal('auto_retry_start') }),
	z.looseObject({ type: z.literal('auto_retry_end'), success: z.boolean(), finalError: z.string().optional() }),
	z.looseObject({
		type: z.literal('extension_ui_request'),
		id: z.string().min(1).max(300),
		method: z.string(),
		title: z.string().optional(),
		message: z.string().optional(),
		options: z.array(z.string()).optional(),
		placeholder: z.string().optional(),
		prefill: z.string().optional(),
	}),
	z.looseObject({ type: z.literal('session_info_changed'), name: z.string().optional() }),
]);
export type PiEvent = z.infer<typeof piEvent>;

/** Undefined for everything else that pi writes, known or not. */
export function readPiEvent(value: unknown): PiEvent | undefined {
	const read = piEvent.safeParse(value);
	return read.success ? read.data : undefined;
}

/** The words of a message, without thinking, calls and pictures. */
export function wordsOf(message: PiMessage): string {
	if (typeof message.content === 'string') return message.content.trim();
	return message.content
		.filter((part) => part.type === 'text' && part.text !== undefined)
		.map((part) => part.text)
		.join('\n')
		.trim();
}
