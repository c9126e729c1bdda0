import { createRedactor } from './adapters/observe/redact.ts';
import { LayoutUnfit } from './adapters/redis/migrations/migrate.ts';
import { ConfigError } from './config/config-error.ts';
import { secretsOf } from './config/env.ts';
import type { Log } from './core/ports.ts';

/** What nobody caught is written down without its secrets; then the process ends, for its state is not known any more. */
export function endOnSurprise(log: Log): void {
	for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
		process.on(surprise, (error: unknown) => {
			log.error({ error, surprise }, 'an error that nobody caught; the process ends');
			process.exit(1);
		});
	}
}

/** Says why it did not start: in words where they are ours, else without what may be a secret. */
export function endOnFailure(error: unknown): void {
	const known = error instanceof ConfigError || error instanceof LayoutUnfit;
	const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
	console.error(known ? error.message : createRedactor(secretsOf(process.env)).text(shown));
	process.exit(known ? error.exitCode : 1);
}
