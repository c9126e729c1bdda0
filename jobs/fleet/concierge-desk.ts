import {
	type AskResult,
	askConcierge,
	removeConcierge,
	type Switched,
	switchOff,
	switchOn,
} from '../../core/fleet/concierge-command.ts';
import type { ConciergeDesk } from '../../core/fleet/concierge-desk.ts';
import type { ConciergeState } from '../../core/fleet/concierge-state.ts';
import type { ConciergeStore, FeedStore, MemoryStore, WatchStore } from '../../core/fleet/stores.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { PlainWords } from './plain-words.ts';
import { changeConcierge } from './wake-scene.ts';

export interface ConciergeDeskDeps {
	readonly concierge: ConciergeStore;
	readonly memory: MemoryStore;
	readonly watches: Pick<WatchStore, 'list' | 'remove'>;
	readonly feed: Pick<FeedStore, 'readBack' | 'append'>;
	readonly plain: PlainWords;
	/** Has a worker run what is due. */
	enqueue(wakeId: string | undefined): Promise<void>;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
}

export function createConciergeDesk(deps: ConciergeDeskDeps): ConciergeDesk {
	const { concierge, feed, clock, log } = deps;

	/** State first, then the record, then those who waited. */
	async function change(next: (state: ConciergeState) => Switched | undefined): Promise<boolean> {
		let switched: Switched | undefined;
		const changed = await changeConcierge(concierge, (state) => {
			switched = next(state);
			return switched?.state;
		});
		if (changed === undefined || switched === undefined) return false;
		await feed.append(switched.events);
		for (const ask of switched.unanswered) await deps.plain.apologise(ask, ({ switchedOff }) => switchedOff);
		return true;
	}

	const enqueue = (wakeId?: string) =>
		deps.enqueue(wakeId).catch((error: Error) => log.warn({ problem: error.message }, 'not queued; found again later'));

	return {
		async on(by) {
			const { lastSeq } = await feed.readBack(undefined, 1);
			const done = await change((state) => switchOn(state, by, lastSeq, clock.now(), deps.random.id));
			if (done) await enqueue();
			return done;
		},
		off: (by) => change((state) => switchOff(state, by, clock.now())),
		async remove(by) {
			await change((state) => removeConcierge(state, by, clock.now()));
			await deps.memory.clear();
			// What was asked of the one that is gone gives the next one no right to relay.
			for (const { id } of await deps.watches.list()) await deps.watches.remove(id);
		},
		async ask(ask) {
			const seen: AskResult['kind'][] = [];
			await changeConcierge(concierge, (state) => {
				const asked = askConcierge(state, ask);
				seen.push(asked.kind);
				return asked.kind === 'queued' ? asked.state : undefined;
			});
			const kind = seen.at(-1) ?? 'off';
			// By its own id: a question must not wait because another one was queued a moment before it.
			if (kind === 'queued') await enqueue(ask.id);
			return kind;
		},
		plainFleet: async (language) => (await deps.plain.fleet())[language],
	};
}
