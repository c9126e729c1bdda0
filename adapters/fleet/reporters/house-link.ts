import { createOpenQuestions, createTakenItems } from './open-questions.ts';

/** The house over HTTP for one session, without any package. Nothing of it throws. */

export interface HouseItem {
	readonly seq: number;
	readonly id: string;
	readonly kind: 'message' | 'answer' | 'abort' | 'stop';
	readonly mode?: 'queue' | 'interrupt';
	readonly from?: { readonly role: string };
	readonly text?: string;
	readonly ref?: string;
	readonly answer?: { readonly values?: readonly string[]; readonly text?: string };
}

export interface HouseLink {
	report(kind: string, data: object): void;
	/** Sends what is left, for `deadlineMs` at most. */
	close(deadlineMs: number): Promise<void>;
}

export interface HouseLinkOptions {
	readonly url: string;
	readonly token: string;
	readonly source: string;
	/** The session as it is now; undefined before it has begun. */
	session(): object | undefined;
	/** Hands an item to the agent; gives why not where it cannot. */
	take(item: HouseItem): string | undefined;
	/** How often it says that it is still there; a minute when absent. */
	readonly aliveMs?: number;
}

const REQUEST_MS = 3_000;
const POLL_MS = 10_000;
const PAUSE_MS = 3_000;
const ALIVE_MS = 60_000;
const KEPT_MAX = 500;
const BATCH_MAX = 50;

export function createHouseLink(options: HouseLinkOptions): HouseLink {
	const base = `${options.url.replace(/\/+$/, '')}/fleet`;
	const run = globalThis.crypto.randomUUID();
	const over = new AbortController();
	let waiting: object[] = [];
	let count = 0;
	let lastAt = 0;
	let sending: Promise<void> | undefined;
	let sessionId: string | undefined;
	const open = createOpenQuestions();

	async function request(path: string, init: RequestInit, ms: number): Promise<Response> {
		const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' };
		return fetch(`${base}${path}`, { ...init, headers, signal: AbortSignal.timeout(ms) });
	}
	const post = (path: string, body: object) =>
		request(path, { method: 'POST', body: JSON.stringify(body) }, REQUEST_MS);

	function pause(): Promise<void> {
		return new Promise((resolve) => {
			setTimeout(resolve, PAUSE_MS).unref();
			over.signal.addEventListener('abort', () => resolve(), { once: true });
		});
	}

	async function send(): Promise<void> {
		while (waiting.length > 0) {
			const batch = waiting.slice(0, BATCH_MAX);
			try {
				const response = await post('/events', { source: options.source, events: batch });
				// What the house will never take must not hold up the rest.
				if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
				waiting = waiting.slice(batch.length);
				const answer = (await response.json()) as { sessions?: { sessionId: string; isNew?: boolean }[] };
				const taken = answer.sessions?.[0];
				if (taken !== undefined && sessionId === undefined) {
					sessionId = taken.sessionId;
					void listen(sessionId);
				} else if (taken?.isNew === true) {
					// The house has lost what it knew: what was asked before is asked anew, under the same name.
					for (const data of open.all()) put('question', data);
				}
			} catch {
				if (over.signal.aborted) return;
				await pause();
			}
		}
	}

	async function listen(id: string): Promise<void> {
		const path = `/sessions/${encodeURIComponent(id)}`;
		// By their ids: numbers begin anew when the house has lost what it knew.
		const taken = createTakenItems();
		while (!over.signal.aborted) {
			try {
				const response = await request(`${path}/inbox?wait=${POLL_MS}`, {}, POLL_MS + REQUEST_MS);
				if (!response.ok) throw new Error(String(response.status));
				const { items } = (await response.json()) as { items: HouseItem[] };
				for (const item of items) {
					if (over.signal.aborted) return;
					let why: string | undefined;
					try {
						why = taken.has(item.id) ? undefined : options.take(item);
					} catch (error) {
						why = error instanceof Error ? error.message.slice(0, 200) : 'pi refused it';
					}
					taken.add(item.id);
					if (why !== undefined) await post(`${path}/refuse`, { itemId: item.id, why });
					await post(`${path}/ack`, { seq: item.seq });
				}
			} catch {
				await pause();
			}
		}
	}

	function put(kind: string, data: object): boolean {
		const session = options.session();
		if (session === undefined || over.signal.aborted) return false;
		lastAt = Math.max(Date.now(), lastAt + 1);
		waiting.push({ eventId: `${run}:${++count}`, at: lastAt, session, kind, data });
		if (waiting.length > KEPT_MAX) waiting.splice(BATCH_MAX, 1);
		return true;
	}

	function report(kind: string, data: object): void {
		open.note(kind, data);
		if (!put(kind, data)) return;
		sending ??= send().finally(() => {
			sending = undefined;
		});
	}

	// One that waits for a person, or for a long command, has nothing else to say.
	const alive = setInterval(() => {
		if (sessionId !== undefined && sending === undefined) report('alive', {});
	}, options.aliveMs ?? ALIVE_MS);
	alive.unref();

	return {
		report,
		async close(deadlineMs) {
			clearInterval(alive);
			const deadline = new Promise<void>((resolve) => {
				setTimeout(resolve, deadlineMs).unref();
			});
			await Promise.race([sending, deadline]);
			over.abort();
		},
	};
}
