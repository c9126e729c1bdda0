import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import type { Question } from '../../../core/fleet/question.ts';
import type { Watch } from '../../../core/fleet/watch.ts';
import type { Model } from '../../../core/model/model-port.ts';
import { type FleetBench, fastFleet, openFleet, RIA, reporter } from '../../support/fleet.ts';
import type { FleetScene, Seed } from './scene.ts';

/** All that came of a scene, as the stores and people have it. */
export interface PlayedScene {
	readonly events: readonly FeedEvent[];
	readonly questions: readonly Question[];
	/** What waits for each session, by its name. */
	readonly inboxes: ReadonlyMap<string, readonly InboxItem[]>;
	/** Words to each person's question, in order; undefined: none in time. */
	readonly answers: readonly (string | undefined)[];
	readonly watches: readonly Watch[];
	/** Failures of the model, or a turn that did not end in time. */
	readonly trouble?: string;
	readonly ms: number;
}

export interface PlayDeps {
	readonly model: Model;
	/** A connection under a prefix that nobody else uses. */
	connect(): Promise<RedisConnection>;
	/** Longest wait for one answer of the model. */
	readonly deadlineMs: number;
}

const POLL_MS = 25;
/** One turn may ask for tools so many times. */
const ROUNDS = 6;

/** Plays a scene through the real jobs: reports over HTTP, wakes, digests, tools, answers. */
export async function playFleetScene(scene: FleetScene, deps: PlayDeps): Promise<PlayedScene> {
	const concierge = { heartbeat: 'off', dailyBudgetUsd: 0, turnDeadlineMs: deps.deadlineMs * ROUNDS };
	const bench = await openFleet({ connect: deps.connect }, { settings: fastFleet({ concierge }) });
	const reporters = new Map<string, ReturnType<typeof reporter>>();
	const answers: (string | undefined)[] = [];
	const startedAt = performance.now();
	try {
		await tell(bench, reporters, scene.before ?? []);
		bench.work({ model: deps.model, price: { id: deps.model.id, isLocal: true, price: undefined } });
		await bench.desks.conciergeDesk.on(RIA);
		let trouble = await silence(bench, deps.deadlineMs);
		for (const step of scene.steps ?? []) {
			if (trouble !== undefined) break;
			if ('reports' in step) await tell(bench, reporters, step.reports);
			else answers.push(await ask(bench, step.ask, deps.deadlineMs));
			trouble = await silence(bench, deps.deadlineMs);
		}
		return await outcome(bench, answers, trouble, Math.round(performance.now() - startedAt));
	} finally {
		await bench.close();
	}
}

async function tell(
	bench: FleetBench,
	reporters: Map<string, ReturnType<typeof reporter>>,
	seeds: readonly Seed[],
): Promise<void> {
	const reports = seeds.flatMap(({ name, says }) => {
		const known = reporters.get(name) ?? reporter(`eval-${name}`, name);
		reporters.set(name, known);
		return says.map(([kind, data]) => known.say(kind, data));
	});
	if (reports.length > 0) await bench.report(reports);
}

async function ask(bench: FleetBench, text: string, deadlineMs: number): Promise<string | undefined> {
	const id = randomUUID();
	await bench.desks.conciergeDesk.ask({ id, at: Date.now(), ...RIA, text, replyTo: { ask: id } });
	const end = Date.now() + deadlineMs * ROUNDS;
	while (Date.now() < end) {
		const reply = bench.shown.find((item) => item.kind === 'reply' && item.ask.id === id);
		if (reply?.kind === 'reply') return reply.text;
		await pause();
	}
	return undefined;
}

/** Waits until nothing is due; gives what is in the way of that. */
async function silence(bench: FleetBench, deadlineMs: number): Promise<string | undefined> {
	const end = Date.now() + deadlineMs * ROUNDS;
	while (Date.now() < end) {
		const { state } = await bench.stores.concierge.read();
		if (state.failures >= 2) return state.lastError?.code ?? 'failed';
		const { foreign } = await bench.stores.feed.facts(state.cursor, state.id);
		const isBusy = state.inFlight !== undefined || state.again !== undefined || state.greet || state.asks.length > 0;
		if (!isBusy && foreign === 0) return undefined;
		await pause();
	}
	return 'too slow';
}

async function outcome(
	bench: FleetBench,
	answers: PlayedScene['answers'],
	trouble: string | undefined,
	ms: number,
): Promise<PlayedScene> {
	const { stores } = bench;
	const sessions = await stores.sessions.list(100);
	const never = new AbortController().signal;
	const inboxes = new Map<string, readonly InboxItem[]>();
	for (const { id, name } of sessions) inboxes.set(name, await stores.inbox.read(id, 0, 100, 0, never));
	return {
		events: (await stores.feed.read(0, 2_000)).events,
		questions: (await Promise.all(sessions.map(({ id }) => stores.questions.bySession(id)))).flat(),
		inboxes,
		answers,
		watches: await stores.watches.list(),
		...(trouble === undefined ? {} : { trouble }),
		ms,
	};
}

function pause(): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, POLL_MS);
	});
}
