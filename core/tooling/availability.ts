import type { OverseerSettings } from '../../config/overseer.ts';
import type { RoomSettings } from '../../config/rooms.ts';
import type { WorldView } from '../overseer/world.ts';
import { budgetLeft } from './budget.ts';
import { cooldownLeftMs } from './cooldown.ts';
import type { Availability, BlockReason, ReasonCode, ToolFacts } from './facts.ts';
import { liftIsThere, liftReasons } from './lift-guard.ts';
import { neatoReasons } from './neato-guard.ts';
import { policyReasons } from './policy-guard.ts';
import type { PreparedCall } from './tool-arguments.ts';
import { isPhysical, TOOL_NAMES, type ToolName, toolFamily } from './tool-name.ts';

/**
 * How much is checked. `full`: everything, before a call is booked. `held`: this call has booked its family and budget
 * itself, so those are no reasons any more. `policy`: between two commands of one call, when the device is on its way.
 */
export type GuardScope = 'full' | 'held' | 'policy';

/** Most weighty first. */
const weights: readonly ReasonCode[] = [
	'paused',
	'policy_lock:site_mode_lockdown',
	'policy_lock:site_mode_admin',
	'policy_lock:lights_locked_on',
	'policy_lock:lights_locked_off',
	'stage',
	'vote',
	'unavailable',
	'unsupported',
	'rate_limit',
	'cooldown',
	'busy',
	'already',
	'stale',
];

const byWeight = (one: BlockReason, other: BlockReason) => weights.indexOf(one.code) - weights.indexOf(other.code);

/** Every reason why a tool may not run now, most weighty first; empty = it may. Prompt and executor both ask here. */
export function guardTool(
	tool: ToolName,
	facts: ToolFacts,
	room: RoomSettings,
	settings: OverseerSettings,
	scope: GuardScope = 'full',
): BlockReason[] {
	const reasons = policyReasons(tool, facts);
	if (isPhysical(tool)) {
		const home = homeReason(facts.world);
		if (home !== undefined) reasons.push(home);
		else if (scope !== 'policy') reasons.push(...deviceReasons(tool, facts, room));
	}
	if (scope === 'full') reasons.push(...bookingReasons(tool, facts, settings));
	if (!hasTool(tool, facts.world, room, settings)) reasons.push({ code: 'unsupported', detail: 'not_in_room' });
	return reasons.sort(byWeight);
}

/** Why this one entity cannot be reached; the tool itself may be fine with others. Ids outside the world are `not_found`. */
export function guardEntity(entityId: string, world: WorldView): BlockReason[] {
	const light = world.lights.find((item) => item.entityId === entityId);
	if (light?.available === true) return [];
	if (light !== undefined)
		return [{ code: 'unavailable', detail: light.state === 'missing' ? 'not_found' : 'offline' }];
	const script = world.scripts.find((item) => item.entityId === entityId);
	return script?.available === true ? [] : [{ code: 'unavailable', detail: 'not_found' }];
}

/**
 * `guardTool` plus what depends on the arguments: the entity, and a lift that stands there already. The latter is not
 * part of the offer: a state that the model can read beside it is no lock.
 */
export function guardCall(
	call: PreparedCall,
	facts: ToolFacts,
	room: RoomSettings,
	settings: OverseerSettings,
	scope: GuardScope = 'full',
): BlockReason[] {
	const reasons = guardTool(call.tool, facts, room, settings, scope);
	if (scope === 'policy' || homeReason(facts.world) !== undefined) return reasons;
	if (call.tool === 'ha_set_entity' || call.tool === 'ha_set_light') {
		reasons.push(...guardEntity(call.args.entity_id, facts.world));
	} else if (call.tool === 'ha_run_script') {
		reasons.push(...guardEntity(call.args.script, facts.world));
	} else if ((call.tool === 'lift_up' || call.tool === 'lift_down') && liftIsThere(call.tool, facts.world.lift)) {
		reasons.push({ code: 'already' });
	}
	return reasons.sort(byWeight);
}

/** Tools that the room has at all, in the order of the prompt. */
export function roomTools(world: WorldView, room: RoomSettings, settings: OverseerSettings): ToolName[] {
	return TOOL_NAMES.filter((tool) => hasTool(tool, world, room, settings));
}

/** Splits the room's tools into what may be offered now and what may not, with every reason. */
export function computeAvailability(facts: ToolFacts, room: RoomSettings, settings: OverseerSettings): Availability {
	const judged = roomTools(facts.world, room, settings).map((tool) => ({
		tool,
		reasons: guardTool(tool, facts, room, settings),
	}));
	return {
		available: judged.filter((item) => item.reasons.length === 0).map((item) => item.tool),
		blocked: judged.filter((item) => item.reasons.length > 0),
	};
}

/** Lamps that can do more than on and off. */
export function isDimmable(light: WorldView['lights'][number]): boolean {
	return light.colorModes.some((mode) => mode !== 'onoff' && mode !== 'unknown');
}

function hasTool(tool: ToolName, world: WorldView, room: RoomSettings, settings: OverseerSettings): boolean {
	if (tool === 'ha_set_entity') return room.lights.length > 0;
	if (tool === 'ha_set_light') return world.lights.some(isDimmable);
	switch (toolFamily(tool)) {
		case 'lift':
			return room.lift !== undefined;
		case 'neato':
			return room.neato !== undefined;
		case 'script':
			return room.scripts.length > 0;
		case 'buttonBox':
			return settings.buttonBox.enabled && (room.buttonBoxEntityIds ?? []).length > 0;
		default:
			return true;
	}
}

function homeReason(world: WorldView): BlockReason | undefined {
	if (world.homeReady) return undefined;
	return { code: 'unavailable', detail: world.homePhase === 'auth_failed' ? 'auth' : 'offline' };
}

function deviceReasons(tool: ToolName, facts: ToolFacts, room: RoomSettings): BlockReason[] {
	const { world, direct } = facts;
	switch (tool) {
		case 'lift_up':
		case 'lift_down':
			return room.lift === undefined ? [] : liftReasons(world.lift, direct);
		case 'neato_start':
		case 'neato_send_home':
		case 'neato_locate':
		case 'neato_clear_errors':
			return room.neato === undefined ? [] : neatoReasons(tool, world.neato);
		case 'ha_set_entity':
			return noneReachable(world.lights);
		case 'ha_set_light':
			return noneReachable(world.lights.filter(isDimmable));
		case 'ha_run_script':
			return noneReachable(world.scripts);
		default:
			return [];
	}
}

function noneReachable(items: readonly { available: boolean; state?: string }[]): BlockReason[] {
	if (items.some((item) => item.available)) return [];
	const known = items.some((item) => item.state !== undefined && item.state !== 'missing');
	return [{ code: 'unavailable', detail: known ? 'offline' : 'not_found' }];
}

function bookingReasons(tool: ToolName, facts: ToolFacts, settings: OverseerSettings): BlockReason[] {
	const family = toolFamily(tool);
	const reasons: BlockReason[] = [];
	if (isPhysical(tool)) {
		const { spent, remainingMs } = budgetLeft(facts, settings);
		if (spent) reasons.push(remainingMs === undefined ? { code: 'rate_limit' } : { code: 'rate_limit', remainingMs });
	}
	const remainingMs = cooldownLeftMs(facts, family);
	if (remainingMs > 0) reasons.push({ code: 'cooldown', remainingMs });
	// Words and notes run beside each other. One that a dead process left open must not silence the next answer.
	if (isPhysical(tool) && facts.running.includes(family)) reasons.push({ code: 'busy', detail: 'running' });
	return reasons;
}
