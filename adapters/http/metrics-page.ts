import { Hono } from 'hono';
import { type HttpEnv, isLocalCaller } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { fail } from './http-failure.ts';
import { bearerToken, isAnySecret } from './secret-compare.ts';

/** `/metrics` for Prometheus: open to programs on this machine, to others by token. */
export function createMetricsPage({ metrics, secrets }: HttpDeps): Hono<HttpEnv> {
	const routes = new Hono<HttpEnv>();
	routes.get('/metrics', async (c) => {
		const allowed = isAnySecret(bearerToken(c.req.header('authorization')), [secrets.metricsToken, secrets.adminToken]);
		if (!allowed && !isLocalCaller(c)) {
			metrics.count('http_refused_total', { reason: 'metrics_token' });
			c.header('WWW-Authenticate', 'Bearer');
			const hint = 'Send "Authorization: Bearer …" with METRICS_TOKEN or ADMIN_TOKEN, or ask from the same machine.';
			return fail(c, 401, 'token_needed', 'Metrics need a token from outside this machine.', hint);
		}
		return c.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
	});
	return routes;
}
