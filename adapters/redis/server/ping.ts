import { createConnection, type NetConnectOpts } from 'node:net';

/**
 * Asks for a sign of life over a bare socket. `absent`: nobody listens; `silent`: somebody does and says nothing in time;
 * `loading`: it reads its files; `denied`: it wants a password.
 */
export type PingResult = 'pong' | 'absent' | 'silent' | 'loading' | 'denied' | 'other';

export function ping(to: NetConnectOpts, deadlineMs: number): Promise<PingResult> {
	return new Promise((resolve) => {
		const socket = createConnection(to);
		let text = '';
		let connected = false;
		const timer = setTimeout(() => done(connected ? 'silent' : 'absent'), deadlineMs);
		function done(result: PingResult): void {
			clearTimeout(timer);
			socket.destroy();
			resolve(result);
		}
		socket.on('connect', () => {
			connected = true;
			socket.write('PING\r\n');
		});
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
			if (!text.includes('\r\n')) return;
			if (text.startsWith('+PONG')) done('pong');
			else if (text.startsWith('-LOADING')) done('loading');
			else if (/^-(NOAUTH|NOPERM|WRONGPASS)/.test(text)) done('denied');
			else done('other');
		});
		socket.on('error', () => done('absent'));
		socket.on('close', () => done(connected ? 'other' : 'absent'));
	});
}
