/** Who wrote a line. `id` is the platform's id, `name` what people see; the name is untrusted text. */
export interface Author {
	readonly id: string;
	readonly name: string;
}

/**
 * One line on the bus, from a person or from us. `id` is the Discord message id for people, our own id for `bot` lines.
 * `room` is a configured room id, or `discord:<channel id>` for a place that is no room.
 */
export interface ChatMessage {
	readonly id: string;
	readonly room: string;
	readonly author: Author;
	/** True for everything that a program wrote; such lines never address us and never count as people. */
	readonly bot: boolean;
	readonly text: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** What it answers; `toBot` when that line was ours. `id` is a Discord message id. */
	readonly replyTo?: { readonly id: string; readonly toBot: boolean };
	/** Ids mentioned inline; our own account is the word `self`. */
	readonly mentions: readonly string[];
	/** Where it came from: `discord`, or the runtime that spoke (`overseer`, `commentary`, …). */
	readonly source: string;
	/** Decision that made a bot line. */
	readonly decisionId?: string;
	/** Trace context of what brought it. */
	readonly trace?: string | undefined;
}

/** A message with its place in the room's transcript; `seq` grows by one a line, from 1. */
export interface NumberedMessage extends ChatMessage {
	readonly seq: number;
}

/** Word for our own account in `mentions`. */
export const SELF = 'self';
