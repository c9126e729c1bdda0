/**
 * The port behind which every language model stands. Core and jobs speak only these shapes; the provider's own
 * wire format ends inside its adapter.
 */

/** One turn of the prompt. Neighbouring turns of the same role are legal; an adapter merges them where it must. */
export interface ModelMessage {
	role: 'system' | 'user' | 'assistant';
	content: string;
}

/** A JSON schema object, as sent to the provider. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool offered natively. Names are unique and match `^[a-zA-Z0-9_-]{1,64}$`. */
interface ModelTool {
	name: string;
	description: string;
	parameters: JsonSchema;
}

/** On whose behalf a model is asked; calls with a budget of their own count in no other. */
export type CallAccount = { readonly personIds: readonly string[]; readonly channelId: string } | 'own_budget';

/** What one call asks for. */
export interface ModelRequest {
	messages: readonly ModelMessage[];
	/** Constrains the whole answer to this schema. Where schema and tools exclude each other, the schema wins. */
	schema?: { name: string; json: JsonSchema };
	tools?: readonly ModelTool[];
	/** Upper bound of the answer in tokens; never above `limits.outputTokens`. */
	maxOutputTokens?: number;
	/** Milliseconds from the call until it must have ended, streaming and retries included. */
	deadlineMs: number;
	/** Aborting it ends the call with `cancelled`. */
	signal?: AbortSignal;
	/** Label for metrics, such as `overseer.decide`; never sent to the provider. */
	purpose: string;
	/** Whose limits it counts against; those of the day only when absent. Never sent to the provider. */
	account?: CallAccount;
	/** Called once, when the first piece of answer (text, thinking or call) arrives. */
	onFirstToken?: () => void;
}

/** A tool call as the model wrote it: unchecked, arguments may be an object, a string, null or nothing at all. */
export interface ModelCall {
	name: string;
	arguments: unknown;
}

/** Tokens and money one call used, failed tries of the same call included where the provider told us. */
export interface ModelUsage {
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens?: number;
	cacheWriteTokens?: number;
	/** US dollars; 0 for a local model, undefined when the price of the model is not known. */
	costUsd?: number | undefined;
}

/** Why the model stopped. With `length` there are never any calls: the last one may have been cut. */
export type ModelStop = 'end' | 'length' | 'tool_use' | 'refusal' | 'other';

/** Where the time went, in milliseconds; the optional ones as far as the provider reports them. */
interface ModelDurations {
	totalMs: number;
	firstTokenMs?: number;
	loadMs?: number;
	promptMs?: number;
	evalMs?: number;
}

/** A complete answer. A stream that broke never becomes one. */
export interface ModelReply {
	/** Answer text without the provider's separate thinking; inline think blocks are the normaliser's business. */
	text: string;
	/** The parsed answer when a schema was asked for and the text is JSON; undefined otherwise. */
	structured?: unknown;
	calls: ModelCall[];
	thinking?: string;
	usage: ModelUsage;
	stop: ModelStop;
	/** The model that answered, as the provider names it. */
	model: string;
	durations: ModelDurations;
	/** The provider read far fewer prompt tokens than were sent: it cut the front away. Discard the answer. */
	truncated: boolean;
}

type ModelCheck = { ok: true; detail: string } | { ok: false; error: ModelError };

export interface Model {
	/** `provider/model`, such as `ollama/qwen3:8b`. */
	readonly id: string;
	readonly limits: {
		readonly contextTokens: number;
		readonly outputTokens: number;
		/** What it may think on top of an answer, and be paid for; none when absent. */
		readonly thinkingTokens?: number;
	};
	/** Rejects only with {@link ModelError}. */
	complete(request: ModelRequest): Promise<ModelReply>;
	/** Is the provider there and does it have this model? Never rejects; costs no tokens. */
	check(deadlineMs: number): Promise<ModelCheck>;
}

export type ModelErrorCode =
	| 'unreachable'
	| 'timeout'
	| 'overloaded'
	| 'rate_limited'
	| 'refused'
	| 'truncated'
	| 'invalid'
	| 'auth'
	| 'missing_model'
	| 'cancelled'
	| 'paused'
	| 'limited';

/** A limit of this house on calls of models. */
export type LimitName = 'person' | 'channel' | 'day_calls' | 'day_usd';

/**
 * Every way a model call fails.
 *
 * `truncated` means the prompt is larger than the window and the provider said so; `refused` that this account may
 * not do this (a model that declines to answer is a reply with stop `refusal`); `invalid` covers requests the provider
 * does not accept, and output it could not finish (then `transient` is true). `paused` and `limited` are this house's own:
 * an admin paused everything, or a limit is used up (`limit` says which, `retryAfterMs` when it opens again).
 */
export class ModelError extends Error {
	override readonly name = 'ModelError';
	readonly code: ModelErrorCode;
	/** Whether the same request may work later without anybody changing anything. */
	readonly transient: boolean;
	/** The wait the provider asked for, in milliseconds. */
	readonly retryAfterMs?: number;
	/** What an operator can do about it, in plain words and without secrets. */
	readonly hint: string;
	/** What the failed tries used, where the provider told us; it counts against a budget like any other use. */
	readonly usage?: ModelUsage;
	/** With `limited`: which limit. */
	readonly limit?: LimitName;

	constructor(
		code: ModelErrorCode,
		message: string,
		detail: {
			transient: boolean;
			hint: string;
			retryAfterMs?: number;
			usage?: ModelUsage;
			limit?: LimitName;
			cause?: unknown;
		},
	) {
		super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
		this.code = code;
		this.transient = detail.transient;
		this.hint = detail.hint;
		if (detail.retryAfterMs !== undefined) this.retryAfterMs = detail.retryAfterMs;
		if (detail.usage !== undefined) this.usage = detail.usage;
		if (detail.limit !== undefined) this.limit = detail.limit;
	}
}
