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
import type { createConciergeTurn, TurnEnd } from './concierge-turn.ts';
import type { PlainWords } from './plain-words.ts';
import type { createRemember } from './remember.ts';
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

/** Runs the turns that are due, one after the other, until none is. */
export function createRunWake(deps: RunWakeDeps): (signal: AbortSignal) => Promise<string> {
	const { concierge, feed, plain, clock, log, metrics } = deps;

	async function take(): Promise<{ scene: WakeScene; state: ConciergeState; wake: Wake } | undefined> {
		if (await deps.killSwitch.isPaused()) return undefined;
		for (let tries = 0; tries < 10; tries += 1) {
			const scene = await readWakeScene(deps);
			const deadlineMs = deps.settings().concierge.turnDeadlineMs + GRACE_MS;
			const taken = takeWake(scene.input, deadlineMs, deps.random.id, deps.lives.self);
			if (taken === undefined) return undefined;
			if (await concierge.commit(scene.version, taken.state)) return { scene, ...taken };
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
		const end = await deps.turn({ state, wake, text, fired: [], since: scene.input.feed.lastSeq }, signal);
		if (end.kind === 'through' && end.answer !== undefined) {
			await plain.reply(ask, end.answer);
			if ((await deps.journal.note(wake.id, 'answered')) !== true) {
				await deps.journal.keepNote(wake.id, 'answered', true);
				await feed.append([answeredEvent(end.answer, ask, state.id, clock.now())]);
			}
		} else if (end.kind === 'failed') {
			await plain.apologise(ask, (words) => failureText(end, clock.now(), words));
		}
		return { end, input: questionMemory(ask) };
	}

	/** Something of ours broke: the same turn is run again soon, under its id, as if its process had died. */
	async function cutShort(wakeId: string): Promise<void> {
		await changeConcierge(concierge, (now) => {
			if (now.inFlight?.wake.id !== wakeId) return undefined;
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

	return async (signal) => {
		let last = 'nothing is due';
		for (let turns = 0; turns < TURNS_MAX && !signal.aborted; turns += 1) {
			const taken = await take();
			if (taken === undefined) return last;
			const { scene, state, wake } = taken;
			const startedAt = clock.now();
			const marks = { wake: wake.id };
			const outcome = await deps.tracer.step('fleet.wake', { marks, attributes: { why: wake.why } }, async (step) => {
				const end = await outcomeOf(scene, state, wake, signal).catch(async (error) => {
					await cutShort(wake.id).catch(() => undefined);
					throw error;
				});
				step.note({ outcome: end.kind });
				return end;
			});
			const { concierge: settings, timeZone } = deps.settings();
			await changeConcierge(concierge, (now) => finishWake(now, wake.id, outcome, clock.now(), settings, timeZone));
			last = `${wake.why}: ${outcome.kind}`;
			metrics.count('fleet_wakes_total', { why: wake.why, outcome: outcome.kind });
			metrics.observe('fleet_wake_seconds', (clock.now() - startedAt) / 1_000);
			const code = outcome.kind === 'failed' ? outcome.code : undefined;
			log.info({ wake: wake.id, why: wake.why, outcome: outcome.kind, tries: wake.tries, code }, 'a turn is over');
			if (outcome.kind === 'failed') await plain.settleNotice();
			if (outcome.kind === 'given_back') return last;
		}
		return last;
	};
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
