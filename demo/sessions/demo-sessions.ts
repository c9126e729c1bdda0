import { createFleetClient } from '../../adapters/fleet/reporters/fleet-client.ts';
import { createReporter } from '../../adapters/fleet/reporters/reporter.ts';
import type { SessionReport } from '../../core/fleet/report.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { createApiFix } from './api-fix.ts';
import { createDepsAudit } from './deps-audit.ts';
import { createDocs } from './docs.ts';
import { createScriptedSession } from './scripted-session.ts';
import type { SessionScript } from './session-script.ts';
import { createTestRun } from './test-run.ts';

/** Longest wait at the end for reports that are still on their way. */
const DRAIN_MS = 2_000;
/** How the fleet calls this kind of session. */
export const SOURCE = 'demo-agent';
const POLL_MS = 10_000;
const RETRY_MS = 2_000;

export interface DemoSessionsDeps {
	/** Address of the bot's own pages. */
	readonly url: string;
	readonly token: string;
	/** Pace: how long one step of a script takes. */
	readonly stepMs: number;
	readonly clock: Clock;
	readonly log: Log;
	readonly newId: () => string;
	/** The four of the demo when absent. */
	readonly scripts?: readonly SessionScript[];
	readonly pollMs?: number;
	readonly retryMs?: number;
}

/**
 * Plays the demo's coding agents. They know the house only by its address, as agents on another machine would: what they
 * report goes over HTTP, what people send them is fetched from their inbox. While the bot is away they keep what they have to say.
 */
export function startDemoSessions(deps: DemoSessionsDeps): { stop(): Promise<void> } {
	const scripts = deps.scripts ?? [createApiFix(), createDocs(), createTestRun(), createDepsAudit()];
	const { url, token, stepMs, newId } = deps;
	const reporter = createReporter({
		client: createFleetClient({ url, token, source: SOURCE }),
		source: SOURCE,
		clock: deps.clock,
		log: deps.log,
		newId,
		pollMs: deps.pollMs ?? POLL_MS,
		retryMs: deps.retryMs ?? RETRY_MS,
		onItem: async (nativeId, item) => sessions.get(nativeId)?.take(item) ?? { ok: false, why: 'the session has ended' },
	});
	const sessions = new Map(
		scripts.map((script) => {
			// The same at every start, so that a session that comes back is the one that left.
			const nativeId = `demo-${script.name}`;
			const about = { nativeId, name: script.name, directory: script.directory, model: script.model };
			const report = (kind: SessionReport['kind'], data: SessionReport['data']) =>
				reporter.report(about, [{ kind, data }]);
			return [nativeId, createScriptedSession(script, { stepMs, report, newId })] as const;
		}),
	);

	return {
		async stop() {
			const all = [...sessions.values()];
			await Promise.allSettled(all.map((session) => session.end('the rehearsal house closes')));
			await reporter.drained(DRAIN_MS);
			await reporter.close();
		},
	};
}
