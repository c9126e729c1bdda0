import { DiscordAPIError, HTTPError } from 'discord.js';

/** What a failed request means for whoever wanted something. */
export interface DiscordFailure {
	/** Asking again will never help; otherwise it may. */
	readonly isPermanent: boolean;
	/** Discord's code, else the HTTP status, else 0. */
	readonly code: number;
	readonly reason: FailureReason;
}

type FailureReason =
	| 'gone'
	| 'locked'
	| 'forbidden'
	| 'blocked'
	| 'invalid'
	| 'interaction_late'
	| 'interaction_taken'
	| 'interaction_expired'
	| 'token'
	| 'network';

const reasons: Readonly<Record<number, FailureReason>> = {
	10003: 'gone',
	10004: 'gone',
	10008: 'gone',
	10015: 'interaction_expired',
	10062: 'interaction_late',
	40060: 'interaction_taken',
	50001: 'forbidden',
	50013: 'forbidden',
	50027: 'interaction_expired',
	50083: 'locked',
	160005: 'locked',
	200000: 'blocked',
	200001: 'blocked',
};

/** Sorts what discord.js throws by code and status, never by text. */
export function toDiscordFailure(error: unknown): DiscordFailure {
	if (error instanceof DiscordAPIError) {
		const code = Number(error.code) || error.status;
		// An expired interaction answers 401 as well, and that says nothing about our own token.
		if (error.status === 401 && code !== 50_027) return { isPermanent: false, code, reason: 'token' };
		if (error.status === 429 || error.status >= 500) return { isPermanent: false, code, reason: 'network' };
		const byStatus = error.status === 403 ? 'forbidden' : error.status === 404 ? 'gone' : 'invalid';
		return { isPermanent: true, code, reason: reasons[code] ?? byStatus };
	}
	if (error instanceof HTTPError) return { isPermanent: false, code: error.status, reason: 'network' };
	return { isPermanent: false, code: 0, reason: 'network' };
}
