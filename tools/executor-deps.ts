import type { OverseerSettings } from '../config/overseer.ts';
import type { RoomSettings } from '../config/rooms.ts';
import type { EntityState } from '../core/home/entity.ts';
import type { Home } from '../core/home/home-port.ts';
import type { RoomStore } from '../core/overseer/room-store.ts';
import type { MemoryStore, WorkerLives } from '../core/overseer/stores.ts';
import type { NeatoView } from '../core/overseer/world.ts';
import type { ToolFacts } from '../core/tooling/facts.ts';
import type { Claims, Ledger } from '../core/tooling/ledger-port.ts';
import type { TrailDeps } from './call-trail.ts';
import type { Speaker } from './tool.ts';

export interface ExecutorDeps extends TrailDeps {
	readonly claims: Claims;
	/** Without it, a call that another process left open is waited for in full. */
	readonly lives?: WorkerLives;
	readonly ledger: Ledger;
	readonly home: Home;
	readonly memory: MemoryStore;
	readonly speaker: Speaker;
	readonly rooms: Pick<RoomStore, 'addOwnContext' | 'read'>;
	readonly settings: OverseerSettings;
	/** Longest wait for Home Assistant's answer to one command. */
	readonly callDeadlineMs: number;
	room(roomId: string): RoomSettings | undefined;
	/** Everything that decides, read anew at each call of it. */
	facts(roomId: string, direct: boolean): Promise<ToolFacts>;
	/** The vacuum as the world view reads it from these states. */
	readNeato(room: RoomSettings, states: ReadonlyMap<string, EntityState>): NeatoView | undefined;
	/** Ends early when the signal fires. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
