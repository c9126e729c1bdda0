import { Hono } from 'hono';
import { type HttpEnv, isLocalCaller } from './caller.ts';
import type { HttpDeps, Probe, ProbeResult } from './deps.ts';
import { bearerToken, isSameSecret } from './secret-compare.ts';

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
	const last = new Map<Probe, { at: number; answer: Promise<PartState> }>();
	// One look serves everybody who asks within its time, so that a flood here is none on Redis or the model.
	const fresh = (probe: Probe): Promise<PartState> => {
		const now = deps.clock.now();
		const known = last.get(probe);
		const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.at;
		if (known && age >= 0 && age < (probe.freshMs ?? FRESH_MS)) return known.answer;
		const answer = ask(probe);
		last.set(probe, { at: now, answer });
		return answer;
	};
	const readiness = async (): Promise<Readiness> => {
		const parts = await Promise.all(deps.probes.map(fresh));
		for (const part of parts) deps.metrics.gauge('probe_ok', part.ok ? 1 : 0, { part: part.name });
		const broken = parts.filter((part) => !part.ok);
		const state = broken.length === 0 ? 'ready' : broken.some((part) => part.required) ? 'down' : 'degraded';
		return { state, parts };
	};
	const routes = new Hono<HttpEnv>();
	routes.get('/healthz', (c) => {
		c.header('Cache-Control', 'no-store');
		const upSeconds = Math.round((deps.clock.now() - startedAt) / 1_000);
		return c.json({ alive: true, role: deps.about.role, version: deps.about.version, upSeconds });
	});
	routes.get('/readyz', async (c) => {
		c.header('Cache-Control', 'no-store');
		const { state, parts } = await readiness();
		// Details name addresses and versions; from outside, the names of what is missing have to do.
		const isTrusted =
			isLocalCaller(c) || isSameSecret(bearerToken(c.req.header('authorization')), deps.secrets.adminToken);
		const shown = isTrusted ? parts : parts.map(({ name, required, ok }) => ({ name, required, ok }));
		return c.json({ state, parts: shown }, state === 'down' ? 503 : 200);
	});
	return { routes, readiness };
}
