import { WebSocket } from 'ws';
import type { GatewayAnswer } from '../../core/operations/judge-discord.ts';

/**
 * Logs in at the gateway once, waits for READY or for the door to be shut, and leaves at once. A bot that runs with the
 * same token is not disturbed; the login counts against the day's thousand. Never rejects.
 */
export function knockAtGateway(options: {
	/** As `GET /gateway/bot` gives it. */
	readonly url: string;
	readonly token: string;
	/** Bit field. */
	readonly intents: number;
	readonly deadlineMs: number;
}): Promise<GatewayAnswer> {
	return new Promise((resolve) => {
		const url = new URL(options.url);
		url.search = 'v=10&encoding=json';
		const socket = new WebSocket(url, { handshakeTimeout: options.deadlineMs });
		const timer = setTimeout(() => done({ kind: 'unreachable', reason: 'no answer in time' }), options.deadlineMs);
		function done(answer: GatewayAnswer): void {
			clearTimeout(timer);
			// 1000 ends the session instead of leaving it to be resumed.
			if (socket.readyState === WebSocket.OPEN) socket.close(1000);
			setTimeout(() => socket.terminate(), 500).unref();
			resolve(answer);
		}
		socket.on('error', (error: NodeJS.ErrnoException) =>
			done({ kind: 'unreachable', reason: error.code ?? error.message }),
		);
		socket.on('close', (code) => done({ kind: 'closed', code }));
		socket.on('message', (raw) => {
			const packet = parse(String(raw));
			if (packet.op === 10)
				socket.send(
					JSON.stringify({
						op: 2,
						d: {
							token: options.token,
							intents: options.intents,
							properties: { os: process.platform, browser: 'majordomo', device: 'majordomo' },
						},
					}),
				);
			else if (packet.op === 0 && packet.t === 'READY') done({ kind: 'ready' });
			else if (packet.op === 9) done({ kind: 'unreachable', reason: 'Discord asks to log in later (invalid session)' });
		});
	});
}

function parse(text: string): { op?: unknown; t?: unknown } {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? value : {};
	} catch {
		return {};
	}
}
