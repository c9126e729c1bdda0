import type { ServerResponse } from 'node:http';
import type { WorldView } from './control.ts';

/** Sends the world to open pages as server-sent events, only when it looks different from what they last got. */
export interface WorldFeed {
	follow(response: ServerResponse): void;
	/** Called on every tick. */
	refresh(): void;
	close(): void;
}

export function createWorldFeed(world: () => WorldView): WorldFeed {
	const followers = new Set<ServerResponse>();
	let last = '';

	/** The clock alone is no news; a page shows ages by its own. */
	const text = () => JSON.stringify(world());
	const withoutClock = (json: string) => json.replace(/^\{"at":\d+,/, '{');

	return {
		follow(response) {
			response.writeHead(200, {
				'content-type': 'text/event-stream',
				'cache-control': 'no-store',
				connection: 'keep-alive',
			});
			response.write(`retry: 1000\ndata: ${text()}\n\n`);
			followers.add(response);
			response.on('close', () => followers.delete(response));
			response.on('error', () => followers.delete(response));
		},
		refresh() {
			if (followers.size === 0) return;
			const json = text();
			if (withoutClock(json) === last) return;
			last = withoutClock(json);
			for (const follower of followers) follower.write(`data: ${json}\n\n`);
		},
		close() {
			for (const follower of followers) follower.end();
			followers.clear();
		},
	};
}
