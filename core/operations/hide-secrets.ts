const HIDDEN = '[secret]';

/** A text without any of these secrets, plain or as part of an address. Shorter than four characters is no secret. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	return secrets
		.filter((secret) => secret.length >= 4)
		.flatMap((secret) => [secret, encodeURIComponent(secret)])
		.sort((a, b) => b.length - a.length)
		.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}
