import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../core/ports.ts';

const MAX_SESSIONS = 100;
/** Time until a login ends, in milliseconds. */
export const SESSION_MS = 12 * 3_600_000;

const digest = (id: string) => createHash('sha256').update(id).digest('base64url');

/** Logins of this process, in memory: a restart logs everybody out. Only digests of ids are kept. */
export interface SessionBook {
	/** A new login; the oldest ends when there are too many. */
	open(): string;
	isOpen(id: string | undefined): boolean;
	close(id: string | undefined): void;
}

export function createSessionBook(clock: Clock): SessionBook {
	const expiry = new Map<string, number>();
	return {
		open() {
			for (const [key, at] of expiry) if (at <= clock.now() || expiry.size >= MAX_SESSIONS) expiry.delete(key);
			const id = randomBytes(32).toString('base64url');
			expiry.set(digest(id), clock.now() + SESSION_MS);
			return id;
		},
		isOpen: (id) => id !== undefined && (expiry.get(digest(id)) ?? 0) > clock.now(),
		close(id) {
			if (id !== undefined) expiry.delete(digest(id));
		},
	};
}
