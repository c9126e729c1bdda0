import { Hono } from 'hono';
import type { HttpEnv } from './caller.ts';
import type { HttpDeps, Probe, ProbeResult } from './deps.ts';

const FRESH_MS = 1_000;
const DEADLINE_MS = 2_000;

export interface PartState extends ProbeResult {
	readonly name: string;
	readonly required: boolean;
}

/** `ready`: all parts work. `degraded`: only optional ones are missing. `down`: a required one is. */
export interface Readiness {
	readonly state: 'ready' | 'degraded' | 'down';
	readonly parts: readonly PartState[];
}

/** Asks one part; whatever happens there, an answer comes in time. */
async function ask(probe: Probe): Promise<PartState> {
	const { name, required } = probe;
	const signal = AbortSignal.timeout(DEADLINE_MS);
	let onAbort: (() => void) | undefined;
	const late = new Promise<ProbeResult>((resolve) => {
		onAbort = () => resolve({ ok: false, detail: `no answer in ${DEADLINE_MS / 1_000} s` });
		signal.addEventListener('abort', onAbort, { once: true });
	});
	try {
		const answer = await Promise.race([Promise.resolve(probe.check(signal)), late]);
		return { name, required, ...answer };
	} catch (error) {
		return { name, required, ok: false, detail: error instanceof Error ? error.message : 'failed' };
	} finally {
		if (onAbort) signal.removeEventListener('abort', onAbort);
	}
}

export interface Health {
	readonly routes: Hono<HttpEnv>;
	readiness(): Promise<Readiness>;
}

/** `/healthz` says that this process answers at all; `/readyz` whether it can do its work. */
export function createHealth(deps: HttpDeps): Health {
	const startedAt = deps.clock.now();
	let last: { at: number; answer: Promise<Readiness> } | undefined;
	const look = async (): Promise<Readiness> => {
		const parts = await Promise.all(deps.probes.map(ask));
		for (const part of parts) deps.metrics.gauge('probe_ok', part.ok ? 1 : 0, { part: part.name });
		const broken = parts.filter((part) => !part.ok);
		const state = broken.length === 0 ? 'ready' : broken.some((part) => part.required) ? 'down' : 'degraded';
		return { state, parts };
	};
	// One look serves everybody who asks within a second, so that a flood here is none on Redis.
	const readiness = () => {
		const now = deps.clock.now();
		if (!last || now - last.at >= FRESH_MS || now < last.at) last = { at: now, answer: look() };
		return last.answer;
	};
	const routes = new Hono<HttpEnv>();
	routes.get('/healthz', (c) => {
		c.header('Cache-Control', 'no-store');
		const upSeconds = Math.round((deps.clock.now() - startedAt) / 1_000);
		return c.json({ alive: true, role: deps.about.role, version: deps.about.version, upSeconds });
	});
	routes.get('/readyz', async (c) => {
		c.header('Cache-Control', 'no-store');
		const answer = await readiness();
		return c.json(answer, answer.state === 'down' ? 503 : 200);
	});
	return { routes, readiness };
}
