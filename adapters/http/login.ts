import { Hono, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { callerAddress, type HttpEnv, isOwnOrigin, isSecure } from './caller.ts';
import type { HttpDeps } from './deps.ts';
import { fail } from './http-failure.ts';
import { createLoginLockout } from './login-lockout.ts';
import { fillPage, readPageFile } from './page-files.ts';
import { isSameSecret } from './secret-compare.ts';
import { createSessionBook, SESSION_MS } from './session-book.ts';

const COOKIE = 'majordomo_session';
const HOW_TO_SET = 'Set ADMIN_PASSWORD in .env or the environment (8 characters or more) and start again.';

/** Only pages behind the login, so that a link to it cannot send people elsewhere. */
const safeNext = (next: string | undefined) => (next && /^\/(admin|queues)([/?][^\\]*)?$/.test(next) ? next : '/admin');

export interface Login {
	/** `/login` and `/logout`. */
	readonly routes: Hono<HttpEnv>;
	/** Lets only logged-in people pass, and changes only from our own pages. */
	readonly guard: MiddlewareHandler<HttpEnv>;
	/** Whether the login that this request carries is still open; for streams that outlive it. */
	isOpen(sessionId: string | undefined): boolean;
}

export const sessionOf = (c: Parameters<typeof getCookie>[0]) => getCookie(c, COOKIE);

export function createLogin(deps: HttpDeps): Login {
	const sessions = createSessionBook(deps.clock);
	const lockout = createLoginLockout(deps.clock);
	const page = readPageFile('login.html');
	const password = deps.secrets.adminPassword;
	const isApi = (path: string) =>
		path.startsWith('/queues/api') || path === '/admin/events' || path.startsWith('/admin/api');
	const show = (next: string, notice: string) =>
		fillPage(page, { name: deps.about.name(), next, notice, noticeHidden: notice === '' ? 'hidden' : '' });

	const routes = new Hono<HttpEnv>();
	routes.get('/login', (c) => {
		if (!password) return fail(c, 503, 'login_off', 'No admin password is set.', HOW_TO_SET);
		return c.html(show(safeNext(c.req.query('next')), ''));
	});
	routes.post('/login', async (c) => {
		if (!password) return fail(c, 503, 'login_off', 'No admin password is set.', HOW_TO_SET);
		if (!isOwnOrigin(c)) return foreign(deps, c);
		const form = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>);
		const given = typeof form['password'] === 'string' ? form['password'] : '';
		const next = safeNext(typeof form['next'] === 'string' ? form['next'] : undefined);
		// From here to the verdict nothing waits, so that many tries at once cannot all pass the same check.
		const address = callerAddress(c);
		const waitMs = lockout.waitMs(address);
		if (waitMs > 0) {
			deps.metrics.count('http_logins_total', { outcome: 'locked' });
			const seconds = Math.ceil(waitMs / 1_000);
			c.header('Retry-After', String(seconds));
			return c.html(show(next, `Too many failed tries. Wait ${seconds} s.`), 429);
		}
		if (!isSameSecret(given, password)) {
			lockout.failed(address);
			deps.metrics.count('http_logins_total', { outcome: 'failed' });
			deps.log.warn({ address }, 'failed login');
			return c.html(show(next, 'That is not the password.'), 401);
		}
		lockout.succeeded(address);
		sessions.close(sessionOf(c));
		deps.metrics.count('http_logins_total', { outcome: 'ok' });
		deps.log.info({ address }, 'login');
		setCookie(c, COOKIE, sessions.open(), {
			path: '/',
			httpOnly: true,
			sameSite: 'Strict',
			secure: isSecure(c),
			maxAge: SESSION_MS / 1_000,
		});
		return c.redirect(next, 303);
	});
	routes.post('/logout', (c) => {
		if (!isOwnOrigin(c)) return foreign(deps, c);
		sessions.close(sessionOf(c));
		deleteCookie(c, COOKIE, { path: '/' });
		return c.redirect('/login', 303);
	});

	const guard: MiddlewareHandler<HttpEnv> = async (c, next) => {
		if (!password) return fail(c, 503, 'login_off', 'This page is closed: no admin password is set.', HOW_TO_SET);
		c.header('Cache-Control', 'no-store');
		const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
		if (!isRead && !isOwnOrigin(c)) return foreign(deps, c);
		if (sessions.isOpen(sessionOf(c))) return next();
		if (!isRead || isApi(c.req.path)) return fail(c, 401, 'login_needed', 'Log in first.', 'Open /login in a browser.');
		const url = new URL(c.req.url);
		const target = `${url.pathname}${url.search}`;
		// A strict cookie is not sent when a link elsewhere leads here; asked for once more by our own page, it is.
		if (c.req.header('sec-fetch-site') === 'cross-site')
			return c.html(fillPage(readPageFile('again.html'), { target: safeNext(target) }));
		return c.redirect(`/login?next=${encodeURIComponent(target)}`, 303);
	};
	return { routes, guard, isOpen: (id) => sessions.isOpen(id) };
}

function foreign(deps: HttpDeps, c: Parameters<MiddlewareHandler<HttpEnv>>[0]): Response {
	deps.metrics.count('http_refused_total', { reason: 'origin' });
	const hint = 'Use our own page. A proxy in front has to pass the Host header on unchanged.';
	return fail(c, 403, 'foreign_origin', 'Requests from other pages change nothing here.', hint);
}
