/** What to connect to. */
export type RedisTarget =
	| ({ readonly kind: 'socket'; readonly path: string } & Omit<Login, 'tls'>)
	| ({ readonly kind: 'tcp' } & HostPort & Login)
	| ({ readonly kind: 'sentinel'; readonly master: string; readonly nodes: readonly HostPort[] } & Login)
	| ({ readonly kind: 'cluster'; readonly nodes: readonly HostPort[] } & Login);

export interface HostPort {
	readonly host: string;
	readonly port: number;
}

interface Login {
	readonly username?: string;
	readonly password?: string;
	readonly db?: number;
	readonly tls: boolean;
}

/** REDIS_URL is not one of the forms that we know. The message never repeats it: it may hold a password. */
export class BadRedisUrl extends Error {
	override readonly name = 'BadRedisUrl';
	readonly code = 'bad_redis_url';

	constructor(problem: string) {
		super(
			`REDIS_URL: ${problem}. Forms: redis://user:password@host:6379/0, rediss://… (TLS), unix://user:password@/path/to/redis.sock?db=0, ` +
				'redis+sentinel://user:password@host1:26379,host2:26379/master-name/0, redis+cluster://user:password@host1:6379,host2:6379 ' +
				'(rediss+… for TLS). Special characters in a password are written as %XX.',
		);
	}
}

/** Reads REDIS_URL; throws BadRedisUrl. */
export function parseRedisUrl(url: string): RedisTarget {
	const match = /^([a-z+]+):\/\/(?:([^@/]*)@)?([^/?]*)(\/[^?]*)?(?:\?(.*))?$/.exec(url.trim());
	if (!match) throw new BadRedisUrl('not a URL');
	const [, scheme = '', login, hosts = '', rawPath = '', query = ''] = match;
	const path = decode(rawPath.replace(/^\//, ''));
	if (scheme === 'unix' || scheme === 'redis+unix') {
		if (hosts !== '' || path === '') throw new BadRedisUrl('a socket needs an absolute path, unix:///path');
		return {
			kind: 'socket',
			path: `/${path}`,
			...credentials(login),
			...database(new URLSearchParams(query).get('db') ?? ''),
		};
	}
	const tls = scheme.startsWith('rediss');
	const common = { ...credentials(login), tls };
	if (scheme === 'redis' || scheme === 'rediss') {
		const [only, second] = hostPorts(hosts, 6379);
		if (!only || second) throw new BadRedisUrl('exactly one host is needed (several: redis+sentinel or redis+cluster)');
		return { kind: 'tcp', ...only, ...common, ...database(path) };
	}
	if (scheme === 'redis+sentinel' || scheme === 'rediss+sentinel') {
		const [master = '', db = ''] = path.split('/');
		if (master === '') throw new BadRedisUrl('the name of the master is missing after the sentinels');
		return { kind: 'sentinel', master, nodes: hostPorts(hosts, 26379), ...common, ...database(db) };
	}
	if (scheme === 'redis+cluster' || scheme === 'rediss+cluster') {
		if (path !== '') throw new BadRedisUrl('a cluster has only database 0');
		return { kind: 'cluster', nodes: hostPorts(hosts, 6379), ...common };
	}
	throw new BadRedisUrl('unknown scheme');
}

/** For logs and people: where, without user and password. */
export function describeTarget(target: RedisTarget): string {
	if (target.kind === 'socket') return `unix:${target.path}`;
	const scheme = target.tls ? 'rediss' : 'redis';
	if (target.kind === 'tcp') return `${scheme}://${address(target)}/${target.db ?? 0}`;
	const nodes = target.nodes.map(address).join(',');
	return target.kind === 'sentinel' ? `${scheme}+sentinel://${nodes}/${target.master}` : `${scheme}+cluster://${nodes}`;
}

function address({ host, port }: HostPort): string {
	return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function hostPorts(list: string, defaultPort: number): HostPort[] {
	return list.split(',').map((item) => {
		const match = /^(\[[0-9a-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(item);
		const port = Number(match?.[2] ?? defaultPort);
		if (!match?.[1] || port < 1 || port > 65_535) throw new BadRedisUrl('a host or port is wrong');
		return { host: match[1].replace(/^\[|\]$/g, ''), port };
	});
}

function credentials(login: string | undefined): { username?: string; password?: string } {
	if (!login) return {};
	const colon = login.indexOf(':');
	if (colon < 0) return { username: decode(login) };
	const username = decode(login.slice(0, colon));
	return { ...(username !== '' && { username }), password: decode(login.slice(colon + 1)) };
}

function database(text: string): { db?: number } {
	if (text === '') return {};
	if (!/^\d{1,4}$/.test(text)) throw new BadRedisUrl('the database must be a number');
	return { db: Number(text) };
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new BadRedisUrl('a % is not followed by two hex digits');
	}
}
