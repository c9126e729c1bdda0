import { z } from 'zod';
import { anySignal } from '../../../core/any-signal.ts';
import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import type { QuestionAnswer } from '../../../core/fleet/question.ts';
import type { Log } from '../../../core/ports.ts';
import type { Handed, Reporter } from '../reporters/reporter.ts';
import { pauseFor } from '../until-aborted.ts';
import {
	FRESH_OPENCODE,
	mapOpencodeEvent,
	type OpencodeState,
	opencodeEvent,
	sessionOf,
} from './map-opencode-event.ts';
import { sseData } from './sse-data.ts';

export interface OpencodeFollower {
	/** Follows the server until the signal fires; comes back by itself after every loss. */
	run(signal: AbortSignal): Promise<void>;
	/** Hands an item of the inbox to opencode. */
	onItem(nativeId: string, item: InboxItem, signal: AbortSignal): Promise<Handed>;
}

export interface OpencodeDeps {
	/** Address of `opencode serve`. */
	readonly url: string;
	readonly password?: string;
	readonly log: Log;
	readonly retryMs?: number;
	/** How often sessions that work or wait are said to be still there, at most; a minute when absent. */
	readonly aliveMs?: number;
	reporter(): Reporter;
}

const REQUEST_MS = 3_000;
/** The server sends a heartbeat more often than this. */
const SILENCE_MS = 60_000;
const ALIVE_MS = 60_000;
const list = z.array(z.record(z.string(), z.unknown()));
const statuses = z.record(z.string(), z.looseObject({ type: z.string() }));

export function createOpencodeFollower(deps: OpencodeDeps): OpencodeFollower {
	const base = deps.url.replace(/\/+$/, '');
	const auth: Record<string, string> =
		deps.password === undefined
			? {}
			: { authorization: `Basic ${Buffer.from(`opencode:${deps.password}`).toString('base64')}` };
	const states = new Map<string, { state: OpencodeState; title?: string; directory?: string }>();
	/** Answers to requests of several questions, until the last one is there. */
	const partial = new Map<string, Map<string, QuestionAnswer>>();
	let aliveAt = performance.now();

	async function get(path: string, signal: AbortSignal): Promise<unknown> {
		const response = await fetch(`${base}${path}`, {
			headers: auth,
			signal: anySignal([signal, AbortSignal.timeout(REQUEST_MS)]),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status}`);
		return response.json();
	}

	async function post(path: string, body: unknown, signal: AbortSignal): Promise<Handed> {
		try {
			const response = await fetch(`${base}${path}`, {
				method: 'POST',
				headers: { ...auth, 'content-type': 'application/json' },
				body: JSON.stringify(body),
				signal: anySignal([signal, AbortSignal.timeout(REQUEST_MS)]),
			});
			await response.arrayBuffer();
			return response.ok ? { ok: true } : { ok: false, why: `opencode answered ${response.status}` };
		} catch (error) {
			return { ok: false, why: error instanceof Error ? error.message.slice(0, 200) : 'opencode did not answer' };
		}
	}

	function feed(raw: unknown): void {
		const event = opencodeEvent.safeParse(raw);
		const id = event.success ? sessionOf(event.data.properties) : undefined;
		if (!event.success || id === undefined) return;
		const known = states.get(id);
		const mapped = mapOpencodeEvent(known?.state ?? FRESH_OPENCODE, event.data);
		const title = mapped.title ?? known?.title;
		const directory = mapped.directory ?? known?.directory;
		const place = {
			...(title === undefined ? {} : { title }),
			...(directory === undefined ? {} : { directory }),
		};
		states.set(id, { state: mapped.state, ...place });
		if (mapped.reports.length === 0) return;
		deps.reporter().report(
			{
				nativeId: id,
				...(title === undefined ? {} : { name: title.slice(0, 300) }),
				...(directory === undefined ? {} : { directory: directory.slice(0, 4_096) }),
			},
			mapped.reports,
		);
	}

	/** Events are not played again, so what is open and what runs is asked for after every connection. */
	async function catchUp(signal: AbortSignal): Promise<void> {
		// What begins after this moment comes as an event; a list that was made before it knows nothing of it.
		const before = [...states].map(([id, { state }]) => ({ id, state }));
		for (const [path, type] of [
			['/permission', 'permission.asked'],
			['/question', 'question.asked'],
		] as const) {
			const open = list.parse(await get(path, signal));
			const ids = new Set(open.map((one) => one['id']));
			for (const { id: sessionID, state } of before) {
				const gone = Object.keys(state.open).filter(
					(id) => isQuestion(state, id) === (path === '/question') && !ids.has(id),
				);
				for (const id of gone) feed({ type: 'question.rejected', properties: { sessionID, requestID: id } });
			}
			for (const properties of open) feed({ type, properties });
		}
		const running = statuses.parse(await get('/session/status', signal));
		for (const [sessionID, status] of Object.entries(running)) {
			feed({ type: 'session.status', properties: { sessionID, status } });
		}
		for (const { id: sessionID, state } of before) {
			if (state.isWorking && !(sessionID in running)) feed({ type: 'session.idle', properties: { sessionID } });
		}
	}

	/** The server says something, so its sessions are there: one that waits for a person has nothing else to tell. */
	function sayAlive(): void {
		if (performance.now() - aliveAt < (deps.aliveMs ?? ALIVE_MS)) return;
		aliveAt = performance.now();
		for (const [nativeId, { state }] of states) {
			if (!state.isWorking && Object.keys(state.open).length === 0) continue;
			deps.reporter().report({ nativeId }, [{ kind: 'alive', data: {} }]);
		}
	}

	async function follow(signal: AbortSignal): Promise<void> {
		const silence = new AbortController();
		let timer = setTimeout(() => silence.abort(), SILENCE_MS);
		try {
			const both = anySignal([signal, silence.signal]);
			const response = await fetch(`${base}/event`, { headers: auth, signal: both });
			if (!response.ok || response.body === null) throw new Error(`/event: ${response.status}`);
			// Only what happens after the connection is sent, so the rest is asked for once it stands.
			const caught = catchUp(both);
			caught.catch(() => silence.abort());
			for await (const data of sseData(response.body)) {
				clearTimeout(timer);
				timer = setTimeout(() => silence.abort(), SILENCE_MS);
				feed(data);
				sayAlive();
			}
			await caught;
		} finally {
			clearTimeout(timer);
		}
	}

	async function answer(nativeId: string, ref: string, given: QuestionAnswer, signal: AbortSignal): Promise<Handed> {
		const open = states.get(nativeId)?.state.open ?? {};
		const id = Object.keys(open).find((key) => open[key]?.includes(ref));
		if (id === undefined) return { ok: false, why: 'the question is not open any more' };
		const [first] = given.values;
		if (ref === id) {
			const message = given.text?.trim() ? { message: given.text.trim() } : {};
			return post(`/permission/${encodeURIComponent(id)}/reply`, { reply: first ?? 'reject', ...message }, signal);
		}
		const answers = partial.get(id) ?? new Map<string, QuestionAnswer>();
		partial.set(id, answers.set(ref, given));
		const refs = open[id] ?? [];
		if (!refs.every((one) => answers.has(one))) return { ok: true };
		const all = refs.map((one) => {
			const { values = [], text } = answers.get(one) ?? {};
			return [...values, ...(text?.trim() ? [text.trim()] : [])];
		});
		const handed = await post(`/question/${encodeURIComponent(id)}/reply`, { answers: all }, signal);
		if (handed.ok) partial.delete(id);
		return handed;
	}

	return {
		async run(signal) {
			while (!signal.aborted) {
				try {
					await follow(signal);
				} catch (error) {
					if (signal.aborted) return;
					deps.log.warn({ problem: error instanceof Error ? error.message : String(error) }, 'opencode was lost');
				}
				await pauseFor(deps.retryMs ?? 3_000, signal);
			}
		},
		async onItem(nativeId, item, signal) {
			const session = `/session/${encodeURIComponent(nativeId)}`;
			switch (item.kind) {
				case 'answer':
					if (item.ref === undefined || item.answer === undefined) return { ok: false, why: 'it names no question' };
					return answer(nativeId, item.ref, item.answer, signal);
				case 'message':
					return post(`${session}/prompt_async`, { parts: [{ type: 'text', text: item.text ?? '' }] }, signal);
				case 'abort':
					return post(`${session}/abort`, {}, signal);
				case 'stop':
					return { ok: false, why: 'opencode ends its sessions itself' };
			}
		},
	};
}

function isQuestion(state: OpencodeState, id: string): boolean {
	return state.open[id]?.some((ref) => ref.includes('#')) ?? false;
}
