import type { LiftSettings } from '../../config/rooms.ts';
import { domainOf, type EntityState } from '../../core/home/entity.ts';
import type { CallOutcome } from '../../core/tooling/call.ts';
import { commandAndWatch, outcomeOf, type Step } from '../command-and-watch.ts';
import { type ToolContext, touchedSince } from '../tool.ts';
import type { Direction } from './cover.ts';

export type SwitchLift = Extract<LiftSettings, { driver: 'switches' }>;

/** Domains whose `turn_on` and `turn_off` are a plain relay. */
const relayDomains: ReadonlySet<string> = new Set(['switch', 'input_boolean']);

/**
 * Moves a lift that is two relays. The other relay goes off and is seen off, the motor rests, the locks are asked again,
 * and only then this one goes on. Whatever breaks off on the way leaves both relays off or as they were, never both on.
 */
export async function moveSwitches(
	context: ToolContext,
	lift: SwitchLift,
	direction: Direction,
	signal: AbortSignal,
): Promise<CallOutcome> {
	const [thisId, otherId] = order(lift, direction);
	const tried = `told the lift to go ${direction}`;
	const failed = (code: string, summary: string): CallOutcome => ({ kind: 'failed', code, summary });
	if (![thisId, otherId].every((id) => relayDomains.has(domainOf(id)))) {
		return failed('unsupported', 'the lift is not wired to switches');
	}
	if (bothOn(context, lift)) {
		return {
			kind: 'blocked',
			reasons: [{ code: 'unavailable', detail: 'conflict' }],
			summary: 'lift: both switches are on',
		};
	}
	const off = await turn(context, otherId, 'off', signal);
	if (off.kind === 'unknown') return outcomeOf(off, { done: '', tried });
	if (off.kind !== 'confirmed') return failed('interlock', `lift stays: the other direction did not go off`);
	await context.sleep(lift.interlockMs, signal);
	if (signal.aborted) return failed('aborted', 'lift stays: given up during the pause between directions');
	const reasons = await context.recheck();
	if (reasons.length > 0) return { kind: 'blocked', reasons, summary: 'lift stays: a lock came in between' };
	if (context.home.states().get(otherId)?.state !== 'off') {
		return failed('interlock', 'lift stays: the other direction came on again');
	}
	const on = await turn(context, thisId, 'on', signal);
	return outcomeOf(on, { done: `lift goes ${direction}`, tried });
}

export function switchesStand(context: ToolContext, lift: SwitchLift, direction: Direction, since: number): boolean {
	const [thisId, otherId] = order(lift, direction);
	const state = context.home.states().get(thisId);
	return touchedSince(state, since) && state.state === 'on' && context.home.states().get(otherId)?.state === 'off';
}

function order(lift: SwitchLift, direction: Direction): [string, string] {
	return direction === 'up' ? [lift.upEntityId, lift.downEntityId] : [lift.downEntityId, lift.upEntityId];
}

function bothOn(context: ToolContext, lift: SwitchLift): boolean {
	return [lift.upEntityId, lift.downEntityId].every((id) => context.home.states().get(id)?.state === 'on');
}

async function turn(context: ToolContext, entityId: string, to: 'on' | 'off', signal: AbortSignal): Promise<Step> {
	const command = { domain: domainOf(entityId), service: to === 'on' ? 'turn_on' : 'turn_off', entityId };
	const reached = (states: ReadonlyMap<string, EntityState>) => states.get(entityId)?.state === to;
	const verifyMs = context.settings.verifyMs.lift;
	return await commandAndWatch(context, command, { entityIds: [entityId], reached, verifyMs }, signal);
}
