import { z } from 'zod';
import { HUB_TOOLS, type HubTool } from './hub-call.ts';
import { watchWhen } from './watch.ts';

export const SEND_MAX = 4_000;
const NOTIFY_MAX = 400;

/** Ids are texts everywhere: a number would have lost its last digits on the way here. */
const session = z.string('an id or name is text in quotes').trim().min(1).max(120);
/** Line breaks and tabs are fine, other control characters are damage. */
const words = (max: number) =>
	z
		.string('text in quotes')
		.trim()
		.min(1, 'text is empty')
		.max(max, `at most ${max} characters`)
		.refine((text) => !/(?![\n\r\t])\p{Cc}/u.test(text), 'control characters are not allowed');

const schemas = {
	hub_sessions: z.object({}),
	hub_events: z.object({ id: session.optional(), limit: z.int().min(1).max(50).default(20) }),
	hub_read: z.object({ id: session, what: z.enum(['question', 'transcript', 'screen']) }),
	hub_send: z.object({ to: session, text: words(SEND_MAX) }),
	hub_notify: z.object({ text: words(NOTIFY_MAX), level: z.enum(['info', 'need']), id: session.optional() }),
	hub_watch: z.object({ id: session, when: watchWhen }),
} as const satisfies Record<HubTool, z.ZodObject>;

type Schemas = typeof schemas;
export type HubArguments = {
	[Tool in HubTool]: { readonly tool: Tool; readonly args: z.infer<Schemas[Tool]> };
}[HubTool];

export type ReadArguments = ({ readonly ok: true } & HubArguments) | { readonly ok: false; readonly why: string };

/** Checks arguments as the model wrote them. Nothing is coerced: a number is no id, and half a text is no text. */
export function readHubArguments(tool: HubTool, args: unknown): ReadArguments {
	const parsed = schemas[tool].safeParse(args ?? {});
	if (parsed.success) return { ok: true, tool, args: parsed.data } as ReadArguments;
	const why = parsed.error.issues
		.slice(0, 3)
		.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`)
		.join('; ');
	return { ok: false, why };
}

/** What each tool does, in one sentence for the model. */
export const HUB_TOOL_TEXTS: Readonly<Record<HubTool, { readonly signature: string; readonly text: string }>> = {
	hub_sessions: { signature: 'hub_sessions()', text: 'the whole fleet, one line a session' },
	hub_events: { signature: 'hub_events(id?, limit?)', text: 'the newest events, of one session or of all' },
	hub_read: {
		signature: 'hub_read(id, what)',
		text: 'what = question (with its choices), transcript (its last lines) or screen (what its terminal shows)',
	},
	hub_send: {
		signature: 'hub_send(to, text)',
		text: 'a message into a session, only when a person asked for it; it arrives as yours and cannot approve anything',
	},
	hub_notify: {
		signature: 'hub_notify(text, level, id?)',
		text: 'tell people: need = somebody must act, mentions the owner; info = good to know, mentions nobody. id = the session it is about',
	},
	hub_watch: {
		signature: 'hub_watch(id, when)',
		text: 'be told once when that happens; when = idle, finished, failed, question, ended or any',
	},
};

const strings = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

/** JSON schema of each tool's arguments, for providers that hold an answer to a schema. */
const PARAMETERS: Readonly<Record<HubTool, Readonly<Record<string, unknown>>>> = {
	hub_sessions: parameters({}, []),
	hub_events: parameters({ ...strings(['id']), limit: { type: 'integer' } }, []),
	hub_read: parameters({ ...strings(['id']), what: { type: 'string', enum: ['question', 'transcript', 'screen'] } }, [
		'id',
		'what',
	]),
	hub_send: parameters(strings(['to', 'text']), ['to', 'text']),
	hub_notify: parameters({ ...strings(['text', 'id']), level: { type: 'string', enum: ['info', 'need'] } }, [
		'text',
		'level',
	]),
	hub_watch: parameters({ ...strings(['id']), when: { type: 'string', enum: watchWhen.options } }, ['id', 'when']),
};

function parameters(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
	return { type: 'object', properties, required, additionalProperties: false };
}

/** Schema of one answer: words and calls. Only tools that may be called now are in it. */
export function turnSchema(tools: readonly HubTool[]): { name: string; json: Readonly<Record<string, unknown>> } {
	const call = (tool: HubTool) => ({
		type: 'object',
		properties: { tool: { type: 'string', enum: [tool] }, args: PARAMETERS[tool] },
		required: ['tool', 'args'],
		additionalProperties: false,
	});
	const shown = HUB_TOOLS.filter((tool) => tools.includes(tool));
	return {
		name: 'concierge_turn',
		json: {
			type: 'object',
			properties: {
				say: { type: 'string' },
				calls: { type: 'array', items: { anyOf: shown.map(call) } },
			},
			required: ['say', 'calls'],
			additionalProperties: false,
		},
	};
}
