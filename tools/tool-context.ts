import { type RoomSettings, roomEntityIds } from '../config/rooms.ts';
import type { Home, HomeCallResult } from '../core/home/home-port.ts';
import { guardCall } from '../core/tooling/availability.ts';
import type { PreparedCall } from '../core/tooling/tool-arguments.ts';
import type { CallTrail } from './call-trail.ts';
import type { ExecuteRequest } from './execute-request.ts';
import type { ExecutorDeps } from './executor-deps.ts';
import type { ToolContext } from './tool.ts';

export interface Reach {
	readonly context: ToolContext;
	/** A command may have left: from here on the call can be in doubt. */
	mayHaveActed(): boolean;
}

/**
 * The hands of one call. This is the only place where a command leaves for the house: it knows the room's own entities
 * and no others, sends nothing once the call was given up, and remembers the contexts of what was sent as ours.
 */
export function createReach(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	room: RoomSettings,
	call: PreparedCall,
	trail: CallTrail,
	signal: AbortSignal,
): Reach {
	const allowed = new Set(roomEntityIds(room));
	let acted = false;
	const context: ToolContext = {
		roomId: request.roomId,
		decisionId: request.decisionId,
		callId: request.call.id,
		direct: request.direct,
		room,
		settings: deps.settings,
		callDeadlineMs: deps.callDeadlineMs,
		home: deps.home,
		memory: {
			read: (roomId) => deps.memory.read(roomId),
			clear: (roomId) => deps.memory.clear(roomId),
			async write(...note) {
				acted = true;
				await deps.memory.write(...note);
			},
		},
		speaker: {
			async say(line) {
				acted = true;
				return await deps.speaker.say(line);
			},
		},
		async command({ domain, service, entityId, data }) {
			if (!allowed.has(entityId))
				return { kind: 'rejected', code: 'not_allowed', message: 'not an entity of the room' };
			if (signal.aborted) return { kind: 'unreachable' };
			const before = acted;
			acted = true;
			const { callDeadlineMs: deadlineMs } = deps;
			const order = { domain, service, entityId, deadlineMs, signal, ...(data && { data }) };
			const result = await send(deps.home, order, trail);
			if (result.kind === 'unreachable') acted = before;
			if (result.kind === 'ok') {
				const own = deps.rooms.addOwnContext(request.roomId, result.contextId);
				await own.catch((error: unknown) => trail.trouble('own_context', error));
			}
			return result;
		},
		async recheck() {
			try {
				const facts = await deps.facts(request.roomId, request.direct);
				return guardCall(call, facts, room, deps.settings, 'policy');
			} catch (error) {
				trail.trouble('recheck', error);
				return [{ code: 'unavailable', detail: 'locks_unknown' }];
			}
		},
		readNeato: (states) => deps.readNeato(room, states),
		async sleep(ms, until) {
			await deps.sleep(ms, until).catch(() => undefined);
		},
	};
	return { context, mayHaveActed: () => acted };
}

/** An adapter that breaks its word leaves us not knowing. */
async function send(home: Home, order: Parameters<Home['call']>[0], trail: CallTrail): Promise<HomeCallResult> {
	try {
		return await home.call(order);
	} catch (error) {
		trail.trouble('home', error);
		return { kind: 'in_doubt', reason: 'lost' };
	}
}
