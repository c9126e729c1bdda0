import type { RoomSettings } from '../../../config/rooms.ts';
import { isAddressed } from '../../../core/chat/address.ts';
import { type FilteredChat, filterChat } from '../../../core/chat/firewall.ts';
import type { NumberedMessage } from '../../../core/chat/message.ts';
import { type Model, ModelError, type ModelMessage } from '../../../core/model/model-port.ts';
import type { Decision } from '../../../core/overseer/decision.ts';
import { decideFollowUp } from '../../../core/overseer/follow-up.ts';
import { FRESH_GATE } from '../../../core/overseer/gate-state.ts';
import { memoryText } from '../../../core/overseer/memory.ts';
import { OPEN_SITE } from '../../../core/overseer/site.ts';
import type { NumberedEvent } from '../../../core/overseer/trigger.ts';
import { computeAvailability, guardCall, guardTool } from '../../../core/tooling/availability.ts';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import type { Availability, ToolFacts } from '../../../core/tooling/facts.ts';
import { prepareCall } from '../../../core/tooling/prepare.ts';
import type { PreparedCall } from '../../../core/tooling/tool-arguments.ts';
import { type Answer, type AskDeps, askModel, type Question } from '../../../jobs/overseer/ask-model.ts';
import type { RoomScene } from '../../../jobs/overseer/room-scene.ts';
import { honestFact } from '../../../prompts/overseer/honest.ts';
import type { FollowUp } from '../../../prompts/overseer/messages.ts';
import type { PromptTexts } from '../../../prompts/render.ts';
import { ROOM, STANDING, settingsWith } from './room.ts';
import { OWN, type Scene } from './scene.ts';

/** A Saturday night in May. */
const NOW = Date.UTC(2026, 4, 2, 20, 14, 10);
/** Talk before this age was already decided on. */
const FRESH_S = 30;

export interface PlayedCall {
	readonly tool: string;
	readonly args: unknown;
	/** The exact call it was read as; absent when it could not be read. */
	readonly prepared?: PreparedCall;
	/** `ran`: the guard let it pass (nothing was really moved). */
	readonly fate: 'ran' | 'blocked' | 'invalid' | 'refused';
	readonly summary: string;
}

/** What happened when a scene was played. */
export interface Played {
	readonly decision: Decision;
	/** Raw answers, first to last. */
	readonly raw: readonly string[];
	readonly messages: readonly ModelMessage[];
	readonly availability: Availability;
	readonly calls: readonly PlayedCall[];
	/** What became of the words; absent when there were none, or they were not allowed by the guard. */
	readonly filtered?: FilteredChat;
	readonly posted?: string;
	readonly latencyMs: number;
	/** The model could not be asked. */
	readonly trouble?: string;
}

/** Plays one scene with a model: the real prompt, schema, reading, guard and firewall; the house itself stands still. */
export async function playScene(
	scene: Scene,
	deps: { model: Model; texts: PromptTexts; deadlineMs: number },
): Promise<Played> {
	const { question, addressed } = questionOf(scene, deps.deadlineMs);
	const { availability, facts } = question;
	const room = question.scene;
	const ask: AskDeps = {
		model: deps.model,
		texts: () => deps.texts,
		journal: NO_JOURNAL,
		metrics: NO_METRICS,
		clock: { now: Date.now },
	};
	const startedAt = performance.now();
	let answers: Answer[];
	try {
		answers = await answersOf(ask, question, scene, addressed);
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const silence: Decision = { mode: 'SKIP', calls: [], notes: ['no_answer'] };
		const trouble = `${error.code}: ${error.message}`;
		return { decision: silence, raw: [], messages: [], availability, calls: [], latencyMs: 0, trouble };
	}
	const latencyMs = Math.round(performance.now() - startedAt);
	const last = answers.at(-1);
	if (!last) throw new Error('no answer was kept');
	const { decision } = last;
	const calls = [
		...answers.slice(0, -1).flatMap((answer) => answer.decision.calls.map((call) => dryRun(call, facts, room))),
		...decision.calls.map((call) => dryRun(call, facts, room)),
		...answers
			.flatMap((answer) => answer.decision.refused ?? [])
			.map(({ tool, args, reason }): PlayedCall => ({ tool, args, fate: 'refused', summary: reason })),
	];
	const maySpeak = guardTool('chat_say', facts, ROOM, room.settings).length === 0;
	const filtered =
		decision.chat !== undefined && maySpeak
			? filterChat(decision.chat, {
					settings: room.settings,
					people: people(room.snapshot.messages),
					recentBotLines: addressed ? [] : room.snapshot.messages.filter(({ bot }) => bot).map(({ text }) => text),
					outcomes: calls
						.filter(({ fate }) => fate !== 'refused')
						.map((call) => ({ tool: call.tool, outcome: outcomeOf(call) })),
					confirmedFamilies: scene.confirmed ?? [],
					world: room.world,
					direct: addressed,
					wording: honestFact(deps.texts, room.settings),
				})
			: undefined;
	return {
		decision,
		raw: answers.map(({ reply }) => reply.text),
		messages: last.messages,
		availability,
		calls,
		...(filtered === undefined ? {} : { filtered }),
		...(filtered?.kind === 'post' ? { posted: filtered.text } : {}),
		latencyMs,
	};
}

async function answersOf(deps: AskDeps, question: Question, scene: Scene, isAddressed: boolean): Promise<Answer[]> {
	const { signal } = new AbortController();
	const first = await askModel(deps, question, { index: 0 }, signal);
	const { available } = question.availability;
	const why = decideFollowUp({ decision: first.decision, available, isAddressed });
	if (why === undefined) return [first];
	const followUp: FollowUp =
		why === 'memory' ? { kind: why, result: memoryText(scene.memory ?? ['', '', '']) } : { kind: why };
	return [first, await askModel(deps, question, { index: 1, followUp }, signal)];
}

/** Everything the executor asks before it acts, and then nothing is moved. */
function dryRun(call: { tool: string; args: unknown }, facts: ToolFacts, { settings, world }: RoomScene): PlayedCall {
	const read = prepareCall(call.tool, call.args, { room: ROOM, world, settings });
	if (!read.ok) return { ...call, fate: 'invalid', summary: read.summary };
	const reasons = guardCall(read.call, facts, ROOM, settings);
	const [first] = reasons;
	if (first) return { ...call, prepared: read.call, fate: 'blocked', summary: first.code };
	return { ...call, prepared: read.call, fate: 'ran', summary: `${call.tool} done` };
}

function outcomeOf({ fate, summary }: PlayedCall): CallOutcome {
	if (fate === 'ran') return { kind: 'confirmed', summary };
	if (fate === 'blocked') return { kind: 'blocked', reasons: [], summary };
	return { kind: 'invalid', code: 'invalid_args', summary };
}

function people(messages: readonly NumberedMessage[]): string[] {
	return [...new Set(messages.filter(({ bot }) => !bot).map(({ author }) => author.name))];
}

/** The scene as the decision worker would find it. */
function questionOf(scene: Scene, deadlineMs: number): { question: Question; addressed: boolean } {
	const settings = settingsWith(scene.settings ?? {});
	const messages = (scene.talk ?? []).map(([who, text, secondsAgo], index, { length }): NumberedMessage => {
		const own = who === OWN;
		return {
			seq: index + 1,
			id: `m${index + 1}`,
			room: ROOM.id,
			author: own ? { id: 'overseer', name: settings.name } : { id: `id-${who}`, name: who },
			bot: own,
			text,
			at: NOW - (secondsAgo ?? (length - index) * 3) * 1_000,
			mentions: [],
			source: own ? 'overseer' : 'discord',
		};
	});
	const fresh = messages.filter(({ at }) => NOW - at <= FRESH_S * 1_000);
	const addresses =
		scene.trigger === 'direct_address'
			? fresh
					.filter((message) => isAddressed(message, settings))
					.map(({ id, author, at }) => ({ messageId: id, authorId: author.id, authorName: author.name, at }))
			: [];
	const events = (scene.events ?? []).map(
		(event, index): NumberedEvent => ({ ...event, seq: index + 1, id: `e${index + 1}`, at: NOW - 2_000 }),
	);
	const room: RoomSettings = ROOM;
	const sceneNow: RoomScene = {
		room,
		settings,
		stage: scene.stage ?? 'full',
		runtime: 'overseer',
		site: { ...OPEN_SITE, ...scene.site },
		world: { ...STANDING, ...scene.world },
		snapshot: { roomId: room.id, version: 1, gate: FRESH_GATE, messages, events, ownContexts: [], contextResetAt: 0 },
		votedQuiet: scene.votedQuiet ?? false,
		now: NOW,
	};
	const resting = Object.entries(scene.resting ?? {}).map(([family, seconds]) => [family, NOW + seconds * 1_000]);
	const spent = scene.budgetSpentFor;
	const facts: ToolFacts = {
		now: NOW,
		stage: sceneNow.stage,
		site: sceneNow.site,
		world: sceneNow.world,
		readyAt: Object.fromEntries(resting),
		budget:
			spent === undefined
				? { minuteUsed: 0, hourUsed: 0 }
				: { minuteUsed: settings.budget.perMinute, hourUsed: 10, minuteFreeAt: NOW + spent * 1_000 },
		direct: addresses.length > 0,
		votedQuiet: sceneNow.votedQuiet,
		running: [],
	};
	const question: Question = {
		scene: sceneNow,
		decision: {
			id: `eval-${scene.id}`,
			trigger: scene.trigger,
			evidence: [],
			addresses,
			since: NOW - FRESH_S * 1_000,
			attempt: 1,
			upTo: { messageSeq: messages.length, eventSeq: events.length },
		},
		facts,
		availability: computeAvailability(facts, room, settings),
		pastActions: (scene.done ?? []).map(([text, secondsAgo]) => ({ text, at: NOW - secondsAgo * 1_000 })),
		deadlineAt: Date.now() + deadlineMs,
	};
	return { question, addressed: addresses.length > 0 };
}

const NO_JOURNAL: AskDeps['journal'] = {
	reply: async () => undefined,
	keepReply: async () => undefined,
	note: async () => undefined,
	keepNote: async () => undefined,
};
const NO_METRICS: AskDeps['metrics'] = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
