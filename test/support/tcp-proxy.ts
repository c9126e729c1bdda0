import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line between a client and a server that a test can cut or let go silent. */
export interface TcpProxy {
	/** Same scheme as the target, on a port of its own. */
	readonly url: string;
	/** Cuts every open connection; new ones are accepted. */
	cut(): void;
	/** While silent, nothing passes in either direction and nothing is closed. */
	setSilent(silent: boolean): void;
	/** While deaf, what the client sends arrives and what the server answers does not. */
	setDeaf(deaf: boolean): void;
	/** Number of connections opened so far. */
	connections(): number;
	close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 in front of `targetUrl`. */
export async function createTcpProxy(targetUrl: string): Promise<TcpProxy> {
	const target = new URL(targetUrl);
	const sockets = new Set<Socket>();
	let silent = false;
	let deaf = false;
	let opened = 0;
	const server = createServer((client) => {
		opened += 1;
		const upstream = connect(Number(target.port), target.hostname);
		for (const socket of [client, upstream]) {
			sockets.add(socket);
			socket.on('error', () => socket.destroy());
			socket.on('close', () => {
				sockets.delete(socket);
				client.destroy();
				upstream.destroy();
			});
		}
		client.on('data', (chunk) => {
			if (!silent) upstream.write(chunk);
		});
		upstream.on('data', (chunk) => {
			if (!silent && !deaf) client.write(chunk);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		cut,
		setSilent(next) {
			silent = next;
		},
		setDeaf(next) {
			deaf = next;
		},
		connections: () => opened,
		async close() {
			cut();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
