import { z } from 'zod';
import { anySignal } from '../../../core/any-signal.ts';
import { type InboxItem, inboxItem } from '../../../core/fleet/inbox-item.ts';
import type { SessionReport } from '../../../core/fleet/report.ts';

/** A request that the house did not serve; `isFinal`: the same one again will fare no better. */
export class FleetRefused extends Error {
	readonly code = 'fleet_refused';
	readonly isFinal: boolean;
	constructor(message: string, isFinal: boolean) {
		super(message);
		this.isFinal = isFinal;
	}
}

const answer = z.object({
	refused: z.array(z.object({ problems: z.array(z.string()) })).default([]),
	sessions: z
		.array(
			z.object({
				sessionId: z.string(),
				nativeId: z.string().optional(),
				lastReport: z.number().optional(),
				isNew: z.boolean().optional(),
			}),
		)
		.default([]),
});
const inbox = z.object({ items: z.array(inboxItem) });

export interface FleetClient {
	/** Gives the ids that the sessions of the batch have in the fleet. */
	post(reports: readonly SessionReport[]): Promise<z.infer<typeof answer>>;
	inbox(sessionId: string, after: number, waitMs: number, signal: AbortSignal): Promise<readonly InboxItem[]>;
	ack(sessionId: string, seq: number): Promise<void>;
	refuse(sessionId: string, itemId: string, why: string): Promise<void>;
}

const REQUEST_MS = 10_000;

/** The house over HTTP, as one source of one host. Every method rejects with `FleetRefused`. */
export function createFleetClient(options: { url: string; token: string; source: string }): FleetClient {
	const base = options.url.replace(/\/+$/, '');

	async function request(path: string, init: RequestInit, deadlineMs: number, signal?: AbortSignal): Promise<unknown> {
		const signals = [AbortSignal.timeout(deadlineMs), ...(signal === undefined ? [] : [signal])];
		let response: Response;
		try {
			response = await fetch(`${base}${path}`, {
				...init,
				headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
				signal: anySignal(signals),
			});
			if (response.ok) return await response.json();
		} catch (error) {
			throw new FleetRefused(error instanceof Error ? error.message : String(error), false);
		}
		const text = await response.text().catch(() => '');
		const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
		throw new FleetRefused(`${response.status} ${text.slice(0, 300)}`, isFinal);
	}

	const send = (path: string, body: unknown) =>
		request(path, { method: 'POST', body: JSON.stringify(body) }, REQUEST_MS);
	const of = (sessionId: string) => `/fleet/sessions/${encodeURIComponent(sessionId)}`;

	return {
		async post(reports) {
			return answer.parse(await send('/fleet/events', { source: options.source, events: reports }));
		},
		async inbox(sessionId, after, waitMs, signal) {
			const path = `${of(sessionId)}/inbox?after=${after}&wait=${waitMs}`;
			return inbox.parse(await request(path, { method: 'GET' }, waitMs + REQUEST_MS, signal)).items;
		},
		ack: async (sessionId, seq) => void (await send(`${of(sessionId)}/ack`, { seq })),
		refuse: async (sessionId, itemId, why) => void (await send(`${of(sessionId)}/refuse`, { itemId, why })),
	};
}
