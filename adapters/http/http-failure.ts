import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What every refusal looks like on the wire. */
export interface FailureBody {
	readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** An answer that says what is wrong and what to do, as JSON. */
export function fail(c: Context, status: ContentfulStatusCode, code: string, message: string, hint?: string): Response {
	const body: FailureBody = { error: { code, message, ...(hint === undefined ? {} : { hint }) } };
	return c.json(body, status);
}
