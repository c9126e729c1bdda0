import type { OverseerSettings } from '../config/overseer.ts';
import type { RoomSettings } from '../config/rooms.ts';
import type { EntityState } from '../core/home/entity.ts';
import type { Home } from '../core/home/home-port.ts';
import type { RoomStore } from '../core/overseer/room-store.ts';
import type { MemoryStore, WorkerLives } from '../core/overseer/stores.ts';
import type { NeatoView, WorldView } from '../core/overseer/world.ts';
import type { CallOutcome, ProposedCall } from '../core/tooling/call.ts';
import type { ToolFacts } from '../core/tooling/facts.ts';
import type { Claims, Ledger } from '../core/tooling/ledger-port.ts';
import { isToolName } from '../core/tooling/tool-name.ts';
import { runCall } from './call-run.ts';
import { createCallTrail, type TrailDeps } from './call-trail.ts';
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

export interface ExecuteRequest {
	readonly roomId: string;
	readonly decisionId: string;
	readonly call: ProposedCall;
	readonly trigger: string;
	/** Person or event behind it. */
	readonly cause?: string;
	/** The decision answers a person who addressed us. */
	readonly direct: boolean;
	/** The world that the decision was made on; an action is dropped when what it touches is another by now. */
	readonly expectedWorld?: WorldView;
	/** Trace context of the decision behind it. */
	readonly trace?: string | undefined;
	/** Gives the call up. What has left for the house is not called back. */
	readonly signal?: AbortSignal;
}

export interface Executor {
	/**
	 * Takes one proposed call to its end: prepare, guard, claim, book, guard again, act, verify, settle, each step in the
	 * audit. Never rejects, and never acts twice for one call id.
	 */
	execute(request: ExecuteRequest): Promise<CallOutcome>;
}

export function createExecutor(deps: ExecutorDeps): Executor {
	return {
		execute(request) {
			const { decisionId, call, trace: parent } = request;
			const tool = isToolName(call.tool) ? call.tool : 'unknown';
			const marks = { decision: decisionId, call: call.id };
			return deps.tracer.step('overseer.tool', { parent, marks, attributes: { tool } }, async (step) => {
				const outcome = await carryOut(deps, request);
				step.note({ outcome: outcome.kind });
				return outcome;
			});
		},
	};
}

async function carryOut(deps: ExecutorDeps, request: ExecuteRequest): Promise<CallOutcome> {
	const trail = createCallTrail(deps, request);
	try {
		return await runCall(deps, request, trail);
	} catch (error) {
		// Only stores fail this far out, and only before anything was done: what acts guards itself.
		trail.trouble('store', error);
		const outcome: CallOutcome = {
			kind: 'failed',
			code: 'store_unavailable',
			summary: 'not done: our own store is away',
		};
		await trail.close(outcome, {});
		return outcome;
	}
}
