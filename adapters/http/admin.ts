import { Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { HttpEnv } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import type { Readiness } from './health.ts';
import { fail } from './http-failure.ts';
import { sessionOf } from './login.ts';
import { fillPage, readPageFile } from './page-files.ts';

const MAX_STREAMS = 20;
/** How often the page hears about health, and its login is looked at. */
const PULSE_MS = 3_000;

interface AdminDeps extends HttpDeps {
	readiness(): Promise<Readiness>;
	isOpen(sessionId: string | undefined): boolean;
}

export interface Admin {
	readonly routes: Hono<HttpEnv>;
	/** Ends all live pages. */
	close(): void;
}

/** `/admin`: one page that shows the house live; `/admin/events` feeds it with server-sent events. */
export function createAdmin(deps: AdminDeps): Admin {
	const { panel, about } = deps;
	const page = readPageFile('admin.html');
	const streams = new Set<() => void>();
	const routes = new Hono<HttpEnv>();

	routes.get('/admin', (c) => c.html(fillPage(page, { name: about.name(), version: about.version, role: about.role })));
	for (const name of ['admin.css', 'admin.js', 'boards.js', 'room.js']) {
		const file = readPageFile(name);
		routes.get(`/admin/${name}`, (c) => c.body(file.text, 200, { 'Content-Type': file.type }));
	}

	const roomEvent = async (id: string) => {
		const title = panel?.rooms().find((room) => room.id === id)?.title ?? id;
		return JSON.stringify({ id, title, status: (await panel?.read(id)) ?? null });
	};
	const sendHealth = async (stream: SSEStreamingApi) =>
		stream.writeSSE({ event: 'health', data: JSON.stringify({ ...(await deps.readiness()), now: deps.clock.now() }) });

	/** Sends the boards whose document is not what this page has. One that cannot be read is told as such. */
	const sendBoards = async (stream: SSEStreamingApi, shown: Map<string, string>) => {
		for (const { name, read } of deps.boards ?? []) {
			const document = await read().catch((error: unknown) => {
				deps.log.warn({ error, board: name }, 'a part of the admin page could not be read');
				return undefined;
			});
			const data = JSON.stringify({ name, document: document ?? null });
			if (shown.get(name) === data) continue;
			shown.set(name, data);
			await stream.writeSSE({ event: 'board', data });
		}
	};

	routes.get('/admin/events', (c) => {
		if (streams.size >= MAX_STREAMS) {
			c.header('Retry-After', '30');
			return fail(c, 503, 'too_many_pages', `More than ${MAX_STREAMS} live pages are open.`, 'Close some of them.');
		}
		const session = sessionOf(c);
		// A proxy that collects answers before passing them on would hold the events back.
		c.header('X-Accel-Buffering', 'no');
		return streamSSE(c, async (stream) => {
			let wake: () => void = () => undefined;
			let isOpen = true;
			const dirty = new Set(panel?.rooms().map((room) => room.id));
			const stop = () => {
				isOpen = false;
				wake();
			};
			const forget = panel?.onWrite((roomId) => {
				dirty.add(roomId);
				wake();
			});
			streams.add(stop);
			deps.metrics.gauge('http_streams', streams.size);
			stream.onAbort(stop);
			try {
				await stream.writeSSE({ event: 'rooms', data: JSON.stringify(panel?.rooms() ?? []), retry: 3_000 });
				await sendHealth(stream);
				const shown = new Map<string, string>();
				await sendBoards(stream, shown);
				let pulseAt = Date.now() + PULSE_MS;
				while (isOpen && deps.isOpen(session)) {
					for (const id of [...dirty]) {
						dirty.delete(id);
						await stream.writeSSE({ event: 'room', data: await roomEvent(id) });
					}
					if (Date.now() >= pulseAt) {
						pulseAt = Date.now() + PULSE_MS;
						await sendHealth(stream);
						await sendBoards(stream, shown);
					}
					if (dirty.size > 0 || !isOpen) continue;
					await new Promise<void>((resolve) => {
						const timer = setTimeout(resolve, Math.max(50, pulseAt - Date.now()));
						wake = () => {
							clearTimeout(timer);
							resolve();
						};
					});
				}
				if (!deps.isOpen(session)) await stream.writeSSE({ event: 'logout', data: '{}' });
			} catch (error) {
				deps.log.warn({ error }, 'a live page broke off');
			} finally {
				streams.delete(stop);
				deps.metrics.gauge('http_streams', streams.size);
				await forget?.();
			}
		});
	});
	return {
		routes,
		close: () => {
			for (const stop of [...streams]) stop();
		},
	};
}
