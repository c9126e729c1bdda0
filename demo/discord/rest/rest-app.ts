import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DiscordError, refusal } from '../discord-error.ts';
import { channelRoutes } from './channel-routes.ts';
import { commandRoutes } from './command-routes.ts';
import { guildRoutes } from './guild-routes.ts';
import { interactionRoutes } from './interaction-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { refuse } from './rate-limits.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { parseBody } from './request-body.ts';
import type { LoggedRequest } from './request-log.ts';
import type { RestContext, RestEnv, RestServices } from './rest-context.ts';
import type { ArmedFault } from './rest-faults.ts';
import { threadRoutes } from './thread-routes.ts';
import { userRoutes } from './user-routes.ts';

const prefix = /^\/api(\/v\d+)?/;
/** Marks an answer that never left because the connection was cut. */
const dropHeader = 'x-loopback-drop';

/** The path below /api/v10 with what varies replaced. */
function routeOf(method: string, path: string): string {
	const pattern = path
		.replace(/^\/webhooks\/(\d+)\/[^/]+/, '/webhooks/:id/:token')
		.replace(/^\/interactions\/(\d+)\/[^/]+/, '/interactions/:id/:token')
		.replace(/\/reactions\/[^/]+/, '/reactions/:emoji')
		.replace(/\/webhooks\/\d+\//, '/webhooks/:id/')
		.replace(/\/\d{15,20}(?=\/|$)/g, '/:id');
	return `${method} ${pattern}`;
}

function majorOf(path: string): string {
	return /^\/(?:channels|guilds)\/(\d+)|^\/webhooks\/(\d+\/[^/]+)/.exec(path)?.[0] ?? '';
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Discord's REST API, version 10 (any version in the path is served alike). */
export function createRestApp(services: RestServices): Hono<RestEnv> {
	const { world, faults, requests, rateLimits } = services;
	const app = new Hono<RestEnv>();
	const entries = new WeakMap<Request, LoggedRequest>();

	const findApplication = (c: RestContext) => {
		const token = /^(?:Bot|Bearer) (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
		return token === undefined ? undefined : [...world.applications.values()].find((one) => one.token === token);
	};

	const tooMany = (c: RestContext, admission: ReturnType<typeof refuse>): Response =>
		c.json(
			{
				message: 'You are being rate limited.',
				retry_after: admission.retryAfterMs / 1000,
				global: admission.isGlobal,
			},
			429,
			admission.headers,
		);

	/** Plays a fault that replaces the answer; undefined when the request goes on. */
	const play = async (c: RestContext, fault: ArmedFault | undefined): Promise<Response | undefined> => {
		switch (fault?.kind) {
			case 'latency':
				await sleep(fault.delayMs ?? 1000);
				return undefined;
			case 'hang':
				await new Promise<void>((resolve) =>
					c.req.raw.signal.addEventListener('abort', () => resolve(), { once: true }),
				);
				return c.body(null, 499 as ContentfulStatusCode);
			case 'drop':
				c.env.incoming.socket.destroy();
				return c.body(null, 502, { [dropHeader]: '1' });
			case 'rate-limit': {
				const refused = refuse(fault.retryAfterMs ?? 1000, fault.global === true, fault.scope);
				return tooMany(c, fault.withoutHeaders === true ? { ...refused, headers: {} } : refused);
			}
			case 'error': {
				const status = (fault.status ?? 500) as ContentfulStatusCode;
				return c.json({ message: fault.message ?? `${status}: injected`, code: fault.code ?? 0 }, status);
			}
			default:
				return undefined;
		}
	};

	app.onError((error, c) => {
		const refused =
			error instanceof DiscordError ? error : new DiscordError(500, 0, `500: ${error.name}: ${error.message}`);
		return c.json(refused.toBody(), refused.status as ContentfulStatusCode);
	});
	app.notFound((c) => c.json(refusal('notFound').toBody(), 404));

	app.use('*', async (c, next) => {
		const path = decodeURIComponent(c.req.path.replace(prefix, ''));
		const application = findApplication(c);
		c.set('application', application);
		const body = await parseBody(c.req.raw);
		c.set('body', body);
		const route = routeOf(c.req.method, path);
		const entry = requests.open({
			atMs: world.now(),
			method: c.req.method,
			path,
			route,
			query: c.req.query(),
			bot: application?.name ?? null,
			body: body.json,
			files: body.files.map(({ name, contentType, bytes }) => ({ name, contentType, size: bytes.byteLength })),
			auditReason: c.req.header('x-audit-log-reason') ?? null,
		});
		entries.set(c.req.raw, entry);
		const fault = faults.take(c.req.method, path);
		const replaced = fault?.afterEffect === true ? undefined : await play(c, fault);
		if (replaced !== undefined) {
			c.res = replaced;
		} else {
			const tokenless = /^\/(webhooks\/\d+\/|interactions\/|gateway$)/.test(path);
			if (!tokenless && application === undefined) throw refusal('unauthorized');
			const counted = path.startsWith('/interactions/') ? undefined : application?.id;
			const admission = rateLimits.admit(route, majorOf(path), counted);
			if (admission.admitted) await next();
			else c.res = tooMany(c, admission);
			for (const [name, value] of Object.entries(admission.headers)) c.res.headers.set(name, value);
			const late = fault?.afterEffect === true ? await play(c, fault) : undefined;
			if (late !== undefined) c.res = late;
		}
	});

	for (const routes of [
		messageRoutes,
		reactionRoutes,
		threadRoutes,
		channelRoutes,
		interactionRoutes,
		commandRoutes,
		guildRoutes,
		userRoutes,
	]) {
		app.route('/', routes(services));
	}

	const outer = new Hono<RestEnv>();
	outer.use('*', async (c, next) => {
		await next();
		const entry = entries.get(c.req.raw);
		if (entry === undefined) return;
		const isRefusal = c.res.status >= 400 && c.res.headers.get('content-type')?.includes('json') === true;
		const body = isRefusal
			? ((await c.res
					.clone()
					.json()
					.catch(() => undefined)) as { code?: number } | undefined)
			: undefined;
		requests.settle(entry, c.res.headers.has(dropHeader) ? 0 : c.res.status, body?.code ?? null);
	});
	outer.route('/', app);
	return outer;
}
