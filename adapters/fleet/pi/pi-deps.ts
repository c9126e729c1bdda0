import type { FleetSettings } from '../../../config/fleet.ts';
import type { Clock, Log, Random } from '../../../core/ports.ts';
import type { ReportSink } from '../report-queue.ts';

export interface PiDeps {
	readonly settings: FleetSettings['pi'];
	/** Name of this machine in the fleet. */
	readonly host: string;
	/** Folder for session files; made when missing. */
	readonly sessionsDir: string;
	/** Environment that pi may see, apart from what is the bot's own. */
	readonly env: NodeJS.ProcessEnv;
	/** Takes reports into the fleet. */
	readonly sink: ReportSink;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly timing?: Partial<PiTiming>;
}

export interface PiTiming {
	/** How often a session is asked whether it is still there. */
	readonly aliveMs: number;
	/** Wait for an end by itself, and again after each signal. */
	readonly endGraceMs: number;
	/** Wait for a word of this service when a child was ended by a signal: whoever ends both tells the child sooner. */
	readonly leaveMs: number;
	/** Wait before a crashed session is taken up again; doubles with each crash. */
	readonly resumeMs: number;
	/** Crashes within `crashWindowMs` after which a session stays down. */
	readonly maxCrashes: number;
	readonly crashWindowMs: number;
}

export const PI_TIMING: PiTiming = {
	aliveMs: 60_000,
	endGraceMs: 3_000,
	leaveMs: 1_000,
	resumeMs: 1_000,
	maxCrashes: 3,
	crashWindowMs: 600_000,
};
