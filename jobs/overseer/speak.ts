import type { ChatBus } from '../../core/chat/bus-port.ts';
import { type Fact, filterChat } from '../../core/chat/firewall.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import { judgeChat } from '../../core/overseer/staleness.ts';
import type { Throttle } from '../../core/overseer/stores.ts';
import type { PendingDecision } from '../../core/overseer/trigger.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Audit, CallOutcome } from '../../core/tooling/call.ts';
import { callId } from '../../core/tooling/call-id.ts';
import { isInterrupted } from '../../core/tooling/interrupted.ts';
import { isToolName, type ToolFamily, toolFamily } from '../../core/tooling/tool-name.ts';
import type { Tracer } from '../../core/tracer.ts';
import { type HonestWhy, honestFact, honestLine } from '../../prompts/overseer/honest.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import type { Speaker } from '../../tools/tool.ts';
import { isStoreFailure, StoreAway } from '../store-failure.ts';
import type { RoomScene, RoomScenes } from './room-scene.ts';
import type { RanCall } from './run-calls.ts';
import type { CallExecutor } from './tool-run.ts';

/** Index of speech among a decision's calls, behind every call a model may make. */
const CHAT_INDEX = 90;
const SPOKEN_OF_MS = 300_000;
/** Longest text that `chat_say` takes, with room to spare; what is posted is far shorter. */
const SAY_MAX = 1_900;

type Passed =
	| { kind: 'post'; name: string; text: string; replyTo: string | undefined }
	| { kind: 'drop'; reason: string; final: boolean };

/** `final`: not this text but the moment is wrong, so other words would fare no better. */
export type Spoken = { kind: 'posted'; text: string } | { kind: 'dropped'; reason: string; final: boolean };

export interface Mouth {
	/** Takes what the model wanted to say through staleness, firewall and guard onto the bus. */
	say(line: {
		decision: PendingDecision;
		roomId: string;
		text: string;
		/** Which try at words for this decision it is, from 0. */
		index: number;
		ran: readonly RanCall[];
		cause: string | undefined;
		signal: AbortSignal;
	}): Promise<Spoken>;
	/** One short true line of the program's own; that the model is out of reach, at most once a minute a room. */
	sayHonestly(scene: RoomScene, decision: PendingDecision, key: HonestWhy, opensAt?: number): Promise<void>;
	/** Where the setting asks for it, one small line for each call that really acted, worded by code. */
	showActions(scene: RoomScene, decision: PendingDecision, ran: readonly RanCall[]): Promise<void>;
	/** A true line about what became of an action, when the model's own words could not be used. */
	factLine(scene: RoomScene, ran: readonly RanCall[]): string | undefined;
}

export interface MouthDeps {
	bus: ChatBus;
	audit: Audit;
	scenes: RoomScenes;
	/** The guarded executor with a voice; the voice is asked only after the guard let the line pass. */
	executorWith(speaker: Speaker): CallExecutor;
	throttle: Throttle;
	texts(): PromptTexts;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

export function createMouth(deps: MouthDeps): Mouth {
	const { clock, metrics } = deps;

	/** Staleness and firewall, judged at the moment of posting. */
	const pass = async (
		roomId: string,
		decision: PendingDecision,
		text: string,
		ran: readonly RanCall[],
	): Promise<Passed> => {
		const scene = await deps.scenes.read(roomId);
		if (!scene) return { kind: 'drop', reason: 'no_room', final: true };
		const { settings, snapshot } = scene;
		const direct = decision.addresses.length > 0;
		const timing = judgeChat({
			decision,
			now: clock.now(),
			staleAfterMs: settings.decision.staleAfterMs,
			messages: snapshot.messages,
		});
		if (timing.kind === 'drop') return { ...timing, final: true };
		const filtered = filterChat(text, {
			settings,
			people: [...new Set(snapshot.messages.filter(({ bot }) => !bot).map(({ author }) => author.name))],
			// Whoever asks the same thing twice may hear the same answer twice; unasked, a line is said once.
			recentBotLines: direct
				? []
				: snapshot.messages.filter(({ bot, source }) => bot && source === 'overseer').map((line) => line.text),
			outcomes: ran.map(({ tool, outcome }) => ({ tool, outcome })),
			world: scene.world,
			direct,
			confirmedFamilies: await lately(roomId),
			wording: honestFact(deps.texts(), settings),
		});
		if (filtered.kind === 'drop') return { kind: 'drop', reason: filtered.reason, final: false };
		return { kind: 'post', name: settings.name, text: filtered.text, replyTo: timing.replyTo };
	};

	/** What was really done in the last minutes may be spoken of; having spoken is no deed. */
	const lately = async (roomId: string): Promise<ToolFamily[]> => {
		const rows = await deps.audit.query({ room: roomId, step: 'confirmed', limit: 20 });
		const since = clock.now() - SPOKEN_OF_MS;
		return [
			...new Set(
				rows.flatMap(({ at, tool }) =>
					at >= since && isToolName(tool) && tool !== 'chat_say' ? [toolFamily(tool)] : [],
				),
			),
		];
	};

	const count = (reason: string): void => {
		metrics.count('overseer_chat_dropped_total', { reason });
		if (reason === 'stale') metrics.count('overseer_stale_total', { what: 'chat' });
		if (reason === 'repeated') metrics.count('overseer_repeated_lines_total');
	};

	return {
		async say({ decision, roomId, text, index, ran, cause, signal }) {
			let spoken: Spoken | undefined;
			let trouble: unknown;
			const speaker: Speaker = {
				async say(line) {
					const passed = await pass(roomId, decision, line.text, ran);
					if (passed.kind === 'drop') {
						spoken = { kind: 'dropped', reason: passed.reason, final: passed.final };
						return { kind: 'dropped', reason: passed.reason };
					}
					const words: ChatMessage = {
						id: line.callId,
						room: roomId,
						author: { id: 'overseer', name: passed.name },
						bot: true,
						text: passed.text,
						at: clock.now(),
						...(passed.replyTo === undefined ? {} : { replyTo: { id: passed.replyTo, toBot: false } }),
						mentions: [],
						source: 'overseer',
						decisionId: decision.id,
						trace: deps.tracer.context(),
					};
					await deps.bus.publish(words).catch((error: unknown) => {
						trouble = error;
						throw error;
					});
					metrics.count('overseer_chat_total', { kind: decision.addresses.length > 0 ? 'direct' : 'unsolicited' });
					spoken = { kind: 'posted', text: passed.text };
					return { kind: 'said' };
				},
			};
			const outcome = await deps.executorWith(speaker).execute({
				roomId,
				decisionId: decision.id,
				call: {
					id: callId(decision.id, 'chat_say', CHAT_INDEX + index),
					tool: 'chat_say',
					args: { text: sayable(text) },
				},
				trigger: decision.trigger,
				...(cause === undefined ? {} : { cause }),
				direct: decision.addresses.length > 0,
				signal,
			});
			// Somebody is owed these words: they are said when the store is back, under the same id.
			const isOurs = trouble === undefined || isStoreFailure(trouble);
			if (!spoken && !signal.aborted && isOurs && isInterrupted(outcome)) throw new StoreAway(outcome.summary);
			// Without a word from the speaker the guard stopped it, or an earlier run of this decision already spoke.
			const result: Spoken =
				spoken ??
				(outcome.kind === 'confirmed'
					? { kind: 'posted', text }
					: { kind: 'dropped', reason: reasonOf(outcome), final: outcome.kind !== 'invalid' });
			if (result.kind === 'dropped') count(result.reason);
			return result;
		},

		async sayHonestly(scene, decision, key, opensAt) {
			const { settings, room } = scene;
			if (decision.addresses.length === 0 || scene.stage === 'off' || scene.stage === 'observe') return;
			// Only an outage repeats itself; an answer that was lost is owed to whoever asked for this one.
			const everyMs = settings.chat.honestLineEveryMs;
			if (key === 'unreachable' && !(await deps.throttle.once(`honest-${room.id}`, everyMs))) return;
			metrics.count('overseer_honest_lines_total');
			await deps.bus.publish({
				id: `${decision.id}-honest`,
				room: room.id,
				author: { id: 'overseer', name: settings.name },
				bot: true,
				text: honestLine(deps.texts(), settings, key, opensAt),
				at: clock.now(),
				...replyTo(decision),
				mentions: [],
				source: 'overseer',
				decisionId: decision.id,
				trace: deps.tracer.context(),
			});
		},

		async showActions({ settings, room }, decision, ran) {
			if (!settings.chat.showActions) return;
			for (const { callId: id, outcome } of ran) {
				if (outcome.kind !== 'confirmed' && outcome.kind !== 'unconfirmed') continue;
				const doubt = outcome.kind === 'unconfirmed' ? ' (not confirmed)' : '';
				await deps.bus.publish({
					id: `${id}-shown`,
					room: room.id,
					author: { id: 'overseer', name: settings.name },
					bot: true,
					text: `-# ${outcome.summary}${doubt}`,
					at: clock.now(),
					mentions: [],
					source: 'overseer-action',
					decisionId: decision.id,
					trace: deps.tracer.context(),
				});
			}
		},

		factLine(scene, ran) {
			const last = ran.at(-1);
			if (!last) return undefined;
			if (last.outcome.kind === 'confirmed') return `${last.outcome.summary}.`;
			const family = isToolName(last.tool) ? toolFamily(last.tool) : 'any';
			return honestFact(deps.texts(), scene.settings)(factOf(last.outcome), family);
		},
	};
}

/** What the firewall would take away anyway must not make the call invalid: somebody may be waiting for the line. */
function sayable(text: string): string {
	return text.slice(0, SAY_MAX).replace(/[^\P{Cc}\n\t]/gu, ' ');
}

function replyTo(decision: PendingDecision): { replyTo?: { id: string; toBot: boolean } } {
	const last = decision.addresses.at(-1);
	return last ? { replyTo: { id: last.messageId, toBot: false } } : {};
}

function factOf(outcome: CallOutcome): Fact {
	switch (outcome.kind) {
		case 'blocked':
		case 'unconfirmed':
		case 'failed':
			return outcome.kind;
		case 'unknown':
			return 'unconfirmed';
		default:
			return 'not_done';
	}
}

function reasonOf(outcome: CallOutcome): string {
	if (outcome.kind === 'blocked') return outcome.reasons[0]?.code ?? 'blocked';
	return outcome.kind;
}
