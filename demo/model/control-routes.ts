import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { isRecord, parseJson, readBody, sendJson } from './loopback-http.ts';
import type { ModelControl } from './model-control.ts';
import { modelStep } from './model-step.ts';

const listBody = z.strictObject({ steps: z.array(modelStep).min(1).max(1_000) });
const alwaysBody = z.strictObject({ step: modelStep.nullable() });

/** Serves `/control/…`; false when the path is not one of its own. */
export async function serveControl(
	control: ModelControl,
	url: URL,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<boolean> {
	if (!url.pathname.startsWith('/control')) return false;
	const route = `${request.method} ${url.pathname.replace(/\/$/, '')}`;
	switch (route) {
		case 'GET /control':
			sendJson(response, 200, control.state());
			return true;
		case 'POST /control/queue': {
			const raw = parseJson(await readBody(request));
			// Not a union of both: its complaint would not tell where the mistake is.
			const steps =
				isRecord(raw) && 'steps' in raw
					? accepted(raw, response, listBody)?.steps
					: asList(accepted(raw, response, modelStep));
			if (steps === undefined) return true;
			control.queue(...steps);
			sendJson(response, 200, control.state());
			return true;
		}
		case 'POST /control/always': {
			const body = accepted(parseJson(await readBody(request)), response, alwaysBody);
			if (body === undefined) return true;
			control.always(body.step ?? undefined);
			sendJson(response, 200, control.state());
			return true;
		}
		case 'GET /control/requests': {
			const after = Number(url.searchParams.get('after') ?? 0) || 0;
			const waitMs = Math.min(Number(url.searchParams.get('wait_ms') ?? 0) || 0, 60_000);
			if (waitMs > 0) await control.waitForRequest(after, waitMs);
			sendJson(response, 200, { requests: control.requests().filter((entry) => entry.id > after) });
			return true;
		}
		case 'POST /control/release':
			sendJson(response, 200, { released: control.release() });
			return true;
		case 'POST /control/reset':
			control.reset();
			sendJson(response, 200, control.state());
			return true;
		default:
			sendJson(response, 404, { error: `no ${route}; see docs/demo-model.md` });
			return true;
	}
}

/** The body when it fits; otherwise the refusal is sent and the answer is undefined. */
function accepted<T>(body: unknown, response: ServerResponse, schema: z.ZodType<T>): T | undefined {
	const parsed = schema.safeParse(body);
	if (parsed.success) return parsed.data;
	sendJson(response, 400, {
		error: 'not understood; see docs/demo-model.md',
		problems: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
	});
	return undefined;
}

function asList<T>(item: T | undefined): T[] | undefined {
	return item === undefined ? undefined : [item];
}
