import type { RoomSettings } from '../config/rooms.ts';
import { anySignal } from '../core/any-signal.ts';
import { guardCall } from '../core/tooling/availability.ts';
import type { CallOutcome } from '../core/tooling/call.ts';
import { cooldownMs, ignoresCooldown } from '../core/tooling/cooldown.ts';
import { shortenArguments } from '../core/tooling/decode-arguments.ts';
import type { BlockReason, ToolFacts } from '../core/tooling/facts.ts';
import { isInterrupted } from '../core/tooling/interrupted.ts';
import type { ClaimState } from '../core/tooling/ledger-port.ts';
import { prepareCall } from '../core/tooling/prepare.ts';
import type { PreparedCall } from '../core/tooling/tool-arguments.ts';
import { isPhysical, isToolName, toolFamily } from '../core/tooling/tool-name.ts';
import type { CallTrail } from './call-trail.ts';
import type { ExecuteRequest } from './execute-request.ts';
import type { ExecutorDeps } from './executor-deps.ts';
import { registry } from './registry.ts';
import { staleReason } from './stale-reason.ts';
import { withTimeLimit } from './time-limit.ts';
import type { Tool } from './tool.ts';
import { createReach } from './tool-context.ts';

/** A process that stood still between its claim and its act is too late: others may have given the call up. */
const ACT_WITHIN_MS = 10_000;
/** A claim is in doubt only when its owner cannot be at work any more. */
const OWNER_SLACK_MS = 5_000;
/** How often a process that waits for another's call sees whether that one still lives. */
const OWNER_LOOK_MS = 500;

/** A store that restarts is back within this time; each try waits for the store's own deadline on top. */
const STORE_TRIES = 20;
const STORE_AGAIN_MS = 500;

/** Between a settled claim and its last row: time enough for a living process to write it. */
const ROW_GRACE_MS = 300;

type OpenClaim = Extract<ClaimState, { kind: 'in_doubt' }>;

interface Ready {
	readonly call: PreparedCall;
	readonly tool: Tool;
	readonly room: RoomSettings;
	readonly limitMs: number;
	readonly notes: string;
}

/** What came of looking at a call: it may be tried, or why not. `ready` is there whenever the arguments are sound. */
interface Judged {
	readonly ready?: Ready;
	readonly facts?: ToolFacts;
	readonly refusal?: CallOutcome;
}

/*
 * The order, and what a process killed at each point leaves behind. The same call id may come again after each of them.
 *
 * 1. Ask for a settled outcome. A call that ended is answered from there, before anything can call it blocked.
 * 2. Look (prepare, guard). Reads only: killed here, nothing has happened and the next run starts afresh.
 * 3. Claim, whatever the look said. From here on nobody else may ever act for this id. A refused call is settled at once
 *    with its refusal, so a second run gives the same answer rather than acting late on a decision that was told no.
 *    Looking first keeps the time between claim and settled refusal to one step. Killed inside it, the second run
 *    reports `unknown` for something that did not happen: the safe side to err on.
 *    Claiming before believing a refusal matters the other way round: the first run's own cooldown would make the second
 *    run say "blocked: cooldown" about a call that may have happened.
 * 4. Book (cooldown, budget, running). After the claim, so that two runs of one call never book twice and a second run
 *    is never stopped by the booking of the first. Killed here, a cooldown runs for nothing; it ends by itself.
 * 5. Row `running`, which has to be kept: no trace, no act. At the same time all facts anew, and the guard again.
 * 6. Act and verify. Killed here, the claim has no outcome. The second run never acts: it waits for as long as the first
 *    lives and may still be at work, then reads the state. If that became what was asked it is `confirmed`, else `unknown`.
 * 7. Settle, then the last row and the numbers. Whatever fails from here on is reported and changes nothing. Killed between
 *    the two, the second run finds the outcome without its row and writes that.
 */
export async function runCall(deps: ExecutorDeps, request: ExecuteRequest, trail: CallTrail): Promise<CallOutcome> {
	const { call } = request;
	const raw = shortenArguments(isToolName(call.tool) ? call.args : { tool: call.tool, args: call.args });
	/** Settled by another run, which may have died before it wrote the last row. */
	const ended = async (outcome: CallOutcome) => {
		await deps.sleep(ROW_GRACE_MS, request.signal).catch(() => undefined);
		await trail.closeOnce(outcome, { args: raw });
		return outcome;
	};
	const settled = await deps.claims.outcome(call.id);
	if (settled !== undefined) return await ended(settled);
	const startedAt = deps.clock.now();
	await trail.write('proposed', { args: raw });
	const judged = await judge(deps, request);
	const args = judged.ready?.call.args ?? raw;
	const finish = async (outcome: CallOutcome) => {
		await settle(deps, trail, call.id, outcome);
		const durationMs = deps.clock.now() - startedAt;
		const detail = { args, durationMs, ...(judged.ready?.notes && { summary: judged.ready.notes }) };
		// Settled, so no other run would write this row.
		await trail.close(outcome, detail, (write) => insist(deps, trail, 'audit', write));
		return outcome;
	};

	const claimedAt = deps.clock.now();
	const claim = await deps.claims.claim(call.id, claimedAt, deps.lives?.self);
	if (claim.kind === 'done') return await ended(claim.outcome);
	const repeat = claim.kind === 'in_doubt' && judged.ready?.tool.repeatable === true;
	if (claim.kind === 'in_doubt' && !repeat) {
		return await resolveDoubt(deps, request, judged.ready, claim, trail, finish, ended);
	}
	const { ready, facts, refusal } = judged;
	if (ready === undefined || facts === undefined) return await finish(refusal ?? notReady);
	if (refusal !== undefined && !repeat) return await finish(refusal);

	if (!repeat) {
		const refused = await book(deps, request, ready).catch((error: unknown): CallOutcome => {
			trail.trouble('ledger', error);
			return { kind: 'failed', code: 'store_unavailable', summary: `${ready.tool.name}: not done, no booking` };
		});
		if (refused !== undefined) return isLeftOpen(ready.tool, refused) ? refused : await finish(refused);
	}
	try {
		const outcome = await act(deps, request, ready, facts, trail, claimedAt);
		return isLeftOpen(ready.tool, outcome) ? outcome : await finish(outcome);
	} finally {
		await insist(deps, trail, 'release', () =>
			deps.ledger.release(request.roomId, toolFamily(ready.tool.name), call.id),
		);
	}
}

/** What may be repeated and did not come to an end is not settled: the next run of its decision does it. */
function isLeftOpen(tool: Tool, outcome: CallOutcome): boolean {
	return tool.repeatable === true && isInterrupted(outcome);
}

const notReady: CallOutcome = { kind: 'failed', code: 'not_ready', summary: 'not done' };

async function judge(deps: ExecutorDeps, request: ExecuteRequest): Promise<Judged> {
	const { roomId, call, direct } = request;
	const room = deps.room(roomId);
	if (room === undefined) {
		return { refusal: { kind: 'invalid', code: 'not_allowed', summary: 'there is no such room' } };
	}
	const facts = await deps.facts(roomId, direct);
	const { settings, callDeadlineMs } = deps;
	const prepared = prepareCall(call.tool, call.args, { room, world: facts.world, settings });
	if (!prepared.ok) return { facts, refusal: { kind: 'invalid', code: prepared.code, summary: prepared.summary } };
	const tool = registry[prepared.call.tool];
	const limitMs = tool.timeLimitMs({ room, settings, callDeadlineMs });
	const ready = { call: prepared.call, tool, room, limitMs, notes: prepared.notes.join(', ') };
	if (request.signal?.aborted) return { ready, facts, refusal: givenUp(tool) };
	const reasons = await reasonsAgainst(deps, request, ready, facts, 'full');
	return reasons.length > 0 ? { ready, facts, refusal: blocked(tool, reasons) } : { ready, facts };
}

async function reasonsAgainst(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	{ call, room }: Ready,
	facts: ToolFacts,
	scope: 'full' | 'held',
): Promise<readonly BlockReason[]> {
	const reasons = guardCall(call, facts, room, deps.settings, scope);
	const stale = await staleReason(deps, request, room, call, facts.world);
	return stale === undefined ? reasons : [...reasons, stale];
}

async function book(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	{ tool, limitMs }: Ready,
): Promise<CallOutcome | undefined> {
	const family = toolFamily(tool.name);
	const now = deps.clock.now();
	const booked = await deps.ledger.attempt({
		roomId: request.roomId,
		family,
		callId: request.call.id,
		now,
		cooldownMs: cooldownMs(family, deps.settings),
		ignoreCooldown: ignoresCooldown(family, request.direct),
		spend: isPhysical(tool.name),
		limits: deps.settings.budget,
		...(isPhysical(tool.name) ? { runningUntil: now + limitMs + OWNER_SLACK_MS } : {}),
	});
	if (booked.ok) return undefined;
	return blocked(tool, [{ code: booked.reason, remainingMs: Math.max(0, booked.freeAt - now) }]);
}

async function act(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	ready: Ready,
	seen: ToolFacts,
	trail: CallTrail,
	claimedAt: number,
): Promise<CallOutcome> {
	const { call, tool, room, limitMs } = ready;
	const dryRun: CallOutcome = { kind: 'dry_run', summary: `${tool.name}: would have run` };
	// Observing, only reading is for real: without it the next decision would not be the one that it would have been.
	const rehearse = (facts: ToolFacts) => facts.stage === 'observe' && !tool.readOnly;
	if (rehearse(seen)) return dryRun;
	let facts: ToolFacts;
	try {
		if ((await deps.claims.outcome(request.call.id)) !== undefined) {
			return { kind: 'failed', code: 'lost_claim', summary: `${tool.name}: not done, it was given up elsewhere` };
		}
		const row = trail.mustWrite('running', { args: call.args });
		[facts] = await Promise.all([deps.facts(request.roomId, request.direct), row]);
		if (rehearse(facts)) return dryRun;
		const reasons = await reasonsAgainst(deps, request, ready, facts, 'held');
		if (reasons.length > 0) return blocked(tool, reasons);
	} catch (error) {
		trail.trouble('before_act', error);
		return {
			kind: 'failed',
			code: 'store_unavailable',
			summary: `${tool.name}: not done, it could not be checked and kept`,
		};
	}
	if (request.signal?.aborted) return givenUp(tool);
	if (deps.clock.now() - claimedAt > ACT_WITHIN_MS) {
		return { kind: 'failed', code: 'late', summary: `${tool.name}: not done, it came too late` };
	}
	let mayHaveActed = () => false;
	const run = await withTimeLimit(limitMs, deps.sleep, request.signal, async (signal) => {
		const reach = createReach(deps, request, room, call, trail, signal);
		mayHaveActed = reach.mayHaveActed;
		return await tool.run(reach.context, call.args, signal);
	});
	if (run.kind === 'value') return run.value;
	if (run.kind === 'error') trail.trouble('run', run.error);
	if (!mayHaveActed()) return { kind: 'failed', code: run.kind, summary: `${tool.name}: not done` };
	return { kind: 'unknown', summary: `${tool.name}: broken off, whether it happened is not known` };
}

async function resolveDoubt(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	ready: Ready | undefined,
	{ since, owner }: OpenClaim,
	trail: CallTrail,
	finish: (outcome: CallOutcome) => Promise<CallOutcome>,
	ended: (outcome: CallOutcome) => Promise<CallOutcome>,
): Promise<CallOutcome> {
	const name = ready?.tool.name ?? 'call';
	const unknown: CallOutcome = { kind: 'unknown', summary: `${name}: interrupted, whether it happened is not known` };
	const ownerMs = since + ACT_WITHIN_MS + (ready?.limitMs ?? 0) + OWNER_SLACK_MS - deps.clock.now();
	if (ownerMs > 0) {
		// Not settled on these ways out: its owner may still come back and say.
		try {
			const outcome = await waitForOwner(deps, request, owner, ownerMs);
			if (outcome !== undefined) return await ended(outcome);
		} catch (error) {
			trail.trouble('doubt', error);
			return unknown;
		}
		if (request.signal?.aborted) return unknown;
	}
	let stands = false;
	// A claim that lost its time proves nothing about what came after it.
	if (ready !== undefined && since > 0 && deps.home.status().connected) {
		const { context } = createReach(deps, request, ready.room, ready.call, trail, AbortSignal.abort());
		stands = await ready.tool.stands(context, ready.call.args, since).catch((error: unknown) => {
			trail.trouble('doubt', error);
			return false;
		});
	}
	const resolved = await finish(
		stands ? { kind: 'confirmed', summary: `${name}: interrupted, but it stands as asked` } : unknown,
	);
	// Its owner cannot do so any more, and whoever asks next shall not find the tool busy.
	if (ready !== undefined) {
		await deps.ledger
			.release(request.roomId, toolFamily(ready.tool.name), request.call.id)
			.catch((error: unknown) => trail.trouble('release', error));
	}
	return resolved;
}

/** What the owner of a claim says within its time. A process that is gone says nothing: nobody waits for it. */
async function waitForOwner(
	deps: ExecutorDeps,
	request: ExecuteRequest,
	owner: string | undefined,
	ownerMs: number,
): Promise<CallOutcome | undefined> {
	const { lives, claims } = deps;
	if (owner === undefined || lives === undefined) {
		return await claims.waitForOutcome(request.call.id, ownerMs, request.signal);
	}
	const over = new AbortController();
	const signal = anySignal([over.signal, ...(request.signal ? [request.signal] : [])]);
	const watch = async () => {
		while (!signal.aborted) {
			if (await lives.isGone(owner).catch(() => false)) return over.abort();
			await deps.sleep(OWNER_LOOK_MS, signal).catch(() => undefined);
		}
	};
	const watching = watch();
	try {
		const outcome = await claims.waitForOutcome(request.call.id, ownerMs, signal);
		// It may have spoken and died.
		return outcome ?? (await claims.outcome(request.call.id));
	} finally {
		over.abort();
		await watching;
	}
}

/** An outcome that is not kept turns into `unknown` for the next run. */
async function settle(deps: ExecutorDeps, trail: CallTrail, callId: string, outcome: CallOutcome): Promise<void> {
	await insist(deps, trail, 'settle', () => deps.claims.settle(callId, outcome));
}

/** Tries for a while, as the store may be away for a moment. Never rejects. */
async function insist(
	deps: Pick<ExecutorDeps, 'sleep'>,
	trail: CallTrail,
	what: string,
	write: () => Promise<void>,
): Promise<void> {
	for (let left = STORE_TRIES; left > 0; left -= 1) {
		try {
			return await write();
		} catch (error) {
			if (left === 1) trail.trouble(what, error);
			else await deps.sleep(STORE_AGAIN_MS).catch(() => undefined);
		}
	}
}

function blocked(tool: Tool, reasons: readonly BlockReason[]): CallOutcome {
	const codes = reasons.map((reason) => reason.code);
	return { kind: 'blocked', reasons, summary: `${tool.name} blocked at execution: ${codes.join(', ')}` };
}

function givenUp(tool: Tool): CallOutcome {
	return { kind: 'failed', code: 'aborted', summary: `${tool.name}: given up before anything was done` };
}
