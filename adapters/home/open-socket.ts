import type { ConnectionOptions, HaWebSocket } from 'home-assistant-js-websocket';
import { type RawData, WebSocket } from 'ws';
import { HomeError } from './home-error.ts';

export interface OpenSocketOptions {
	/** Checked base address. */
	readonly url: string;
	readonly token: string;
	/** Longest time until Home Assistant has accepted the token. */
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
}

const maxMessageBytes = 64 * 1024 * 1024;

/**
 * Opens and authenticates a WebSocket for the library, which itself would need a global one. Rejects with a HomeError:
 * `invalid_auth` when the token or this machine is refused, else `cannot_connect`.
 */
export function openSocket({ url, token, timeoutMs, signal }: OpenSocketOptions) {
	return (_options: ConnectionOptions): Promise<HaWebSocket> => {
		const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/websocket`, {
			handshakeTimeout: timeoutMs,
			maxPayload: maxMessageBytes,
			perMessageDeflate: false,
		});
		// Stays for good: a socket error without a listener would end the process. The close that follows is what counts.
		socket.on('error', () => undefined);
		return new Promise((resolve, reject) => {
			const fail = (code: string, message: string) => finish(() => reject(new HomeError(code, message)));
			const timer = setTimeout(() => fail('cannot_connect', 'Home Assistant did not answer in time'), timeoutMs);
			const onAbort = () => fail('cannot_connect', 'stopped');
			const onError = (error: Error) => fail('cannot_connect', error.message || 'the connection failed');
			const onClose = () => fail('cannot_connect', 'Home Assistant closed the connection');

			function finish(settle: () => void): void {
				clearTimeout(timer);
				signal.removeEventListener('abort', onAbort);
				socket.off('message', onMessage).off('close', onClose).off('error', onError);
				settle();
				if (!authenticated) socket.terminate();
			}

			let authenticated = false;
			function onMessage(raw: RawData): void {
				const message = parse(raw);
				if (message['type'] === 'auth_required') {
					socket.send(JSON.stringify({ type: 'auth', access_token: token }));
				} else if (message['type'] === 'auth_invalid') {
					fail('invalid_auth', 'Home Assistant refused the token');
				} else if (message['type'] === 'auth_ok') {
					authenticated = true;
					const haVersion = String(message['ha_version'] ?? '');
					finish(() => resolve(Object.assign(socket, { haVersion }) as unknown as HaWebSocket));
					// Always the first message: from here on several messages may come as one array.
					socket.send(JSON.stringify({ id: 1, type: 'supported_features', features: { coalesce_messages: 1 } }));
				}
			}

			signal.addEventListener('abort', onAbort);
			socket.on('message', onMessage).on('close', onClose).on('error', onError);
			socket.on('unexpected-response', (_request, response) => {
				const banned = response.statusCode === 401 || response.statusCode === 403;
				fail(banned ? 'invalid_auth' : 'cannot_connect', `Home Assistant answered with HTTP ${response.statusCode}`);
			});
			if (signal.aborted) onAbort();
		});
	};
}

function parse(raw: RawData): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(String(raw));
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}
