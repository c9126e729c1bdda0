/**
 * Any failure of the Home Assistant connection. Codes of our own: `cannot_connect`, `invalid_auth`, `connection_lost`,
 * `not_sent`, `deadline`, `host_required`, `unexpected`; all others are Home Assistant's, such as `not_found`.
 */
export class HomeError extends Error {
	override readonly name = 'HomeError';
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** The library's numbers when they come bare; a bare 3 means that the message never left. */
const bareNumbers: Readonly<Record<number, readonly [code: string, message: string]>> = {
	1: ['cannot_connect', 'Home Assistant cannot be reached'],
	2: ['invalid_auth', 'Home Assistant refused the token'],
	3: ['not_sent', 'not connected to Home Assistant'],
	4: ['host_required', 'no Home Assistant address given'],
};

/** The same numbers inside an error object; a 3 there means that a sent message was never answered. */
const wrappedNumbers: typeof bareNumbers = {
	...bareNumbers,
	3: ['connection_lost', 'the connection to Home Assistant was lost before the answer'],
};

const undescribed = 'an error without a description';

/** Turns whatever the library or a socket throws into one type: a number, `{code, message}`, `{error: {code, message}}`, an Error, anything. */
export function toHomeError(thrown: unknown): HomeError {
	if (thrown instanceof HomeError) return thrown;
	if (typeof thrown === 'number') return fromNumber(bareNumbers, thrown);
	if (typeof thrown === 'string' && thrown !== '') return new HomeError('unexpected', thrown);
	if (typeof thrown !== 'object' || thrown === null) return new HomeError('unexpected', undescribed);
	const inner = 'error' in thrown && typeof thrown.error === 'object' && thrown.error !== null ? thrown.error : thrown;
	const code = 'code' in inner ? inner.code : undefined;
	const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : undefined;
	if (typeof code === 'number') return fromNumber(wrappedNumbers, code);
	if (typeof code === 'string' && code !== '') return new HomeError(code, message ?? code);
	return new HomeError('unexpected', message ?? undescribed);
}

function fromNumber(table: typeof bareNumbers, number: number): HomeError {
	const [code, message] = table[number] ?? ['unexpected', `error number ${number}`];
	return new HomeError(code, message);
}
