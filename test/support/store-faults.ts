import { type TestRedis, testLog } from './redis.ts';

/** One way in which a Redis fails under processes that live on. */
export interface StoreFault {
	readonly name: string;
	/** Causes it; gives what ends it. */
	begin(server: TestRedis): Promise<() => Promise<void>>;
}

async function command(server: TestRedis, ...[name, ...args]: [string, ...string[]]): Promise<void> {
	const admin = await server.connect();
	await admin.handlers.call(name, ...args);
	await admin.close();
}

export const STORE_FAULTS: readonly StoreFault[] = [
	{
		name: 'does not answer',
		async begin(server) {
			process.kill(server.pid(), 'SIGSTOP');
			return async () => void process.kill(server.pid(), 'SIGCONT');
		},
	},
	{
		name: 'is killed and comes back with its data',
		async begin(server) {
			await server.killHard();
			return () => server.restart();
		},
	},
	{
		name: 'is out of memory',
		async begin(server) {
			await command(server, 'CONFIG', 'SET', 'maxmemory', '1');
			return () => command(server, 'CONFIG', 'SET', 'maxmemory', '0');
		},
	},
	{
		name: 'is read-only',
		async begin(server) {
			await command(server, 'REPLICAOF', '127.0.0.1', '1');
			return () => command(server, 'REPLICAOF', 'NO', 'ONE');
		},
	},
];

/** Cuts every line to the server at once; each process opens new ones. */
export const cutLines = (server: TestRedis): Promise<void> => command(server, 'CLIENT', 'KILL', 'TYPE', 'normal');

/** A log that keeps in words what went wrong, but for what every worker says while its lines are down. */
export const troubleLog = (problems: string[]) =>
	testLog((level, fields, message) => {
		if ((level === 'warn' || level === 'error') && message !== 'worker connection')
			problems.push(`${message} ${JSON.stringify(fields)}`);
	});
