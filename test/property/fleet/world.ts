import type { FleetSettings } from '../../../config/fleet.ts';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import { switchOn } from '../../../core/fleet/concierge-command.ts';
import { type ConciergeState, FRESH_CONCIERGE, type Wake } from '../../../core/fleet/concierge-state.ts';
import { noticePosted } from '../../../core/fleet/failed-wake.ts';
import { finishWake, type WakeOutcome } from '../../../core/fleet/finish-wake.ts';
import type { FeedFacts } from '../../../core/fleet/stores.ts';
import { takeWake } from '../../../core/fleet/take-wake.ts';
import { decideWake, type WakeResult } from '../../../core/fleet/wake.ts';
import type { WakeInput } from '../../../core/fleet/wake-input.ts';

const OWN = 'J7';

export interface SimEvent {
	readonly seq: number;
	readonly at: number;
	readonly byUs: boolean;
}

/** A day in the life of the scheduler: a feed, a clock that only we move, and a model that answers as it is told. */
export function createWorld(
	start: number,
	concierge: FleetSettings['concierge'],
	options: { zone?: string; model?: ConciergeModel } = {},
) {
	const feed: SimEvent[] = [];
	const told: number[] = [];
	let stored: ConciergeState = switchOn(FRESH_CONCIERGE, { who: 'alex', whoId: 'p1' }, 0, start, () => OWN)!.state;
	let wakes = 0;
	const begun: { readonly wake: Wake; readonly at: number }[] = [];
	const world = {
		now: start,
		fleet: { active: 1, print: 'p' },
		feed,
		/** Sequence numbers that delivered digests carried, in the order they were delivered. */
		told,
		begun,
		get state(): ConciergeState {
			return stored;
		},
		set state(next: ConciergeState) {
			stored = JSON.parse(JSON.stringify(next));
		},
		add(count: number, byUs = false): void {
			for (let at = 0; at < count; at += 1) feed.push({ seq: feed.length + 1, at: world.now, byUs });
		},
		facts(): FeedFacts {
			const after = feed.slice(stored.cursor).filter(({ byUs }) => !byUs);
			return { lastSeq: feed.length, foreign: after.length, firstForeignAt: after[0]?.at };
		},
		input(): WakeInput {
			return {
				state: stored,
				feed: world.facts(),
				fleet: world.fleet,
				settings: concierge,
				timeZone: options.zone ?? 'UTC',
				model: options.model ?? { id: 'ollama/small', isLocal: true, price: undefined },
				now: world.now,
			};
		},
		/** One look, as a tick makes it. What it decides is stored, as any process would. */
		look(): WakeResult {
			const result = decideWake(world.input());
			world.state = result.state;
			if (stored.notice !== undefined) world.state = noticePosted(stored, stored.notice.id);
			return result;
		},
		/** A worker takes what is due; undefined when nothing is. */
		take(deadlineMs = 120_000): Wake | undefined {
			const taken = takeWake(world.input(), deadlineMs, () => `w${(wakes += 1)}`);
			if (taken === undefined) return undefined;
			world.state = taken.state;
			begun.push({ wake: taken.wake, at: world.now });
			return taken.wake;
		},
		/** The worker is through. What its digest carried is noted when it was delivered. */
		finish(wake: Wake, outcome: WakeOutcome): void {
			const carried = feed.slice(stored.cursor, wake.upTo ?? stored.cursor).filter(({ byUs }) => !byUs);
			const next = finishWake(stored, wake.id, outcome, world.now, concierge, options.zone ?? 'UTC');
			if (next === undefined) return;
			if (outcome.kind === 'delivered' && wake.why !== 'question') told.push(...carried.map(({ seq }) => seq));
			world.state = next;
		},
		/** Looks, takes and delivers whatever is due now. */
		settle(outcome: WakeOutcome = { kind: 'delivered', usd: 0, fleet: 'p' }): Wake | undefined {
			world.look();
			const wake = world.take();
			if (wake !== undefined) world.finish(wake, outcome);
			return wake;
		},
		/** Lets it come to rest: delivers whatever is due, and lets time go on where it waits. */
		drain(): void {
			for (let round = 0; round < 40; round += 1) {
				if (world.settle() !== undefined) continue;
				if (world.state.inFlight === undefined && world.facts().foreign === 0) return;
				world.now += 15 * 60_000;
			}
		},
		/** Moves the clock to each look that the scheduler asks for, until then. */
		runTo(until: number, outcome?: WakeOutcome): number {
			let looks = 0;
			while (world.now < until) {
				world.settle(outcome);
				looks += 1;
				world.now = Math.min(until, Math.max(world.now + 1, decideWake(world.input()).dueAt));
			}
			return looks;
		},
	};
	return world;
}
