import type { RoomSettings } from '../config/rooms.ts';
import type { WorldView } from '../core/overseer/world.ts';
import type { BlockReason } from '../core/tooling/facts.ts';
import { changeSince, touchedBy } from '../core/tooling/staleness.ts';
import type { PreparedCall } from '../core/tooling/tool-arguments.ts';
import type { ExecuteRequest } from './execute-request.ts';
import type { ExecutorDeps } from './executor-deps.ts';
import { neatoCommands } from './neato/driver.ts';

/**
 * A reason when what the call touches is not as it was when the call was decided on, unless we changed it ourselves. Who
 * did is read from the contexts of the last changes; of a device with several entities the newest change counts.
 */
export async function staleReason(
	deps: Pick<ExecutorDeps, 'home' | 'rooms'>,
	{ roomId, expectedWorld }: ExecuteRequest,
	room: RoomSettings,
	call: PreparedCall,
	world: WorldView,
): Promise<BlockReason | undefined> {
	if (expectedWorld === undefined) return undefined;
	const detail = changeSince(call, expectedWorld, world);
	if (detail === undefined) return undefined;
	const states = touchedIds(call, room)
		.map((id) => deps.home.states().get(id))
		.filter((state) => state !== undefined);
	const newest = states.sort((one, other) => other.lastUpdatedAt - one.lastUpdatedAt)[0];
	if (newest !== undefined) {
		const { ownContexts } = await deps.rooms.read(roomId, { messages: 0, events: 0 });
		const causes = [newest.contextId, newest.contextParentId];
		if (causes.some((id) => id !== undefined && ownContexts.includes(id))) return undefined;
	}
	return { code: 'stale', detail };
}

function touchedIds(call: PreparedCall, { lift, neato }: RoomSettings): readonly string[] {
	const { entityId, device } = touchedBy(call);
	if (entityId !== undefined) return [entityId];
	if (device === 'neato') return neato ? neatoCommands(neato).shownBy : [];
	if (device !== 'lift' || lift === undefined) return [];
	return lift.driver === 'cover' ? [lift.entityId] : [lift.upEntityId, lift.downEntityId];
}
