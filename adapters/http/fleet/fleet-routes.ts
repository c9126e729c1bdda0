import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { anySignal } from '../../../core/any-signal.ts';
import type { ExtraRoutes } from '../deps.ts';
import { fail } from '../http-failure.ts';
import { createRateLimit } from '../rate-limit.ts';
import { bearerToken, isSameSecret } from '../secret-compare.ts';
import type { FleetHttpDeps } from './fleet-http-deps.ts';
import { fleetPaths } from './fleet-openapi.ts';
import { problemsOf, readBatch } from './read-batch.ts';

type FleetEnv = { Variables: { host: string } };
type FleetContext = Context<FleetEnv>;

const PATH = '/fleet';
const BODY_LIMIT_BYTES = 4 * 1_024 * 1_024;
/** Below the deadline that every answer of this server has. */
const LONGEST_WAIT_MS = 12_000;
const RATE = { burst: 400, perSecond: 100 };

const number = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const inboxQuery = z.object({ after: number.default(0), wait: number.optional() });
const ackBody = z.object({ seq: z.int().min(1) });
const refusalBody = z.object({ itemId: z.string().min(1).max(300), why: z.string().min(1).max(300) });

export interface FleetRoutes extends ExtraRoutes {
	/** Ends waiting requests. */
	close(): Promise<void>;
}

/** The way in for reports of sessions on other machines, and the way back to them. */
export function createFleetRoutes(deps: FleetHttpDeps): FleetRoutes {
	const { metrics, log } = deps;
	const closing = new AbortController();
	const rate = createRateLimit(deps.clock, RATE);
	const app = new Hono<FleetEnv>();

	app.use(async (c, next) => {
		const token = bearerToken(c.req.header('authorization'));
		// All are compared, so that the time says nothing.
		const [host] = Object.keys(deps.tokens).filter((name) => isSameSecret(token, deps.tokens[name]));
		if (host === undefined) {
			metrics.count('http_refused_total', { reason: 'fleet_token' });
			c.header('WWW-Authenticate', 'Bearer');
			const hint = 'Send "Authorization: Bearer …" with the token that FLEET_TOKENS has for this machine.';
			return fail(c, 401, 'token_needed', 'The bearer token is missing or not known.', hint);
		}
		c.set('host', host);
		const waitMs = rate.take(host);
		if (waitMs === 0) return next();
		c.header('Retry-After', String(Math.ceil(waitMs / 1_000)));
		return fail(c, 429, 'too_many_requests', 'Too many requests of this host.', 'Send several events in one request.');
	});

	const guarded =
		(handle: (c: FleetContext) => Promise<Response>) =>
		async (c: FleetContext): Promise<Response> => {
			try {
				return await handle(c);
			} catch (error) {
				const code = error instanceof Error && 'code' in error ? String(error.code) : '';
				if (!code.startsWith('redis_') && code !== 'report_conflict') throw error;
				log.warn({ host: c.get('host'), problem: code }, 'a request of a reporter could not be served');
				c.header('Retry-After', '5');
				const hint = 'Send all of it again under the same event ids; what was kept is not taken twice.';
				return fail(c, 503, 'unavailable', 'The events could not be kept now.', hint);
			}
		};

	const unknownSession = (c: FleetContext) =>
		fail(c, 404, 'unknown_session', 'This host has no such session.', 'Report it first: POST /fleet/events.');

	app.post(
		'/events',
		guarded(async (c) => {
			const raw: unknown = await c.req.json().catch(() => undefined);
			if (raw === undefined) return fail(c, 400, 'not_json', 'The body is not JSON.');
			const batch = readBatch(raw);
			if (!batch.ok) return fail(c, 422, 'invalid_batch', batch.problems.join('; '), 'See /openapi.json.');
			const host = c.get('host');
			const sessions = await deps.reports.take({ source: batch.source, host }, batch.reports);
			const taken = new Set(sessions.flatMap((session) => session.taken));
			const kept = batch.reports.map(({ eventId }) => eventId);
			metrics.count('fleet_reports_total', { outcome: 'taken' }, taken.size);
			metrics.count('fleet_reports_total', { outcome: 'known' }, kept.length - taken.size);
			metrics.count('fleet_reports_total', { outcome: 'refused' }, batch.refused.length);
			if (batch.refused.length > 0) log.warn({ host, refused: batch.refused.length }, 'reports were refused');
			const answer = {
				kept,
				known: kept.filter((id) => !taken.has(id)),
				refused: batch.refused,
				sessions: sessions.map(({ taken: _, ...session }) => session),
			};
			return c.json(answer, batch.reports.length === 0 ? 422 : 200);
		}),
	);

	app.get(
		'/sessions/:id/inbox',
		guarded(async (c) => {
			const query = inboxQuery.safeParse(c.req.query());
			if (!query.success) return fail(c, 422, 'invalid_query', problemsOf(query.error).join('; '));
			const { after, wait } = query.data;
			const waitMs = Math.min(wait ?? 0, deps.settings().ingest.pollMs, LONGEST_WAIT_MS);
			const signal = anySignal([c.req.raw.signal, closing.signal]);
			const items = await deps.inbox.read(c.get('host'), c.req.param('id') ?? '', after, waitMs, signal);
			return items === undefined ? unknownSession(c) : c.json({ items });
		}),
	);

	app.post(
		'/sessions/:id/ack',
		guarded(async (c) => {
			const body = ackBody.safeParse(await c.req.json().catch(() => undefined));
			if (!body.success) return fail(c, 422, 'invalid_ack', problemsOf(body.error).join('; '), 'Send {"seq": 3}.');
			const count = await deps.inbox.ack(c.get('host'), c.req.param('id') ?? '', body.data.seq);
			return count === undefined ? unknownSession(c) : c.json({ acknowledged: count });
		}),
	);

	app.post(
		'/sessions/:id/refuse',
		guarded(async (c) => {
			const body = refusalBody.safeParse(await c.req.json().catch(() => undefined));
			if (!body.success) return fail(c, 422, 'invalid_refusal', problemsOf(body.error).join('; '));
			const { itemId, why } = body.data;
			const result = { kind: 'failed', why } as const;
			const found = await deps.inbox.refuse(c.get('host'), c.req.param('id') ?? '', itemId, result);
			return found === undefined ? unknownSession(c) : c.json({ refused: found });
		}),
	);

	return {
		path: PATH,
		app: app as unknown as Hono,
		openapi: { paths: fleetPaths() },
		bodyLimitBytes: BODY_LIMIT_BYTES,
		async close() {
			closing.abort();
		},
	};
}
