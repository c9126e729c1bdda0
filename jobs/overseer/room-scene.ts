import type { OverseerSettings, Runtime, Stage } from '../../config/overseer.ts';
import type { RoomSettings } from '../../config/rooms.ts';
import type { Home } from '../../core/home/home-port.ts';
import type { GateInput } from '../../core/overseer/gate-look.ts';
import { activePeople } from '../../core/overseer/people.ts';
import type { RoomSnapshot, RoomStore } from '../../core/overseer/room-store.ts';
import type { SitePolicy } from '../../core/overseer/site.ts';
import type { LiftCommands, OverrideStore, RoverReports, SiteStore, VoteStore } from '../../core/overseer/stores.ts';
import { decideVote } from '../../core/overseer/vote.ts';
import type { WorldView } from '../../core/overseer/world.ts';
import { readWorld } from '../../core/overseer/world-view.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { ToolFacts } from '../../core/tooling/facts.ts';
import type { Ledger } from '../../core/tooling/ledger-port.ts';

/** Lines and events read in one look: more than the model's window, so that the gate sees bursts whole. */
const LIMITS = { messages: 200, events: 60 };

/** What is true of a room right now, the effective settings included. */
export interface RoomScene {
	readonly room: RoomSettings;
	readonly settings: OverseerSettings;
	readonly stage: Stage;
	readonly runtime: Runtime;
	readonly site: SitePolicy;
	readonly world: WorldView;
	readonly snapshot: RoomSnapshot;
	readonly votedQuiet: boolean;
	readonly now: number;
}

export interface RoomScenes {
	/** Undefined for a room that is not configured (any more). Rejects when Redis cannot be reached in time. */
	read(roomId: string): Promise<RoomScene | undefined>;
	/** The world alone, without touching the room's transcript. */
	world(room: RoomSettings): Promise<WorldView>;
	gateInput(scene: RoomScene): GateInput;
	/** Facts for the guard as of a scene, with what is booked now. */
	factsOf(scene: RoomScene, direct: boolean): Promise<ToolFacts>;
	/** Facts for the guard, gathered anew at each call. */
	facts(roomId: string, direct: boolean): Promise<ToolFacts>;
}

export interface RoomSceneDeps {
	rooms(): readonly RoomSettings[];
	settings(): OverseerSettings;
	home: Pick<Home, 'status' | 'states'>;
	store: RoomStore;
	ledger: Ledger;
	site: SiteStore;
	overrides: OverrideStore;
	votes: VoteStore;
	rovers: RoverReports;
	liftCommands: LiftCommands;
	clock: Clock;
	random: Random;
}

export function createRoomScenes(deps: RoomSceneDeps): RoomScenes {
	const { clock, home, store, ledger } = deps;

	const world = async (room: RoomSettings): Promise<WorldView> =>
		readWorld({
			room,
			states: home.states(),
			home: home.status(),
			reports: room.rovers.some(({ source }) => source === 'http') ? await deps.rovers.read(room.id) : [],
			...(room.lift ? { liftCommand: await deps.liftCommands.read(room.id) } : {}),
			now: clock.now(),
		});

	const read = async (roomId: string): Promise<RoomScene | undefined> => {
		const room = deps.rooms().find(({ id }) => id === roomId);
		if (!room) return undefined;
		const settings = deps.settings();
		const [snapshot, site, overrides, votes, view] = await Promise.all([
			store.read(roomId, LIMITS),
			deps.site.read(),
			deps.overrides.read(roomId),
			deps.votes.read(roomId),
			world(room),
		]);
		const now = clock.now();
		const people = activePeople(snapshot.messages, now, settings.gate.activeForMs).map(({ id }) => id);
		return {
			room,
			settings,
			stage: overrides.stage ?? settings.stage,
			runtime: overrides.runtime ?? settings.runtime,
			site,
			world: view,
			snapshot,
			votedQuiet: decideVote({ activeIds: people, votes, tie: settings.vote.tie }).quiet,
			now,
		};
	};

	const factsOf = async (scene: RoomScene, direct: boolean): Promise<ToolFacts> => {
		const booked = await ledger.read(scene.room.id, scene.now);
		return {
			now: scene.now,
			stage: scene.runtime === 'overseer' ? scene.stage : 'off',
			site: scene.site,
			world: scene.world,
			readyAt: booked.readyAt,
			budget: booked.budget,
			running: booked.running,
			direct,
			votedQuiet: scene.votedQuiet,
		};
	};

	return {
		read,
		world,
		gateInput: (scene) => ({
			snapshot: scene.snapshot,
			settings: scene.settings,
			stage: scene.stage,
			runtime: scene.runtime,
			role: scene.runtime === 'commentary' ? 'commentary' : 'overseer',
			site: scene.site,
			votedQuiet: scene.votedQuiet,
			present: isPresent(scene.world),
			now: scene.now,
			newId: () => deps.random.id(),
		}),
		factsOf,
		async facts(roomId, direct) {
			const scene = await read(roomId);
			if (!scene) throw new Error(`room ${roomId} is not configured`);
			return factsOf(scene, direct);
		},
	};
}

/** A sensor that sees somebody, or somebody at the wheel; unknown where nothing could tell. */
function isPresent(world: WorldView): boolean | undefined {
	if (world.rovers.some(({ driving }) => driving)) return true;
	return world.present;
}
