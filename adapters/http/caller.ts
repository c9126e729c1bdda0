import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { isLoopbackHost } from '../../config/required-secrets.ts';

export interface HttpEnv {
	Bindings: HttpBindings;
}

type HttpContext = Context<HttpEnv>;

const forwarding = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'x-forwarded-host', 'cf-connecting-ip', 'via'];

/** The peer's address; IPv6 neighbours of one /64 count as one caller, as they are one machine's to choose from. */
export function callerAddress(c: HttpContext): string {
	const raw = c.env.incoming.socket.remoteAddress ?? 'unknown';
	const address = raw.replace(/^::ffff:(?=\d+\.)/, '');
	return address.includes(':') && address !== '::1' ? `${address.split(':').slice(0, 4).join(':')}::/64` : address;
}

/**
 * Whether a program on this machine asked for us by a loopback name. A request that a proxy passed on does not count,
 * nor one under a foreign name: a web page can make its own name point to 127.0.0.1.
 */
export function isLocalCaller(c: HttpContext): boolean {
	const address = callerAddress(c);
	if (!isLoopbackHost(address) || forwarding.some((name) => c.req.header(name) !== undefined)) return false;
	const host = c.req.header('host') ?? '';
	return isLoopbackHost(host.replace(/:\d+$/, ''));
}

/** Whether the person reaches us by https, directly or through a proxy that says so. */
export function isSecure(c: HttpContext): boolean {
	return (
		c.req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https' || new URL(c.req.url).protocol === 'https:'
	);
}

/** Whether a request that changes something comes from our own pages, or from a program that is no browser. */
export function isOwnOrigin(c: HttpContext): boolean {
	const origin = c.req.header('origin');
	if (origin !== undefined) return URL.canParse(origin) && new URL(origin).host === c.req.header('host');
	const site = c.req.header('sec-fetch-site');
	return site === undefined || site === 'same-origin' || site === 'none';
}
