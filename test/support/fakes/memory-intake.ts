import { createCardMemory } from '../../../bot/intake/card-memory.ts';
import type { IntakePorts } from '../../../bot/intake/intake-ports.ts';
import { type IntakeSettings, intakeSettings } from '../../../config/intake.ts';
import { type AnalystReading, readAsAnalyst } from '../../../core/intake/analyst-reading.ts';
import type { Effect } from '../../../core/intake/effect.ts';
import type { IntakeEvent } from '../../../core/intake/event.ts';
import type { GovernanceVerdict } from '../../../core/intake/governance-port.ts';
import type { HandoffPacket } from '../../../core/intake/handoff-packet.ts';
import type { IntakeAuditRow } from '../../../core/intake/intake-audit.ts';
import type { Submitted } from '../../../core/intake/intake-desk.ts';
import { type AwaitedCall, freshSession, type IntakeSession } from '../../../core/intake/session.ts';
import { stepIntake } from '../../../core/intake/step.ts';
import { SHOWN_EFFECTS, type Showing, type Shown, type SurfaceItem } from '../../../core/intake/surface.ts';
import { wakeAt } from '../../../core/intake/wake.ts';

/** What the model says to a call; a rejection is a model that cannot be reached. */
export type Think = (session: IntakeSession, call: AwaitedCall) => string | Promise<string>;

interface Waiting {
	readonly sessionId: string;
	readonly item: SurfaceItem;
}

/**
 * The real machine of the intake with everything around it in this process: no Redis, no queues, a model and a policy that
 * the test gives.
 */
export function createMemoryIntake(
	options: { settings?: object; think?: Think; govern?: () => GovernanceVerdict; reading?: boolean } = {},
) {
	const settings: IntakeSettings = intakeSettings.parse({ quietMs: 250, ...options.settings });
	const think: Think = options.think ?? ((_, call) => (call.purpose === 'ask' ? ASK : FINAL));
	const sessions = new Map<string, IntakeSession>();
	const opened = new Map<string, string>();
	const kept = new Map<string, number>();
	const cards = new Map<string, string>();
	const outbox: Waiting[] = [];
	const shows = new Set<(showing: Showing) => Promise<Shown>>();
	const events: { sessionId: string; event: IntakeEvent }[] = [];
	const effects: Effect[] = [];
	const packets: HandoffPacket[] = [];
	const rows: IntakeAuditRow[] = [];
	const timers = new Set<NodeJS.Timeout>();
	let away: 'redis' | 'worker' | undefined;
	let isStopped = false;

	const check = () => {
		if (away === 'redis') throw Object.assign(new Error('no answer'), { code: 'redis_unavailable' });
	};
	const later = (ms: number, work: () => void) => {
		const timer = setTimeout(() => {
			timers.delete(timer);
			if (!isStopped) work();
		}, ms);
		timers.add(timer);
	};

	const apply = (sessionId: string, event: IntakeEvent) => {
		const before = sessions.get(sessionId);
		if (before === undefined) return;
		const step = stepIntake(before, event, settings, Date.now());
		sessions.set(sessionId, step.state);
		for (const effect of step.effects) begin(sessionId, effect);
		const due = wakeAt(step.state, settings);
		if (due !== undefined)
			later(Math.max(0, Math.min(due - Date.now(), 2_000_000_000)), () => apply(sessionId, { kind: 'tick' }));
	};

	const begin = (sessionId: string, effect: Effect) => {
		effects.push(effect);
		if (effect.kind === 'audit') rows.unshift({ sessionId, id: effect.id, entry: effect.entry });
		else if (effect.kind === 'call_model') later(0, () => void answer(sessionId, effect.call));
		else if (effect.kind === 'govern') {
			const verdict = options.govern?.() ?? { outcome: 'allow' as const, findings: [] };
			later(0, () => apply(sessionId, { kind: 'governance', packetId: effect.input.packetId, verdict }));
		} else if (effect.kind === 'deliver') {
			packets.push(effect.packet);
			later(0, () => apply(sessionId, { kind: 'delivered', packetId: effect.packet.id }));
			const reading: AnalystReading = readAsAnalyst(effect.packet);
			if (options.reading)
				add(sessionId, { id: `${effect.packet.id}:reading`, kind: 'reading', packetId: effect.packet.id, reading });
		} else if ((SHOWN_EFFECTS as readonly string[]).includes(effect.kind)) add(sessionId, effect as SurfaceItem);
	};

	const answer = async (sessionId: string, call: AwaitedCall) => {
		const session = sessions.get(sessionId);
		if (session?.call?.id !== call.id) return;
		const event = await Promise.resolve()
			.then(() => think(session, call))
			.then(
				(text): IntakeEvent => ({ kind: 'model_reply', callId: call.id, text }),
				(): IntakeEvent => ({ kind: 'model_failed', callId: call.id, reason: 'model', transient: false }),
			);
		if (!isStopped) apply(sessionId, event);
	};

	const add = (sessionId: string, item: SurfaceItem) => {
		outbox.push({ sessionId, item });
		void pump(sessionId);
	};

	const busy = new Set<string>();
	/** Shows what waits for one session, in order; a refusal is tried again after a moment. */
	const pump = async (sessionId: string) => {
		const [show] = shows;
		if (show === undefined || busy.has(sessionId) || isStopped) return;
		const next = outbox.find((one) => one.sessionId === sessionId);
		if (next === undefined) return;
		busy.add(sessionId);
		const shown = await show({ item: next.item, session: sessions.get(sessionId), sessionId }).catch(
			(): Shown => ({ kind: 'later', afterMs: 100 }),
		);
		busy.delete(sessionId);
		if (shown.kind === 'later') return later(Math.min(shown.afterMs, 300), () => void pump(sessionId));
		outbox.splice(outbox.indexOf(next), 1);
		void pump(sessionId);
	};

	const submit = (sessionId: string, event: IntakeEvent): Submitted => {
		if (away === 'redis') return { kind: 'unavailable', reason: 'redis', kept: false };
		const session = sessions.get(sessionId);
		if (session === undefined) return { kind: 'unknown' };
		if ('id' in event && event.kind !== 'message_edited' && session.seen.includes(event.id))
			return { kind: 'duplicate' };
		events.push({ sessionId, event });
		if (away === 'worker') {
			later(200, () => apply(sessionId, event));
			return { kind: 'unavailable', reason: 'worker', kept: true };
		}
		apply(sessionId, event);
		return { kind: 'taken' };
	};

	const ports: IntakePorts = {
		desk: {
			async open(start, intent, onceId) {
				if (away === 'redis') return { kind: 'unavailable', reason: 'redis', kept: false };
				const threadId = start.place.kind === 'discord' ? start.place.threadId : '';
				const before = opened.get(onceId) ?? opened.get(threadId);
				if (before !== undefined) return { kind: 'exists', sessionId: before };
				opened.set(onceId, start.id).set(threadId, start.id);
				sessions.set(start.id, freshSession(start, Date.now()));
				return { kind: 'opened', sessionId: start.id, first: submit(start.id, intent) };
			},
			submit: async (sessionId, event) => submit(sessionId, event),
		},
		store: {
			create: () => Promise.reject(new Error('not used by a surface')),
			save: () => Promise.reject(new Error('not used by a surface')),
			pendingEffects: () => Promise.reject(new Error('not used by a surface')),
			ackEffect: () => Promise.reject(new Error('not used by a surface')),
			due: () => Promise.reject(new Error('not used by a surface')),
			purge: () => Promise.reject(new Error('not used by a surface')),
			async load(id) {
				check();
				const session = sessions.get(id);
				return session === undefined ? { kind: 'missing' } : { kind: 'found', session };
			},
			async byThread(threadId) {
				check();
				return opened.get(threadId);
			},
			async list({ requesterId, states, limit }) {
				check();
				return [...sessions.values()]
					.filter((one) => requesterId === undefined || one.requesterId === requesterId)
					.filter((one) => states === undefined || states.includes(one.state))
					.slice(0, limit)
					.map(({ id, requesterId: by, state, roundCount, createdAt, updatedAt, place }) => ({
						...{ id, requesterId: by, state, roundCount, createdAt, updatedAt, deleteAt: kept.get(id) },
						threadId: place.kind === 'discord' ? place.threadId : undefined,
					}));
			},
			async keep(id, until) {
				check();
				if (sessions.has(id)) kept.set(id, until);
				return sessions.has(id);
			},
			exportAll: async (id) => ({ session: sessions.get(id) }),
			delete: async (id) => sessions.delete(id),
		},
		surface: {
			consume(_, show) {
				shows.add(show);
				for (const id of new Set(outbox.map(({ sessionId }) => sessionId))) void pump(id);
				return async () => void shows.delete(show);
			},
		},
		audit: { query: async ({ sessionId, limit }) => rows.filter((row) => row.sessionId === sessionId).slice(0, limit) },
		cards: createCardMemory({
			get: async (name) => cards.get(name),
			set: async (name, value) => void (value === undefined ? cards.delete(name) : cards.set(name, value)),
		}),
	};

	return {
		ports,
		settings,
		sessions,
		events,
		effects,
		packets,
		outbox,
		/** The one session there is. */
		only: (): IntakeSession => [...sessions.values()][0] as IntakeSession,
		/** An event that no person made. */
		apply,
		setAway(what: 'redis' | 'worker' | undefined) {
			away = what;
		},
		stop() {
			isStopped = true;
			for (const timer of timers) clearTimeout(timer);
		},
	};
}

export type MemoryIntake = ReturnType<typeof createMemoryIntake>;

export const ASK = [
	'D1: Which things should be sold first? (pick any: mugs | plates | bowls)',
	'D2: Where will people use it? [phone | computer]',
	'D6: Where should it run?',
].join('\n');

export const FINAL = [
	'REQUIREMENTS_COMPLETE: yes',
	'TASK_SUMMARY: A shop that sells mugs.',
	'PROJECT_NAME: mug_shop',
	'ESCALATE_TO: U:BA',
	'PROLOG_FACTS:',
	'has_feature(mugs). % "a shop for mugs"',
	'has_feature(blockchain).',
	'platform(phone).',
].join('\n');
