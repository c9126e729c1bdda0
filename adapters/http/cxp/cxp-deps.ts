import type { IntakeSettings } from '../../../config/intake.ts';
import type { IntakeAudit } from '../../../core/intake/intake-audit.ts';
import type { IntakeDesk } from '../../../core/intake/intake-desk.ts';
import type { IntakeStore } from '../../../core/intake/intake-store.ts';
import type { SurfaceItems } from '../../../core/intake/surface.ts';
import type { Clock, Log, Metrics, Random } from '../../../core/ports.ts';

export interface CxpDeps {
	readonly desk: IntakeDesk;
	readonly store: Pick<IntakeStore, 'load'>;
	readonly surface: SurfaceItems;
	readonly audit: Pick<IntakeAudit, 'append'>;
	readonly nonces: { first(name: string, ms: number): Promise<boolean> };
	/** Hears the ids of sessions in which something happened; returns its remover. */
	onMove(listener: (sessionId: string) => void): () => Promise<void>;
	settings(): IntakeSettings;
	/** Bearer tokens by caller. */
	readonly callers: Readonly<Record<string, string>>;
	readonly packetKeys: readonly { readonly owner: string; readonly id: string; readonly secret: string }[];
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Who asks, once the token was accepted. */
export interface Caller {
	readonly name: string;
	/** As the sessions know them. */
	readonly personId: string;
	readonly keys: readonly { readonly id: string; readonly secret: string }[];
}
