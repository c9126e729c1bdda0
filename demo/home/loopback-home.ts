import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClientPool } from './client-pool.ts';
import { createHomeControl, type HomeControl } from './control.ts';
import { createFaultList } from './faults.ts';
import { createHouse } from './house.ts';
import { createHttpRoutes } from './http-routes.ts';
import type { Pace } from './room/room.ts';
import { createWorldFeed } from './world-feed.ts';

export interface LoopbackHomeOptions {
	/** 0 (default) takes any free port. */
	readonly port?: number;
	/** The long-lived token that clients must show. */
	readonly token?: string;
	/** Epoch milliseconds; a test may pass its own clock. */
	readonly now?: () => number;
	readonly seed?: number;
	/** Travel times and speeds of the simulated devices; what is left out is as in `defaultPace`. */
	readonly pace?: Partial<Pace>;
	/** How often the room moves by itself; 0 leaves that to `control.advance`. */
	readonly tickMs?: number;
}

/** A Home Assistant with one simulated room, on 127.0.0.1 only. */
export interface LoopbackHome {
	/** `http://127.0.0.1:<port>`: the page, the REST interface and `/api/websocket`. */
	readonly url: string;
	readonly token: string;
	readonly control: HomeControl;
	close(): Promise<void>;
}

/** Starts the loopback Home Assistant; rejects when the port is taken. */
export async function createLoopbackHome(options: LoopbackHomeOptions = {}): Promise<LoopbackHome> {
	const { port = 0, token = 'rehearsal-token', now = Date.now, seed, pace, tickMs = 200 } = options;
	const house = createHouse({ now, ...(seed !== undefined && { seed }), ...(pace && { pace }) });
	const faults = createFaultList();
	const pool = createClientPool(house, faults, token);
	const control = createHomeControl({ house, faults, pool });
	const feed = createWorldFeed(control.world);
	const server = createServer(createHttpRoutes({ house, pool, control, feed }));
	server.on('upgrade', (request, socket, head) => {
		socket.on('error', () => socket.destroy());
		if (new URL(request.url ?? '/', 'http://localhost').pathname === '/api/websocket') {
			pool.accept(request, socket, head);
		} else {
			socket.destroy();
		}
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			server.off('error', reject);
			resolve();
		});
	});
	const ticker = tickMs > 0 ? setInterval(() => tickAndShow(), tickMs) : undefined;
	const tickAndShow = () => {
		house.tick();
		feed.refresh();
	};
	ticker?.unref();
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		token,
		control,
		async close() {
			clearInterval(ticker);
			feed.close();
			pool.close();
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}
