import { anySignal } from '../../core/any-signal.ts';
import type { Home, HomeCallRequest, HomeCallResult, HomePhase, HomeStatus } from '../../core/home/home-port.ts';
import type { Log } from '../../core/ports.ts';
import { createChangeQueue } from './change-queue.ts';
import { type DecodedEntity, decodeEntityEvent } from './entity-decoder.ts';
import { HomeError, toHomeError } from './home-error.ts';
import { defaultSessionTiming, type HomeSession, openHomeSession, type SessionTiming } from './home-session.ts';
import { checkHomeUrl } from './home-url.ts';
import { createOwnCalls } from './own-calls.ts';
import { pause } from './pause.ts';
import { decideRetryMs, defaultRetryTiming, type RetryTiming } from './retry-plan.ts';
import { sendCall, widensTarget } from './send-call.ts';
import { createStateWaiters } from './state-waiters.ts';

export interface HomeTiming extends SessionTiming, RetryTiming {
	/** Longest time a change is held back until it is known whether we caused it. */
	readonly ownHoldMs: number;
}

export interface HomeAssistantOptions {
	/** Base address, such as `http://homeassistant.local:8123`. */
	readonly url: string;
	/** Long-lived access token; a function is asked again before every login. */
	readonly token: string | (() => string);
	/** The only entities that are followed and that can be called. */
	readonly entityIds: readonly string[];
	readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
	readonly now: () => number;
	readonly timing?: Partial<HomeTiming>;
}

export interface HomeAssistant extends Home {
	/** Uses another token and logs in again at once, also after the old one was given up. */
	setToken(token: string): void;
	/** Tries again at once instead of waiting; asks a token function again. */
	retryNow(): void;
}

const entityIdShape = /^[\da-z_]+\.[\da-z_]+$/;

/**
 * The home port over Home Assistant's WebSocket. Throws HomeError `invalid_url` for an address that is refused; everything
 * later shows in `status()` and in the results of calls, and the token in neither.
 */
export function createHomeAssistant(options: HomeAssistantOptions): HomeAssistant {
	const { log, now } = options;
	const timing: HomeTiming = { ...defaultSessionTiming, ...defaultRetryTiming, ownHoldMs: 2_000, ...options.timing };
	const checked = checkHomeUrl(options.url);
	if (checked.kind === 'refused') throw new HomeError('invalid_url', `the Home Assistant address ${checked.problem}`);
	const { url } = checked;
	const configured = new Set(options.entityIds);
	const entityIds = [...configured].filter((id) => entityIdShape.test(id));

	let token = options.token;
	let entities: ReadonlyMap<string, DecodedEntity> = new Map();
	let hasStates = false;
	let session: HomeSession | undefined;
	let status: HomeStatus = { connected: false, phase: 'stopped', since: now() };
	let running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
	let wake = new AbortController();
	const statusListeners = new Set<(status: HomeStatus) => void>();
	const ownCalls = createOwnCalls({ now });
	const waiters = createStateWaiters((entityId) => entities.get(entityId));
	const onListenerError = (error: unknown) =>
		log.error({ code: 'listener_failed', detail: toHomeError(error).message }, 'A listener of the home failed');
	const changes = createChangeQueue({ ownCalls, now, holdMs: timing.ownHoldMs, onListenerError });

	function setPhase(phase: HomePhase, error?: HomeError): void {
		if (status.phase === phase) return;
		const lastError = error ? { code: error.code, message: error.message } : status.lastError;
		status = {
			connected: phase === 'ready',
			phase,
			since: now(),
			...(phase !== 'ready' && lastError && { lastError }),
		};
		note(phase, error);
		for (const listener of [...statusListeners]) {
			try {
				listener(status);
			} catch (thrown) {
				onListenerError(thrown);
			}
		}
	}

	/** One line for each change of phase, none for each retry. */
	function note(phase: HomePhase, error: HomeError | undefined): void {
		const fields = { phase, url, ...(error && { code: error.code, detail: error.message }) };
		if (phase === 'ready') log.info({ ...fields, missing: missing() }, 'Home Assistant is connected');
		else if (phase === 'lost') log.warn(fields, 'Home Assistant is lost, trying again');
		else if (phase === 'auth_failed') {
			log.error(fields, 'Home Assistant refuses the access token; make a new long-lived token and set it');
		}
	}

	/** A retry that fails as the one before is no news. */
	function noteFailure(error: HomeError): void {
		if (status.lastError?.code === error.code) return;
		status = { ...status, lastError: { code: error.code, message: error.message } };
		log.warn({ phase: status.phase, url, code: error.code, detail: error.message }, 'Home Assistant cannot be reached');
	}

	const missing = () => [...configured].filter((id) => !entities.has(id));

	function apply(next: ReadonlyMap<string, DecodedEntity>, touched: Iterable<string>): void {
		const before = entities;
		entities = next;
		for (const entityId of touched) {
			const was = before.get(entityId);
			const is = next.get(entityId);
			if (is) waiters.show(is);
			if (!isSame(was, is)) changes.push(entityId, was, is);
		}
	}

	/** A new login starts from what exists now; what vanished meanwhile is told as removed. The very first states are no change. */
	function onSnapshot(event: unknown): void {
		const { entities: present } = decodeEntityEvent(new Map(), event);
		if (!hasStates) {
			hasStates = true;
			entities = present;
			for (const state of present.values()) waiters.show(state);
			return;
		}
		apply(present, new Set([...entities.keys(), ...present.keys()]));
	}

	function onEvent(event: unknown): void {
		const decoded = decodeEntityEvent(entities, event);
		apply(decoded.entities, decoded.touched);
	}

	/** Logs in and stays until the end; the failure, and whether it had been ready. */
	async function live(signal: AbortSignal): Promise<{ readonly error: HomeError; readonly wasReady: boolean }> {
		let wasReady = false;
		try {
			const secret = typeof token === 'function' ? token() : token;
			if (secret === '') throw new HomeError('invalid_auth', 'no access token is set');
			const opened = await openHomeSession({ url, token: secret, entityIds, timing, now, signal, onSnapshot, onEvent });
			session = opened;
			wasReady = true;
			setPhase('ready');
			return { error: await opened.ended, wasReady };
		} catch (thrown) {
			return { error: toHomeError(thrown), wasReady };
		} finally {
			session = undefined;
		}
	}

	async function run(stopped: AbortSignal): Promise<void> {
		let failures = 0;
		let lastKind: 'lost' | 'auth' = 'lost';
		while (!stopped.aborted) {
			const waking = new AbortController();
			wake = waking;
			const signal = anySignal([stopped, waking.signal]);
			const { error, wasReady } = await live(signal);
			if (stopped.aborted) return;
			const kind = error.code === 'invalid_auth' ? 'auth' : 'lost';
			failures = wasReady || kind !== lastKind || waking.signal.aborted ? 1 : failures + 1;
			lastKind = kind;
			if (!waking.signal.aborted) {
				if (kind === 'auth') setPhase('auth_failed', error);
				else if (status.phase === 'ready') setPhase('lost', error);
				else noteFailure(error);
				const waitMs = decideRetryMs(kind, failures, timing);
				await (waitMs === undefined ? untilAborted(signal) : pause(waitMs, signal));
			}
			if (waking.signal.aborted) {
				failures = 0;
				if (!stopped.aborted) setPhase('connecting');
			}
		}
	}

	async function call(request: HomeCallRequest): Promise<HomeCallResult> {
		const { entityId, domain, service } = request;
		if (!configured.has(entityId)) {
			return { kind: 'rejected', code: 'not_configured', message: `${entityId} is not a configured entity` };
		}
		if (widensTarget(request.data)) {
			return { kind: 'rejected', code: 'invalid_data', message: `${domain}.${service} may not name further targets` };
		}
		if (!session?.isOpen() || request.signal?.aborted) return { kind: 'unreachable' };
		return sendCall(session, request, ownCalls.begin(entityId));
	}

	return {
		status: () => status,
		states: () => entities,
		call,
		onChange: changes.onChange,
		onStatus(listener) {
			statusListeners.add(listener);
			return () => statusListeners.delete(listener);
		},
		waitFor: waiters.wait,
		start() {
			if (running) return;
			const controller = new AbortController();
			setPhase('connecting');
			running = { controller, done: run(controller.signal) };
		},
		async stop() {
			const ending = running;
			running = undefined;
			ending?.controller.abort();
			session?.close();
			await ending?.done;
			waiters.close();
			changes.clear();
			setPhase('stopped');
		},
		setToken(next) {
			token = next;
			wake.abort();
		},
		retryNow() {
			if (!session) wake.abort();
		},
	};
}

function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), { once: true });
	});
}

/** Whether nothing that matters differs; a repeated report only moves its time. */
function isSame(a: DecodedEntity | undefined, b: DecodedEntity | undefined): boolean {
	if (a === undefined || b === undefined) return a === b;
	return a.state === b.state && JSON.stringify(a.attributes) === JSON.stringify(b.attributes);
}
