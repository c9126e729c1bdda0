import { z } from 'zod';
import { affords } from '../../core/fleet/budget.ts';
import type { ConciergeState, Wake } from '../../core/fleet/concierge-state.ts';
import { buildDigest } from '../../core/fleet/digest.ts';
import type { FeedEvent } from '../../core/fleet/feed-event.ts';
import { finishWake, type WakeOutcome } from '../../core/fleet/finish-wake.ts';
import { fleetFacts } from '../../core/fleet/fleet-facts.ts';
import { sessionsResult } from '../../core/fleet/hub-results.ts';
import { foldedDigest } from '../../core/fleet/memory.ts';
import { answeredEvent } from '../../core/fleet/said.ts';
import { bySession } from '../../core/fleet/session-line.ts';
import type { FeedStore, QuestionStore } from '../../core/fleet/stores.ts';
import { takeWake } from '../../core/fleet/take-wake.ts';
import { watch } from '../../core/fleet/watch.ts';
import type { FleetWording } from '../../core/fleet/wording/fleet-wording.ts';
import { localDay } from '../../core/local-day.ts';
import type { DecisionJournal, WorkerLives } from '../../core/overseer/stores.ts';
import { zonedTime } from '../../core/overseer/zoned-time.ts';
import type { Log, Metrics, Random } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import { questionInput, questionMemory } from '../../prompts/fleet/messages.ts';
import type { KillSwitch } from '../kill-switch.ts';
import { outlastStore } from '../outlast-store.ts';
import { isStoreFailure } from '../store-failure.ts';
import { createAppendOnce } from './append-once.ts';
import type { createConciergeTurn, TurnEnd } from './concierge-turn.ts';
import type { PlainWords } from './plain-words.ts';
import type { createRemember } from './remember.ts';
import { isTakenOver, TurnTakenOver } from './taken-over.ts';
import { changeConcierge, readWakeScene, type WakeScene, type WakeSceneDeps } from './wake-scene.ts';

export interface RunWakeDeps extends WakeSceneDeps {
	readonly feed: Pick<FeedStore, 'facts' | 'read' | 'append'>;
	readonly questions: Pick<QuestionStore, 'unsettled'>;
	readonly journal: Pick<DecisionJournal, 'note' | 'keepNote'>;
	readonly lives: WorkerLives;
	/** While everything is paused nothing is begun. */
	readonly killSwitch: Pick<KillSwitch, 'isPaused'>;
	readonly plain: PlainWords;
	readonly turn: ReturnType<typeof createConciergeTurn>;
	readonly remember: ReturnType<typeof createRemember>;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly tracer: Tracer;
}

const QUESTIONS_MAX = 500;
const PAGE = 2_000;
const EVENTS_MAX = 20_000;
/** A turn counts as dead this long after the model's own deadline. */
const GRACE_MS = 60_000;
const AGAIN_MS = 3_000;
const TURNS_MAX = 25;

const firedData = z.object({ watch });

/**
 * Runs the turns that are due, one after the other, until none is. One under which the store fails is run again under its id
 * as soon as the store answers; what it has done by then is found and not done twice.
 */
export function createRunWake(deps: RunWakeDeps): (signal: AbortSignal) => Promise<string> {
	const { concierge, feed, plain, clock, log, metrics, lives } = deps;
	const appendOnce = createAppendOnce(deps);
	/** Turns under way in this process. */
	const running = new Set<string>();

	/** A turn of this process that it does not run any more: the store failed under it. Its failure is not the turn's. */
	function withoutLeft(state: ConciergeState): ConciergeState {
		const { inFlight } = state;
		if (inFlight?.worker !== lives.self || running.has(inFlight.wake.id)) return state;
		const { concierge: settings, timeZone } = deps.settings();
		log.warn({ wake: inFlight.wake.id, why: inFlight.wake.why }, 'the store was away: the turn is run again');
		return finishWake(state, inFlight.wake.id, { kind: 'given_back' }, clock.now(), settings, timeZone) ?? state;
	}

	/** What it gives counts as running; call `running.delete` at its end. */
	async function take(): Promise<{ scene: WakeScene; state: ConciergeState; wake: Wake } | undefined> {
		if (await deps.killSwitch.isPaused()) return undefined;
		for (let tries = 0; tries < 10; tries += 1) {
			const scene = await readWakeScene(deps);
			const deadlineMs = deps.settings().concierge.turnDeadlineMs + GRACE_MS;
			const input = { ...scene.input, state: withoutLeft(scene.input.state) };
			const taken = takeWake(input, deadlineMs, deps.random.id, lives.self);
			if (taken === undefined) return undefined;
			// Before it is stored: whoever reads it in this process must not take it for left.
			running.add(taken.wake.id);
			let isOurs = false;
			try {
				isOurs = await concierge.commit(scene.version, taken.state);
			} finally {
				if (!isOurs) running.delete(taken.wake.id);
			}
			if (isOurs) return { scene, ...taken };
		}
		return undefined;
	}

	/** Of more events than can be read the newest, and how many came before them. */
	async function eventsOf(cursor: number, upTo: number): Promise<{ events: FeedEvent[]; missed: number }> {
		const from = Math.max(cursor, upTo - EVENTS_MAX);
		const first = await feed.read(from, PAGE);
		const events = [...first.events];
		for (let at = events.at(-1)?.seq; at !== undefined && at < upTo; ) {
			const more = await feed.read(at, PAGE);
			events.push(...more.events);
			at = more.events.at(-1)?.seq;
		}
		return { events: events.filter(({ seq }) => seq <= upTo), missed: first.missed + from - cursor };
	}

	async function digest(scene: WakeScene, state: ConciergeState, wake: Wake, signal: AbortSignal) {
		const { concierge: settings, timeZone } = deps.settings();
		const why = wake.why === 'heartbeat' ? 'heartbeat' : 'events';
		const upTo = wake.upTo ?? state.cursor;
		const [{ events, missed }, questions] = await Promise.all([
			eventsOf(state.cursor, upTo),
			deps.questions.unsettled(QUESTIONS_MAX),
		]);
		const now = clock.now();
		const { sessions } = scene;
		const built = buildDigest({
			why,
			events,
			missed,
			sessions,
			questions: questions.filter((question) => question.state === 'open'),
			ownId: state.id,
			since: state.lastDigestAt,
			now,
			timeZone,
			maxTokens: settings.digestTokens,
		});
		const fired = events.flatMap(({ kind, cause, data }) => {
			if (kind !== 'watch_fired' || cause.role !== 'system') return [];
			return firedData.safeParse(data).data?.watch ?? [];
		});
		const end = await deps.turn({ state, wake, text: built.text, fired, since: upTo }, signal);
		const input = foldedDigest(why, built.news, sessions.length, zonedTime(now, timeZone));
		return { end, input };
	}

	async function question(scene: WakeScene, state: ConciergeState, wake: Wake, signal: AbortSignal) {
		const { ask } = wake;
		if (ask === undefined) throw new Error('a question without words');
		const { timeZone } = deps.settings();
		const now = clock.now();
		if (deps.model.id === undefined) {
			await plain.reply(ask, await plain.fleet());
			return { end: { kind: 'through', usd: 0, steps: [], answer: undefined } as TurnEnd, input: undefined };
		}
		const open = bySession(await deps.questions.unsettled(QUESTIONS_MAX));
		const fleet = sessionsResult(scene.sessions, { questions: open, day: localDay(now, timeZone), now }).text;
		const text = questionInput({ ask, fleet, now, timeZone });
		const since = scene.input.feed.lastSeq;
		const end = await deps.turn({ state, wake, text, fired: [], since }, signal);
		if (end.kind === 'through' && end.answer !== undefined) {
			await plain.reply(ask, end.answer);
			const place = { wakeId: wake.id, key: `${wake.id}:answer`, since };
			await appendOnce(answeredEvent(end.answer, ask, state.id, clock.now()), place);
		} else if (end.kind === 'failed') {
			await plain.apologise(ask, (words) => failureText(end, clock.now(), words));
		}
		return { end, input: questionMemory(ask) };
	}

	/** Something of ours broke: the same turn is run again soon, under its id, as if its process had died. */
	async function cutShort(wakeId: string): Promise<void> {
		await changeConcierge(concierge, (now) => {
			if (now.inFlight?.wake.id !== wakeId || isTakenOver(now, wakeId, lives.self)) return undefined;
			const deadlineAt = Math.min(now.inFlight.deadlineAt, clock.now() + AGAIN_MS);
			return { ...now, inFlight: { ...now.inFlight, deadlineAt } };
		});
	}

	async function outcomeOf(scene: WakeScene, state: ConciergeState, wake: Wake, signal: AbortSignal) {
		const { end, input } =
			wake.why === 'question' ? await question(scene, state, wake, signal) : await digest(scene, state, wake, signal);
		if (end.kind !== 'through') return end;
		const { steps, answer } = end;
		const { concierge: settings } = deps.settings();
		const affordsMore = (usd: number) =>
			affords({ ...state.spend, usd: state.spend.usd + end.usd }, usd, settings.dailyBudgetUsd);
		// One that was removed meanwhile remembers nothing, and the next one nothing of its.
		const isOurs = (await concierge.read()).state.inFlight?.wake.id === wake.id;
		const spent =
			input === undefined || !isOurs
				? 0
				: await deps.remember(
						{ id: wake.id, at: clock.now(), why: wake.why, input, steps, answer },
						affordsMore,
						signal,
					);
		const outcome: WakeOutcome = {
			kind: 'delivered',
			usd: end.usd + spent,
			fleet: fleetFacts(scene.sessions).print,
			...(end.trouble === undefined ? {} : { trouble: { code: end.trouble.code, text: end.trouble.text } }),
		};
		return outcome;
	}

	async function run({ scene, state, wake }: NonNullable<Awaited<ReturnType<typeof take>>>, signal: AbortSignal) {
		const startedAt = clock.now();
		const marks = { wake: wake.id };
		const outcome = await deps.tracer.step('fleet.wake', { marks, attributes: { why: wake.why } }, async (step) => {
			const end = await outcomeOf(scene, state, wake, signal).catch(async (error) => {
				if (!isStoreFailure(error) && !(error instanceof TurnTakenOver)) await cutShort(wake.id).catch(() => undefined);
				throw error;
			});
			step.note({ outcome: end.kind });
			return end;
		});
		const { concierge: settings, timeZone } = deps.settings();
		await changeConcierge(concierge, (now) => {
			if (isTakenOver(now, wake.id, lives.self)) return undefined;
			return finishWake(now, wake.id, outcome, clock.now(), settings, timeZone);
		});
		metrics.count('fleet_wakes_total', { why: wake.why, outcome: outcome.kind });
		metrics.observe('fleet_wake_seconds', (clock.now() - startedAt) / 1_000);
		const code = outcome.kind === 'failed' ? outcome.code : undefined;
		log.info({ wake: wake.id, why: wake.why, outcome: outcome.kind, tries: wake.tries, code }, 'a turn is over');
		if (outcome.kind === 'failed') await plain.settleNotice();
		return outcome.kind;
	}

	async function runAll(signal: AbortSignal): Promise<string> {
		let last = 'nothing is due';
		for (let turns = 0; turns < TURNS_MAX && !signal.aborted; turns += 1) {
			const taken = await take();
			if (taken === undefined) return last;
			const { wake } = taken;
			try {
				const outcome = await run(taken, signal);
				last = `${wake.why}: ${outcome}`;
				if (outcome === 'given_back') return last;
			} catch (error) {
				if (!(error instanceof TurnTakenOver)) throw error;
				log.warn({ wake: wake.id, why: wake.why }, 'another worker has taken the turn over; it is left to that one');
				last = `${wake.why}: taken over`;
			} finally {
				running.delete(wake.id);
			}
		}
		return last;
	}

	return (signal) => outlastStore(() => runAll(signal), signal);
}

/** Why a person's question was not answered, in words. */
function failureText(
	{ code, text, retryAfterMs }: Extract<TurnEnd, { kind: 'failed' }>,
	now: number,
	words: FleetWording,
): string {
	if (code !== 'limited') return words.modelFailedOnce(code);
	const at = `<t:${Math.ceil((now + (retryAfterMs ?? 0)) / 1_000)}:t>`;
	return words.limited(text, at);
}
