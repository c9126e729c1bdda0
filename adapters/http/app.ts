import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { createAdmin } from './admin.ts';
import { createBoard } from './board.ts';
import { callerAddress, type HttpEnv } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { createHealth } from './health.ts';
import { fail } from './http-failure.ts';
import { createLogin } from './login.ts';
import { createMetricsPage } from './metrics-page.ts';
import { describeApi } from './openapi.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRoverReports } from './rover-reports.ts';

const BODY_LIMIT = 64 * 1_024;
const DEADLINE_MS = 15_000;

/** Own scripts and styles only: nothing that gets into a page as text can run or call home. */
const csp = (frameAncestors: readonly string[]) =>
	[
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'",
		"form-action 'self'",
		"base-uri 'self'",
		`frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
	].join('; ');

function headers(frameAncestors: readonly string[]): MiddlewareHandler {
	const policy = csp(frameAncestors);
	return async (c, next) => {
		await next();
		c.header('X-Content-Type-Options', 'nosniff');
		// The older header cannot name an origin; where frames are allowed the policy alone decides.
		if (frameAncestors.length === 0) c.header('X-Frame-Options', 'DENY');
		c.header('Referrer-Policy', 'same-origin');
		if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', policy);
	};
}

/**
 * Bytes of a body that says how long it is; the parser lets no more through. Looked at before the body is touched, which would
 * turn it into a web stream: reading that takes several times as long.
 */
function statedBytes(c: Context): number | undefined {
	const stated = c.req.header('content-length');
	const isBare = c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.header('transfer-encoding') !== undefined;
	return isBare || stated === undefined || !/^\d+$/.test(stated) ? undefined : Number(stated);
}

export interface HttpApp {
	readonly app: Hono<HttpEnv>;
	/** Ends what would otherwise keep connections open. */
	close(): void;
}

/** All routes of the house, with the limits that hold for every one of them. */
export function createHttpApp(deps: HttpDeps): HttpApp {
	const { metrics, log, clock } = deps;
	const rate = createRateLimit(clock, deps.rate ?? { burst: 300, perSecond: 20 });
	const extra = deps.routes ?? [];
	const extraOf = (path: string) => extra.find((route) => path === route.path || path.startsWith(`${route.path}/`));
	const app = new Hono<HttpEnv>();

	/** Route names for metrics: a closed set, whatever is asked for. */
	const routeOf = (path: string) => {
		const own = ['/healthz', '/readyz', '/metrics', '/queues', '/admin', '/login', '/logout', '/openapi.json', '/room'];
		return (
			[...extra.map((route) => route.path as string), ...own].find(
				(route) => path === route || path.startsWith(`${route}/`),
			) ?? 'other'
		);
	};
	app.use(async (c, next) => {
		const startedAt = performance.now();
		await next();
		const seconds = (performance.now() - startedAt) / 1_000;
		const route = routeOf(c.req.path);
		const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(c.req.method) ? c.req.method : 'other';
		metrics.count('http_requests_total', { route, method, status: String(c.res.status) });
		metrics.observe('http_seconds', seconds, { route });
		log.debug({ method, path: c.req.path, status: c.res.status, seconds }, 'request');
	});
	app.use(headers(deps.frameAncestors ?? []));
	app.use(async (c, next) => {
		// Health checks have to come through whatever else the same address does.
		const waitMs = c.req.path === '/healthz' ? 0 : rate.take(callerAddress(c));
		if (waitMs === 0) return next();
		metrics.count('http_refused_total', { reason: 'rate' });
		c.header('Retry-After', String(Math.ceil(waitMs / 1_000)));
		return fail(c, 429, 'too_many_requests', 'Too many requests from this address.', 'Wait as Retry-After says.');
	});
	app.use((c, next) => {
		const maxSize = extraOf(c.req.path)?.bodyLimitBytes ?? BODY_LIMIT;
		const tooLarge = (context: Context) => {
			metrics.count('http_refused_total', { reason: 'body' });
			return fail(context, 413, 'body_too_large', 'The body is too large.');
		};
		const bytes = statedBytes(c);
		if (bytes === undefined) return bodyLimit({ maxSize, onError: tooLarge })(c, next);
		return bytes > maxSize ? Promise.resolve(tooLarge(c)) : next();
	});
	app.use(async (c, next) => {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<'late'>((resolve) => {
			timer = setTimeout(resolve, deps.deadlineMs ?? DEADLINE_MS, 'late');
		});
		const outcome = await Promise.race([next(), late]).finally(() => clearTimeout(timer));
		if (outcome !== 'late') return;
		metrics.count('http_refused_total', { reason: 'deadline' });
		return fail(c, 503, 'too_slow', 'The answer took too long and was given up.', 'Try again.');
	});

	const health = createHealth(deps);
	const login = createLogin(deps);
	const admin = createAdmin({ ...deps, readiness: health.readiness, isOpen: login.isOpen });
	app.route('/', health.routes);
	app.route('/', createMetricsPage(deps));
	app.route('/', login.routes);
	for (const path of ['/admin', '/admin/*', '/queues', '/queues/*']) app.use(path, login.guard);
	app.route('/', admin.routes);
	app.route('/', createBoard(deps));
	app.route('/', createRoverReports(deps));
	app.get('/openapi.json', (c) => c.json(describeApi(deps)));
	app.get('/favicon.ico', (c) => c.body(null, 204));
	app.get('/', (c) => c.redirect('/admin', 302));
	for (const route of extra) app.route(route.path, route.app as unknown as Hono<HttpEnv>);

	const known = [
		'/healthz',
		'/readyz',
		'/metrics',
		'/admin',
		'/queues',
		'/openapi.json',
		...extra.map((route) => route.path),
	];
	app.notFound((c) =>
		fail(c, 404, 'not_found', `There is no ${c.req.method} ${c.req.path} here.`, `Known: ${known.join(', ')}.`),
	);
	app.onError((error, c) => {
		if (error instanceof HTTPException) return fail(c, error.status as 400, 'refused', error.message || 'Refused.');
		const id = Math.floor(clock.now()).toString(36);
		log.error({ error, errorId: id, path: c.req.path }, 'request failed');
		return fail(
			c,
			500,
			'internal',
			`Something broke here; it is in the log as ${id}.`,
			'Try again; if it stays, look into the log.',
		);
	});
	return { app, close: admin.close };
}
