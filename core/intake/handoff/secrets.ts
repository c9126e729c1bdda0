/** Shapes of things that must not be handed on, with the name a person sees. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
	['private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
	['access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
	['API key', /\b(?:sk|pk|rk)[-_](?:live|test|ant|proj)?[-_]?[A-Za-z0-9_-]{20,}\b/],
	[
		'token',
		/\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|npm_[A-Za-z0-9]{36})\b/,
	],
	['token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
	['bot token', /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,45}\b/],
	[
		'password',
		/\b(?:pass(?:word|wd)?|passwort|kennwort|mot de passe|contraseña|密码)\s?(?:is|ist|est|es|=|:|：)\s?\S{6,}/iu,
	],
	['address with password', /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,80}:[^\s@/]{3,80}@/i],
	['card number', /\b(?:4\d{3}|5[1-5]\d{2}|3[47]\d{2}|6011)[ -]?\d{4}[ -]?\d{4}[ -]?\d{3,4}\b/],
];

/** Kinds of secret a text seems to hold; never the secret itself. */
export function secretKinds(text: string): string[] {
	return [...new Set(SHAPES.filter(([, shape]) => shape.test(text)).map(([kind]) => kind))];
}
