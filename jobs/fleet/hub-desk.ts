import { z } from 'zod';
import type { FleetSettings } from '../../config/fleet.ts';
import type { ConciergeState } from '../../core/fleet/concierge-state.ts';
import type { FeedDraft } from '../../core/fleet/feed-event.ts';
import { type GuardedHubCall, guardHubCall, type HubTurn } from '../../core/fleet/guard-hub-call.ts';
import { type HubResult, hubResult, type ProposedHubCall } from '../../core/fleet/hub-call.ts';
import { eventsResult, readResult, sessionsResult } from '../../core/fleet/hub-results.ts';
import type { FleetOutbox } from '../../core/fleet/outbox.ts';
import { relayDraft, relayEvent } from '../../core/fleet/relay.ts';
import { didEvent, noticeOf } from '../../core/fleet/said.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import { bySession } from '../../core/fleet/session-line.ts';
import type {
	ConciergeStore,
	FeedStore,
	FleetPlaces,
	QuestionStore,
	SessionInbox,
	SessionTable,
	WatchStore,
} from '../../core/fleet/stores.ts';
import { mentionsFor } from '../../core/fleet/trust.ts';
import { type WakeReason, wakeReasonOf } from '../../core/fleet/wake-reason.ts';
import { localDay } from '../../core/local-day.ts';
import type { DecisionJournal } from '../../core/overseer/stores.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { type CallPlace, createAppendOnce } from './append-once.ts';
import { changeConcierge, SESSIONS_MAX } from './wake-scene.ts';

export interface HubDeskDeps {
	readonly concierge: ConciergeStore;
	readonly sessions: Pick<SessionTable, 'list' | 'load'>;
	readonly questions: Pick<QuestionStore, 'unsettled' | 'bySession'>;
	readonly feed: Pick<FeedStore, 'append' | 'read' | 'readBack'>;
	readonly inbox: SessionInbox;
	readonly watches: WatchStore;
	readonly places: Pick<FleetPlaces, 'cards'>;
	readonly outbox: Pick<FleetOutbox, 'add'>;
	readonly journal: Pick<DecisionJournal, 'note' | 'keepNote'>;
	/** More of a session's transcript than is stored. */
	transcript(sessionId: string, lines: number, signal: AbortSignal): Promise<readonly string[] | undefined>;
	deliver(sessionId: string): Promise<void>;
	settings(): FleetSettings;
	readonly clock: Clock;
	readonly log: Log;
}

const doneCall = z.object({ result: hubResult, sentTo: z.string().optional(), notified: z.boolean().optional() });
/** A call that was made, and what it counts for in its turn. */
export type DoneCall = z.infer<typeof doneCall>;

type Make<Tool> = Extract<GuardedHubCall, { tool: Tool }>;

const QUESTIONS_MAX = 500;
const CARDS_MAX = 1_000;
const EVENTS_SEARCHED = 1_000;
const TRANSCRIPT_LINES = 40;

/**
 * Carries out the concierge's calls. Each is asked for its right anew, with the fleet as it is at that moment, leaves its
 * trace in the feed as the concierge's own, and is made once, however often its turn is run.
 */
export function createHubDesk(
	deps: HubDeskDeps,
): (call: ProposedHubCall, place: CallPlace, turn: HubTurn, signal: AbortSignal) => Promise<DoneCall> {
	const { concierge, feed, questions, journal, outbox, clock } = deps;

	const appendOnce = createAppendOnce(deps);
	const tell = async (draft: FeedDraft, place: CallPlace, scene: Scene): Promise<void> => {
		const because = await scene.because();
		await appendOnce({ ...draft, data: { ...draft.data, because } }, place);
	};

	/** What its turn is about. */
	async function reasonOf(state: ConciergeState, place: CallPlace, { why, ask }: HubTurn): Promise<WakeReason> {
		const from = Math.max(state.cursor, place.since - EVENTS_SEARCHED);
		const page = why === 'events' ? await feed.read(from, EVENTS_SEARCHED) : { events: [] };
		const events = page.events.filter(({ seq }) => seq <= place.since);
		return wakeReasonOf({ why, ask, isGreeting: state.greet, events, ownId: state.id });
	}

	async function notify(call: Make<'hub_notify'>, place: CallPlace, scene: Scene): Promise<DoneCall> {
		const [open, cards] = await Promise.all([questions.unsettled(QUESTIONS_MAX), deps.places.cards(CARDS_MAX)]);
		const now = clock.now();
		const { text, level } = call.args;
		const notice = noticeOf({
			text,
			level,
			session: call.session,
			sessions: scene.sessions,
			questions: open,
			shown: new Set(cards.map(({ id }) => id)),
			calls: scene.calls,
			ownId: scene.ownId,
			now,
		});
		if (notice.cards.length > 0) {
			const needIds = notice.cards.map(({ id }) => id);
			await outbox.add({ id: `cards:${place.key}`, at: now, kind: 'cards', needIds, headline: notice.said.text });
		}
		if (notice.isPlainPost) {
			const mention = [...mentionsFor(call.session, deps.settings())];
			await outbox.add({
				id: `said:${place.key}`,
				at: now,
				kind: 'notice',
				text: notice.said.text,
				mention,
				...(call.session === undefined ? {} : { sessionId: call.session.id }),
			});
		}
		await tell(notice.event, place, scene);
		await changeConcierge(concierge, (state) => ({ ...state, lastSaid: notice.said, calls: [...notice.calls] }));
		return { result: { tool: call.tool, ok: true, code: 'done', text: notice.result }, notified: true };
	}

	async function send(call: Make<'hub_send'>, place: CallPlace, scene: Scene): Promise<DoneCall> {
		const { session, askedBy } = call;
		if (session === undefined || askedBy === undefined) throw new Error('a relay without session or person');
		const input = { id: place.key, session, text: call.args.text, ownId: scene.ownId, askedBy, now: clock.now() };
		await tell(relayEvent(input), place, scene);
		const put = await deps.inbox.put(session.id, relayDraft(input));
		if (put.kind === 'full') {
			const text = `Too many messages wait for ${session.name} already; yours was not sent.`;
			return { result: { tool: call.tool, ok: false, code: 'full', text } };
		}
		await deps
			.deliver(session.id)
			.catch((error: Error) =>
				deps.log.warn({ session: session.id, problem: error.message }, 'not queued; found again later'),
			);
		const text = `On its way to ${session.name}; it reads it when its turn ends.`;
		return { result: { tool: call.tool, ok: true, code: 'done', text }, sentTo: session.id };
	}

	async function watch(call: Make<'hub_watch'>, place: CallPlace): Promise<HubResult> {
		const { session, askedBy, args } = call;
		if (session === undefined) throw new Error('a watch without session');
		const set = await deps.watches.put({
			id: place.key,
			sessionId: session.id,
			when: args.when,
			at: clock.now(),
			...(askedBy === undefined ? {} : { askedBy }),
		});
		const { tool } = call;
		if (set === 'full') return { tool, ok: false, code: 'full', text: 'Too many watches are set already.' };
		return { tool, ok: true, code: 'done', text: `You will be told once: ${session.name}, ${args.when}.` };
	}

	async function look(call: GuardedHubCall, scene: Scene, signal: AbortSignal): Promise<HubResult> {
		const now = clock.now();
		if (call.tool === 'hub_sessions') {
			const open = bySession(await questions.unsettled(QUESTIONS_MAX));
			return sessionsResult(scene.sessions, { questions: open, day: localDay(now, deps.settings().timeZone), now });
		}
		if (call.tool === 'hub_events') {
			const { session, args } = call;
			const page = await feed.readBack(undefined, session === undefined ? args.limit : EVENTS_SEARCHED);
			const about = page.events.filter(({ sessionId }) => session === undefined || sessionId === session.id);
			return eventsResult(about.slice(0, args.limit).reverse(), page.missed, now);
		}
		if (call.tool !== 'hub_read' || call.session === undefined) throw new Error(`${call.tool} reads nothing`);
		const { session, args } = call;
		const transcript =
			args.what === 'transcript'
				? await deps.transcript(session.id, TRANSCRIPT_LINES, signal).catch(() => undefined)
				: undefined;
		const asked = await questions.bySession(session.id);
		const { session: whole } = await deps.sessions.load(session.id, [], []);
		return readResult(whole ?? session, args.what, { questions: asked, transcript });
	}

	async function make(call: GuardedHubCall, place: CallPlace, scene: Scene, signal: AbortSignal) {
		if (call.tool === 'hub_notify') return notify(call, place, scene);
		if (call.tool === 'hub_send') return send(call, place, scene);
		const result = call.tool === 'hub_watch' ? await watch(call, place) : await look(call, scene, signal);
		const { tool, ok, code } = result;
		await tell(didEvent({ tool, ok, code, session: call.session }, scene.ownId, clock.now()), place, scene);
		return { result };
	}

	return async (call, place, turn, signal) => {
		const kept = doneCall.safeParse(await journal.note(place.wakeId, `done:${place.key}`));
		if (kept.success) return kept.data;
		const [{ state }, sessions] = await Promise.all([concierge.read(), deps.sessions.list(SESSIONS_MAX)]);
		const scene: Scene = {
			ownId: state.id,
			calls: state.calls ?? [],
			sessions,
			because: () => reasonOf(state, place, turn),
		};
		const guarded = guardHubCall(call, { isOn: state.on, sessions }, turn);
		let done: DoneCall;
		if (guarded.ok) {
			done = await make(guarded, place, scene, signal);
		} else {
			const { code, text } = guarded;
			const tool = call.tool.slice(0, 60);
			await tell(didEvent({ tool, ok: false, code }, state.id, clock.now()), place, scene);
			done = { result: { tool, ok: false, code, text } };
		}
		await journal.keepNote(place.wakeId, `done:${place.key}`, done);
		return done;
	};
}

interface Scene {
	readonly ownId: string;
	readonly calls: NonNullable<ConciergeState['calls']>;
	readonly sessions: readonly FleetSession[];
	because(): Promise<WakeReason>;
}
