import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in the same time whatever the texts and their lengths are. An unset secret equals nothing. */
export function isSameSecret(given: string | undefined, wanted: string | undefined): boolean {
	const same = timingSafeEqual(digest(given ?? ''), digest(wanted ?? ''));
	return same && Boolean(given) && Boolean(wanted);
}

/** Any of several; always compares with all of them. */
export function isAnySecret(given: string | undefined, wanted: readonly (string | undefined)[]): boolean {
	return wanted.map((secret) => isSameSecret(given, secret)).includes(true);
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
	return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
