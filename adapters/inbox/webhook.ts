import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { anySignal } from '../../core/any-signal.ts';
import { canonicalJson } from '../../core/intake/canonical-json.ts';
import type { InboxSink, SinkOutcome } from '../../core/intake/inbox.ts';
import { type SigningKey, signPacket } from '../../core/intake/packet-signature.ts';
import { type Lookup, pinAddress } from './address-guard.ts';

export interface WebhookSettings {
	readonly name: string;
	readonly url: string;
	readonly allowPrivate: boolean;
	readonly timeoutMs: number;
}

const MAX_ANSWER_BYTES = 64 * 1_024;
/** Answers after which the same request may yet succeed. */
const TRANSIENT = new Set([408, 409, 423, 425, 429]);

/**
 * Posts the packet, signed, as canonical JSON. Only a 2xx counts. Redirects are not followed, and the connection goes to the
 * very address that was checked.
 */
export function createWebhookSink(deps: {
	settings: WebhookSettings;
	key: SigningKey;
	now(): number;
	lookup?: Lookup;
}): InboxSink {
	const { settings, key } = deps;
	const url = new URL(settings.url);

	return {
		name: settings.name,
		async deliver(packet, signal) {
			const pinned = await pinAddress(url.hostname, settings.allowPrivate, deps.lookup);
			if (!pinned.ok && pinned.why === 'refused')
				return { ok: false, permanent: true, problem: 'its address is private; allowPrivate would let it pass' };
			if (!pinned.ok) return { ok: false, permanent: false, problem: 'its name leads nowhere' };
			const body = canonicalJson(signPacket(packet, key, deps.now(), randomUUID()));
			const timeout = AbortSignal.timeout(settings.timeoutMs);
			return post(url, pinned, body, packet.id, anySignal([timeout, signal]));
		},
	};
}

function post(
	url: URL,
	pinned: { readonly address: string; readonly family: 4 | 6 },
	body: string,
	packetId: string,
	signal: AbortSignal,
): Promise<SinkOutcome> {
	return new Promise((resolve) => {
		const request = url.protocol === 'https:' ? requestHttps : requestHttp;
		const broken = (error: Error & { code?: string }) =>
			resolve({
				ok: false,
				permanent: false,
				problem: signal.aborted ? 'no answer in time' : `the connection broke (${error.code ?? error.name})`,
			});
		const sent = request(
			url,
			{
				method: 'POST',
				signal,
				agent: false,
				// The name stays for TLS and the host header; the address is the one that was checked.
				lookup: (_host, options, done) => {
					if (options.all) done(null, [{ address: pinned.address, family: pinned.family }]);
					else done(null, pinned.address, pinned.family);
				},
				headers: {
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(body),
					'idempotency-key': packetId,
					'user-agent': 'majordomo',
				},
			},
			(answer) => {
				read(answer).then(() => resolve(outcomeOf(answer.statusCode ?? 0)), broken);
			},
		);
		sent.on('error', broken);
		sent.end(body);
	});
}

/** Reads the answer to its end, and no further than is reasonable; nothing in it matters. */
function read(answer: IncomingMessage): Promise<void> {
	return new Promise((resolve, reject) => {
		let bytes = 0;
		answer.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes <= MAX_ANSWER_BYTES) return;
			answer.destroy();
			resolve();
		});
		answer.on('end', resolve);
		answer.on('error', reject);
	});
}

function outcomeOf(status: number): SinkOutcome {
	if (status >= 200 && status < 300) return { ok: true };
	if (status >= 300 && status < 400)
		return { ok: false, permanent: true, problem: `it redirects (${status}), which is not followed` };
	const permanent = status >= 400 && status < 500 && !TRANSIENT.has(status);
	return { ok: false, permanent, problem: `it answered ${status}` };
}
