import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { HttpEnv } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { fail } from './http-failure.ts';

const PATH = '/queues';

/** The queue board. Read-only is enforced here as well as on the page. */
export function createBoard({ queues = [], settings, about }: HttpDeps): Hono<HttpEnv> {
	const routes = new Hono<HttpEnv>();
	if (queues.length === 0) {
		routes.all(`${PATH}/*`, (c) => fail(c, 404, 'no_queues', 'This process has no queues.'));
		return routes;
	}
	const adapter = new HonoAdapter(serveStatic);
	adapter.setBasePath(PATH);
	createBullBoard({
		queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: settings.queuesReadOnly })),
		serverAdapter: adapter,
		options: { uiConfig: { boardTitle: `${about.name()} queues`, miscLinks: [{ text: 'Admin', url: '/admin' }] } },
	});
	if (settings.queuesReadOnly)
		routes.on(['POST', 'PUT', 'PATCH', 'DELETE'], `${PATH}/*`, (c) =>
			fail(c, 403, 'read_only', 'The queue board is read-only.', 'Set http.queuesReadOnly: false to change jobs here.'),
		);
	routes.route(PATH, adapter.registerPlugin() as unknown as Hono<HttpEnv>);
	return routes;
}
