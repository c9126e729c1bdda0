import type { Queue } from 'bullmq';
import type { Hono } from 'hono';
import type { RoomSettings } from '../../config/rooms.ts';
import type { HttpSettings } from '../../config/schema.ts';
import type { RoverReports } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';

export interface ProbeResult {
	readonly ok: boolean;
	/** One short line for operators, without secrets. */
	readonly detail: string;
	/** What to do about it. */
	readonly hint?: string;
}

/** One part the house stands on. Parts that are not `required` only degrade it. */
export interface Probe {
	readonly name: string;
	readonly required: boolean;
	/** An answer serves everybody for so long, in milliseconds; 1 000 when absent. Longer for what costs something to ask. */
	readonly freshMs?: number;
	/** An answer later than two seconds, or a throw, counts as broken. */
	check(signal: AbortSignal): ProbeResult | Promise<ProbeResult>;
}

/** The live overseer panel, by room. Documents are shown as they are. */
export interface Panel {
	rooms(): readonly { readonly id: string; readonly title: string }[];
	read(roomId: string): Promise<unknown>;
	/** Hears the ids of rooms whose document changed; returns its remover. */
	onWrite(listener: (roomId: string) => void): () => unknown;
}

/** Another part of the admin page: a document that the page draws by its name. */
export interface Board {
	readonly name: string;
	read(): Promise<unknown>;
}

/** Secrets of this edge, from the environment only. */
export interface HttpSecrets {
	readonly adminPassword?: string;
	readonly adminToken?: string;
	readonly metricsToken?: string;
	/** By room id. */
	readonly roomTokens?: Readonly<Record<string, string>>;
}

/** Routes of another part of the house. They authenticate their callers themselves. */
export interface ExtraRoutes {
	/** Where they hang, e.g. `/cxp`; paths inside `app` are relative to it. */
	readonly path: `/${string}`;
	readonly app: Hono;
	/** OpenAPI path items, by full path. */
	readonly openapi?: { readonly paths: Readonly<Record<string, unknown>> };
	/** Largest request body; 64 KiB when absent. */
	readonly bodyLimitBytes?: number;
}

export interface HttpDeps {
	readonly settings: HttpSettings;
	readonly secrets: HttpSecrets;
	readonly probes: readonly Probe[];
	readonly metrics: Metrics & { readonly contentType: string; render(): Promise<string> };
	/** Queues of the board; without any the board is left out. */
	readonly queues?: readonly Queue[];
	readonly panel?: Panel;
	readonly boards?: readonly Board[];
	readonly rovers?: { rooms(): readonly RoomSettings[]; readonly reports: RoverReports };
	readonly routes?: readonly ExtraRoutes[];
	readonly log: Log;
	readonly clock: Clock;
	readonly about: { name(): string; readonly version: string; readonly role: string };
	/** Pages that may show ours in a frame; nobody when absent. */
	readonly frameAncestors?: readonly string[];
	/** Requests one address may make at once and then in each second; generous for people. */
	readonly rate?: { readonly burst: number; readonly perSecond: number };
	/** Longest time for the beginning of an answer, in milliseconds; 15 000 when absent. */
	readonly deadlineMs?: number;
	/** How long a caller may take to send its headers, and all of its request; 10 and 15 s when absent. */
	readonly receiveMs?: { readonly headers: number; readonly whole: number };
}
