import type { RedisTarget } from '../target.ts';

/** A server written in JavaScript inside this process: nothing is kept, and it is much slower than a real one. */
export interface EphemeralServer {
	readonly where: RedisTarget;
	stop(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. */
export async function startEphemeral(): Promise<EphemeralServer> {
	// Loaded only here: it brings a Lua engine that nobody else needs.
	const { createRedisMock } = await import('js-redis-server');
	const server = await createRedisMock();
	const [address] = server.addresses();
	if (!address) throw new Error('the in-process server has no address');
	return { where: { kind: 'tcp', host: address.host, port: address.port, tls: false }, stop: () => server.close() };
}
