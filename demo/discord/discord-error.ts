/** A refusal in Discord's own shape. `status` is the HTTP status, `code` Discord's JSON error code. */
export class DiscordError extends Error {
	readonly status: number;
	readonly code: number;
	readonly errors: unknown;

	constructor(status: number, code: number, message: string, errors?: unknown) {
		super(message);
		this.name = 'DiscordError';
		this.status = status;
		this.code = code;
		this.errors = errors;
	}

	toBody(): { message: string; code: number; errors?: unknown } {
		const body = { message: this.message, code: this.code };
		return this.errors === undefined ? body : { ...body, errors: this.errors };
	}
}

const table = {
	notFound: [404, 0, '404: Not Found'],
	unauthorized: [401, 0, '401: Unauthorized'],
	unknownChannel: [404, 10003, 'Unknown Channel'],
	unknownGuild: [404, 10004, 'Unknown Guild'],
	unknownMember: [404, 10007, 'Unknown Member'],
	unknownMessage: [404, 10008, 'Unknown Message'],
	unknownRole: [404, 10011, 'Unknown Role'],
	unknownUser: [404, 10013, 'Unknown User'],
	unknownEmoji: [400, 10014, 'Unknown Emoji'],
	unknownWebhook: [404, 10015, 'Unknown Webhook'],
	unknownInteraction: [404, 10062, 'Unknown interaction'],
	unknownCommand: [404, 10063, 'Unknown application command'],
	tooManyReactions: [400, 30010, 'Maximum number of reactions reached (20)'],
	tooManyPins: [400, 30003, 'Maximum number of pins reached (50)'],
	tooManyCommands: [400, 30032, 'Maximum number of application commands reached (100).'],
	entityTooLarge: [413, 40005, 'Request entity too large'],
	alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
	missingAccess: [403, 50001, 'Missing Access'],
	cannotDirectMessage: [403, 50007, 'Cannot send messages to this user'],
	notAuthor: [403, 50005, 'Cannot edit a message authored by another user'],
	emptyMessage: [400, 50006, 'Cannot send an empty message'],
	notInChannelType: [400, 50024, 'Cannot execute action on this channel type'],
	wrongChannelKind: [403, 50003, 'Cannot execute action on a DM channel'],
	missingPermissions: [403, 50013, 'Missing Permissions'],
	bulkDeleteCount: [
		400,
		50016,
		'Provided too few or too many messages to delete. Must provide at least 2 and fewer than 100 messages to delete',
	],
	systemMessage: [403, 50021, 'Cannot execute action on a system message'],
	invalidWebhookToken: [401, 50027, 'Invalid Webhook Token'],
	bulkDeleteTooOld: [400, 50034, 'A message provided was too old to bulk delete'],
	threadArchived: [400, 50083, 'Thread is archived'],
	invalidJson: [400, 50109, 'The request body contains invalid JSON.'],
	slowmode: [400, 20016, 'This action cannot be performed due to slowmode rate limit.'],
	replyNeedsHistory: [400, 160002, 'Cannot reply without permission to read message history'],
	threadExists: [400, 160004, 'A thread has already been created for this message'],
	threadLocked: [400, 160005, 'Thread is locked'],
} as const satisfies Record<string, readonly [number, number, string]>;

/** Makes the refusal with that name, e.g. `refusal('unknownChannel')` is 404 with code 10003. */
export function refusal(name: keyof typeof table): DiscordError {
	const [status, code, message] = table[name];
	return new DiscordError(status, code, message);
}

/**
 * 400 with code 50035 and Discord's nested `errors` tree.
 * `path` is dotted ("embeds.0.title"); `code` is the inner one, such as BASE_TYPE_MAX_LENGTH.
 */
export function invalidForm(path: string, code: string, message: string): DiscordError {
	let tree: Record<string, unknown> = { _errors: [{ code, message }] };
	for (const key of path.split('.').reverse()) tree = { [key]: tree };
	return new DiscordError(400, 50035, 'Invalid Form Body', tree);
}
