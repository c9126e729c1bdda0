import type { LiftSettings } from '../../config/rooms.ts';
import type { EntityState } from '../home/entity.ts';
import type { LiftView } from './world.ts';

/** Our last lift command in the room. */
export interface LiftCommand {
	readonly direction: 'up' | 'down';
	/** Epoch ms of the attempt. */
	readonly at: number;
}

type States = ReadonlyMap<string, EntityState>;

const GONE: LiftView = { position: 'unknown', busy: false, available: false };

/** Where the lift is, by whichever driver it hangs on. `live` is false while Home Assistant cannot be reached. */
export function readLift(
	lift: LiftSettings,
	states: States,
	command: LiftCommand | undefined,
	live: boolean,
	now: number,
): LiftView {
	const view =
		lift.driver === 'cover' ? readCover(lift, states, command, now) : readSwitches(lift, states, command, now);
	return live ? view : { ...view, available: false };
}

/**
 * A cover says what its motor driver believes. A motion state at the end of the way, or after twice the travel time, is a
 * leftover; an in-between position shortly after a command still moves, whatever the state says; without any knowledge the
 * last command stands for it.
 */
function readCover(
	{ entityId, travelMs }: Extract<LiftSettings, { driver: 'cover' }>,
	states: States,
	command: LiftCommand | undefined,
	now: number,
): LiftView {
	const state = states.get(entityId);
	if (state === undefined) return GONE;
	const { available } = state;
	const raw = state.attributes['current_position'];
	const at = typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined;
	const end = at === undefined ? undefined : at >= 100 ? 'up' : at <= 0 ? 'down' : undefined;
	const heldMs = now - state.lastChangedAt;
	const commandedMs = command === undefined ? Number.POSITIVE_INFINITY : now - command.at;
	const isCommanded = commandedMs < travelMs;
	const heading = command?.direction === 'down' ? 'closing' : 'opening';
	switch (state.state) {
		case 'opening':
		case 'closing': {
			const goal = state.state === 'opening' ? 'up' : 'down';
			if (end === goal) return { position: goal, busy: false, available, stale: true };
			if (heldMs <= travelMs * 2) return { position: state.state, busy: true, available };
			// Without a position nobody knows where it stands; it is not moved by itself.
			return { position: at === undefined ? 'unknown' : 'stopped', busy: false, available, stale: true };
		}
		case 'open':
		case 'closed': {
			const rest = end ?? (at === undefined ? (state.state === 'open' ? 'up' : 'down') : undefined);
			const isUnderway = rest === undefined && (isCommanded || (command === undefined && heldMs < travelMs));
			if (rest !== undefined) {
				// The end it starts from does not mean that it has arrived where it was sent.
				const starting = isCommanded && rest !== (command?.direction ?? rest) && heldMs > commandedMs;
				return { position: starting ? heading : rest, busy: starting, available };
			}
			return { position: isUnderway && command !== undefined ? heading : 'stopped', busy: isUnderway, available };
		}
		default:
			if (!available || command === undefined) return { position: end ?? 'unknown', busy: false, available };
			return isCommanded
				? { position: heading, busy: true, available }
				: { position: end ?? command.direction, busy: false, available };
	}
}

/** The switch that is on tells the position; both on is a fault in which nothing may move. */
function readSwitches(
	{ upEntityId, downEntityId, interlockMs }: Extract<LiftSettings, { driver: 'switches' }>,
	states: States,
	command: LiftCommand | undefined,
	now: number,
): LiftView {
	const up = states.get(upEntityId);
	const down = states.get(downEntityId);
	if (up === undefined || down === undefined) return GONE;
	const available = up.available && down.available;
	if (!available) return { ...GONE };
	const isUp = up.state === 'on';
	const isDown = down.state === 'on';
	if (isUp && isDown) return { position: 'conflict', busy: false, available };
	const isBetween = command !== undefined && now - command.at < interlockMs && !isUp && !isDown;
	if (isBetween) return { position: command.direction === 'up' ? 'opening' : 'closing', busy: true, available };
	const position = isUp ? 'up' : isDown ? 'down' : 'stopped';
	// The relay has switched, the platform is on its way: an interlock's time is the least that a move takes.
	const switchedAt = Math.max(up.lastChangedAt, down.lastChangedAt);
	return { position, busy: position !== 'stopped' && now - switchedAt < interlockMs, available };
}
