import type { FleetSettings } from '../../../config/fleet.ts';
import type { InboxDesk, ReportDesk } from '../../../core/fleet/report-desk.ts';
import type { Clock, Log, Metrics } from '../../../core/ports.ts';

export interface FleetHttpDeps {
	readonly reports: ReportDesk;
	readonly inbox: InboxDesk;
	settings(): FleetSettings;
	/** Bearer tokens by host. */
	readonly tokens: Readonly<Record<string, string>>;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}
