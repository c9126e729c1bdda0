import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import type { World } from './state/world.ts';

const pageFolder = fileURLToPath(new URL('./page/', import.meta.url));
const types: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};
/** Images are shown in the page; anything else is only ever downloaded, never run. */
const shownInline = /^image\/(png|jpeg|gif|webp)$/;
const pagePolicy = [
	"default-src 'self'",
	"img-src 'self' data:",
	"style-src 'self' 'unsafe-inline'",
	"frame-src 'self' http://127.0.0.1:* http://localhost:*",
	"object-src 'none'",
	"base-uri 'none'",
	"frame-ancestors 'self'",
].join('; ');

/** Attachments, and the page a person chats in. */
export function createFileRoutes(world: World): Hono {
	const app = new Hono();
	app.get('/attachments/:channel/:id/:name', (c) => {
		const file = world.files.get(c.req.param('id'));
		if (file === undefined || file.channelId !== c.req.param('channel')) return c.text('This file is gone.', 404);
		const disposition = shownInline.test(file.contentType) ? 'inline' : 'attachment';
		return c.body(new Uint8Array(file.bytes), 200, {
			'content-type': file.contentType,
			'content-disposition': `${disposition}; filename="${file.name.replace(/["\r\n]/g, '')}"`,
			'content-security-policy': "default-src 'none'; sandbox",
			'x-content-type-options': 'nosniff',
		});
	});
	app.get('*', async (c) => {
		const wanted = c.req.path === '/' ? 'index.html' : decodeURIComponent(c.req.path);
		const path = normalize(join(pageFolder, wanted));
		const type = types[extname(path)];
		if (!path.startsWith(pageFolder.endsWith(sep) ? pageFolder : pageFolder + sep) || type === undefined) {
			return c.text('Not found', 404);
		}
		const bytes = await readFile(path).catch(() => undefined);
		if (bytes === undefined) return c.text('Not found', 404);
		return c.body(new Uint8Array(bytes), 200, {
			'content-type': type,
			'cache-control': 'no-cache',
			'content-security-policy': pagePolicy,
			'x-content-type-options': 'nosniff',
		});
	});
	return app;
}
