/** The gateway would not let us in. `lines` explain it to a person: what, why, how to repair, what goes on meanwhile. */
export abstract class LoginError extends Error {
	abstract readonly code: string;
	abstract readonly lines: readonly string[];
}

/** Close code 4004, or 401 before the gateway was reached. */
export class BadToken extends LoginError {
	override readonly name = 'BadToken';
	readonly code = 'discord_bad_token';
	readonly lines = [
		'Discord refused the bot token (close code 4004, or 401).',
		'It was reset, mistyped, or belongs to a deleted application.',
		'Repair: developer portal, your application, Bot, "Reset Token"; put the new one into DISCORD_TOKEN and start again.',
		'Nothing was lost: messages of the last minutes are caught up with after the next login.',
	];
}

/** Close code 4014 (or 4013): the portal does not allow what the settings ask for. */
export class DisallowedIntents extends LoginError {
	override readonly name = 'DisallowedIntents';
	readonly code = 'discord_disallowed_intents';
	readonly lines = [
		'Discord closed the connection with 4014: the MESSAGE CONTENT intent is not switched on for this bot.',
		'The settings ask for it (discord.messageContent: true), the developer portal does not allow it.',
		'Repair: developer portal, your application, Bot, "Message Content Intent" on; or set discord.messageContent: false.',
		'With false the bot hears only mentions, replies to it, commands and forms; everything else works the same.',
	];
}

/** No session within the deadline, or a refusal that is neither token nor intents. Trying again may help. */
export class GatewayUnreachable extends LoginError {
	override readonly name = 'GatewayUnreachable';
	readonly code = 'discord_unreachable';
	readonly lines: readonly string[];

	constructor(reason: string, options?: { cause?: unknown }) {
		super(reason, options);
		this.lines = [
			`Discord's gateway did not open a session: ${reason}.`,
			'The network, a proxy (discord.restUrl) or Discord itself is in the way.',
			'Repair: check https://discordstatus.com and that this machine reaches it.',
			'The bot keeps trying, more and more slowly.',
		];
	}
}

/** Turns whatever discord.js threw at login, or a close code, into one of the three causes. */
export function toLoginError(failure: unknown, closeCode?: number): LoginError {
	if (failure instanceof LoginError) return failure;
	const text = failure instanceof Error ? failure.message : String(failure ?? '');
	const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
	const options = failure === undefined ? undefined : { cause: failure };
	if (closeCode === 4004 || code === 'TokenInvalid' || /authentication failed/i.test(text))
		return new BadToken('the token was refused', options);
	if (closeCode === 4014 || closeCode === 4013 || /(disallowed|invalid) intents/i.test(text))
		return new DisallowedIntents('the intents were refused', options);
	return new GatewayUnreachable(text === '' ? `closed with ${closeCode ?? 'no code'}` : text, options);
}
