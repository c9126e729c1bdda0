import type { Settings } from '../config/schema.ts';
import type { ChatBus } from '../core/chat/bus-port.ts';
import type { ChatMessage } from '../core/chat/message.ts';
import type { HouseReload } from '../core/operations/house-reload.ts';
import type { CommentaryStatus } from '../core/overseer/commentary-status.ts';
import type { RoomStore } from '../core/overseer/room-store.ts';
import type { OverseerStatus } from '../core/overseer/status.ts';
import type {
	MemoryStore,
	MessageClaims,
	OverrideStore,
	SiteStore,
	StatusStore,
	VoteStore,
} from '../core/overseer/stores.ts';
import type { WorldView } from '../core/overseer/world.ts';
import type { Clock, Log, Metrics, Random } from '../core/ports.ts';
import type { Audit } from '../core/tooling/call.ts';
import type { Tracer } from '../core/tracer.ts';
import type { FleetPorts } from './fleet/fleet-ports.ts';
import type { IntakePorts } from './intake/intake-ports.ts';
import type { UsageFigures } from './usage-figures.ts';

/** Remembers which commands were last registered where, so that restarts register nothing anew. */
export interface DeployMemory {
	get(scope: string): Promise<string | undefined>;
	set(scope: string, hash: string): Promise<void>;
}

/** Where the live panel of a room stands. */
export interface PanelPlace {
	readonly channelId: string;
	readonly messageId: string;
}

/** Remembers panel messages over restarts, so that they are edited and not posted again. */
export interface PanelMemory {
	get(roomId: string): Promise<PanelPlace | undefined>;
	set(roomId: string, place: PanelPlace): Promise<void>;
}

export type BotSettings = Pick<Settings, 'language' | 'discord' | 'rooms' | 'overseer' | 'intake' | 'fleet'>;

/** Everything the Discord edge needs from the rest of the house. */
export interface BotDeps {
	readonly token: string;
	/** Current values: a reload of the configuration is seen at the next call. */
	readonly settings: () => BotSettings;
	/** False where all is gone when the process ends, which panels say in red; kept when absent. */
	readonly isKept?: boolean;
	readonly bus: ChatBus;
	readonly claims: MessageClaims;
	readonly site: SiteStore;
	readonly overrides: OverrideStore;
	readonly status: StatusStore<OverseerStatus>;
	readonly commentary: StatusStore<CommentaryStatus>;
	readonly audit: Audit;
	readonly memory: MemoryStore;
	readonly votes: VoteStore;
	/** Ids of the people who count as there, and so have a vote; without it, those who ever voted. */
	readonly active?: (roomId: string) => Promise<readonly string[]>;
	readonly roomStore: Pick<RoomStore, 'resetContext'>;
	/** What stands in a room now; undefined when nobody watches it. */
	readonly world: (roomId: string) => Promise<WorldView | undefined>;
	/** The exact last prompt of a room as text; undefined when none is kept. */
	readonly lastPrompt?: (roomId: string) => Promise<string | undefined>;
	readonly deployMemory: DeployMemory;
	readonly panelMemory: PanelMemory;
	/** Reads settings and prompts again in every process. */
	readonly reload?: HouseReload;
	/** Absent: no figures of past days are kept. */
	readonly usage?: UsageFigures;
	/** Absent: this house takes no intakes. */
	readonly intake?: IntakePorts;
	/** Absent: this house keeps no fleet. */
	readonly fleet?: FleetPorts;
	/** A line that Discord will never take, and Discord's reason. */
	readonly undeliverable?: (message: ChatMessage, code: number) => void;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly tracer: Tracer;
}
