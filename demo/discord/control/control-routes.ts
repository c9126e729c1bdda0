import { Hono } from 'hono';
import { controlNames, isControlName, runOperation } from './control.ts';
import { ControlError } from './control-error.ts';
import { createLiveFeed } from './live-feed.ts';
import type { ControlServices } from './operation.ts';

/** `message-command` in an address is `messageCommand` in code. */
const toName = (path: string): string => path.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Pages of other origins may not steer the house: a browser always names its origin on such requests.
 * Programs send none.
 */
function isForeign(origin: string | undefined, host: string | undefined): boolean {
	return origin !== undefined && origin !== `http://${host}`;
}

/** `POST /control/<name>` with JSON, or `GET /control/<name>?key=value`; and the live feed. */
export function createControlRoutes(services: ControlServices): Hono {
	const app = new Hono();
	app.onError((error, c) => {
		if (error instanceof ControlError) return c.json({ error: error.code, message: error.message }, error.status);
		return c.json({ error: 'internal', message: `${error.name}: ${error.message}` }, 500);
	});
	app.use('*', async (c, next) => {
		if (isForeign(c.req.header('origin'), c.req.header('host'))) {
			throw new ControlError('not-allowed', 'requests from other origins are refused');
		}
		await next();
	});
	app.get('/', (c) => c.json({ operations: controlNames }));
	app.get('/live', (c) => createLiveFeed(services, c.req.query('as') ?? '', c.req.raw.signal));
	app.on(['GET', 'POST'], '/:name', async (c) => {
		const name = toName(c.req.param('name'));
		if (!isControlName(name)) throw new ControlError('unknown', `there is no operation "${name}"`);
		if (c.req.method === 'GET') return c.json((await runOperation(services, name, c.req.query())) as object);
		let input: unknown = {};
		const text = await c.req.text();
		try {
			if (text !== '') input = JSON.parse(text);
		} catch {
			throw new ControlError('invalid', 'the body is not JSON');
		}
		return c.json((await runOperation(services, name, input)) as object);
	});
	return app;
}
