import type { ChatBus } from '../../core/chat/bus-port.ts';
import { ModelError } from '../../core/model/model-port.ts';
import type { CommentaryStatus } from '../../core/overseer/commentary-status.ts';
import {
	type DecisionEnd,
	finishDecision,
	putBackDecision,
	releaseDecision,
} from '../../core/overseer/finish-decision.ts';
import { decideFollowUp } from '../../core/overseer/follow-up.ts';
import { memoryText } from '../../core/overseer/memory.ts';
import type { RoomStore } from '../../core/overseer/room-store.ts';
import type { PastAction } from '../../core/overseer/state-update.ts';
import {
	withCall,
	withDecision,
	withError,
	withLedger,
	withModelInput,
	withOutput,
	withPhase,
} from '../../core/overseer/status-change.ts';
import type { MemoryStore, StatusStore, WorkerLives } from '../../core/overseer/stores.ts';
import { type TakenDecision, takeDecision } from '../../core/overseer/take-decision.ts';
import type { Log, Random } from '../../core/ports.ts';
import { computeAvailability } from '../../core/tooling/availability.ts';
import type { Audit } from '../../core/tooling/call.ts';
import type { Claims } from '../../core/tooling/ledger-port.ts';
import { traceIdOf } from '../../core/trace-context.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { HonestWhy } from '../../prompts/overseer/honest.ts';
import type { FollowUp } from '../../prompts/overseer/messages.ts';
import type { JobPayload } from '../contracts.ts';
import type { Queues } from '../queues.ts';
import { isStoreFailure } from '../store-failure.ts';
import { type Answer, type AskDeps, askModel, type Question } from './ask-model.ts';
import { commentate } from './commentate.ts';
import { commitGate } from './commit.ts';
import type { RoomScene, RoomScenes } from './room-scene.ts';
import { type RanCall, runCalls, TOOL_WAIT_MS } from './run-calls.ts';
import type { Mouth, Spoken } from './speak.ts';
import type { StatusWriter } from './status-writer.ts';
import { WORLD_NOTE } from './tool-run.ts';

/** What a decision may need beyond the model's own deadline before it counts as dead. */
const AFTERMATH_MS = TOOL_WAIT_MS + 30_000;
const LIMIT_LOOK_MS = 300_000;
const PAST_ACTIONS = { count: 5, maxAgeMs: 600_000 };

export interface DecideDeps extends AskDeps {
	commentary: StatusStore<CommentaryStatus>;
	scenes: RoomScenes;
	store: RoomStore;
	queues: Queues;
	claims: Claims;
	audit: Audit;
	memory: MemoryStore;
	bus: ChatBus;
	mouth: Mouth;
	status: StatusWriter;
	lives: WorkerLives;
	/** Makes the gate look again right away. */
	nudge(roomId: string): Promise<void>;
	random: Random;
	log: Log;
	tracer: Tracer;
}

type Decision = TakenDecision['decision'];

/** Runs the decision that waits for a room: take, ask, act, speak, finish. Says in a word how it ended. */
export function createDecide(deps: DecideDeps) {
	return async ({ roomId }: JobPayload<'overseer-decide'>, signal: AbortSignal): Promise<string> => {
		const taken = await commitGate(deps, roomId, (scene) => {
			const flightMs = scene.settings.decision.deadlineMs + AFTERMATH_MS;
			const next = takeDecision(deps.scenes.gateInput(scene), flightMs, deps.lives.self);
			// The gate looks again soon, in case this process dies with it.
			return next && { gate: next.gate, dueAt: scene.now + scene.settings.gate.tickMs, result: next.decision };
		});
		if (!taken) return 'nothing';
		const { scene, result: decision } = taken;
		const { trigger, attempt } = decision;
		const options = { parent: decision.trace, marks: { decision: decision.id }, attributes: { trigger, attempt } };
		return await deps.tracer.step('overseer.decision', options, async (step) => {
			const messageIds = decision.evidence.flatMap((entry) => entry.messageIds ?? []).slice(-10);
			deps.log.info({ room: roomId, trigger, attempt, messageIds }, 'a decision began');
			const end = await runDecision(deps, scene, decision, signal);
			deps.log.info({ room: roomId, end }, 'a decision ended');
			step.note({ end });
			return end;
		});
	};
}

async function runDecision(
	deps: DecideDeps,
	scene: RoomScene,
	decision: Decision,
	signal: AbortSignal,
): Promise<string> {
	const roomId = scene.room.id;
	void deps.status.change(roomId, (status, now) => withDecision(status, decision, now));
	try {
		if (scene.runtime === 'commentary') {
			await commentate(deps, scene, decision, signal);
			await deps.status.change(roomId, (status, now) => withPhase(status, 'idle', now));
		} else await decideOnce(deps, scene, decision, signal);
		await finish(deps, roomId, decision, { kind: 'ok' });
		return 'ok';
	} catch (error) {
		// Nothing can be written now, and nobody told: it is run again once the store is back.
		if (isStoreFailure(error)) throw error;
		if (signal.aborted) {
			// Shutting down, or out of time: somebody else runs it again under the same id.
			await finish(deps, roomId, decision, { kind: 'released' });
			return 'released';
		}
		if (error instanceof ModelError && error.code === 'paused') {
			await finish(deps, roomId, decision, { kind: 'paused' });
			await deps.status.change(roomId, (status, now) => withPhase(status, 'idle', now));
			return 'paused';
		}
		if (error instanceof ModelError && error.code === 'limited') return limited(deps, scene, decision, error);
		if (!(error instanceof ModelError)) {
			await failed(deps, scene, decision, 'internal', String(error), 'given_up');
			await finish(deps, roomId, decision, { kind: 'dropped' });
			throw error;
		}
		await failed(deps, scene, decision, error.code, error.hint, 'unreachable');
		await finish(deps, roomId, decision, { kind: 'model_failed', retryAfterMs: error.retryAfterMs });
		return error.code;
	}
}

async function decideOnce(deps: DecideDeps, scene: RoomScene, decision: Decision, signal: AbortSignal): Promise<void> {
	const { room, settings } = scene;
	const direct = decision.addresses.length > 0;
	const [facts, past] = await Promise.all([deps.scenes.factsOf(scene, direct), pastActions(deps, room.id)]);
	const startedAt = deps.clock.now();
	const question: Question = {
		scene,
		decision,
		facts,
		availability: computeAvailability(facts, room, settings),
		pastActions: past,
		deadlineAt: startedAt + settings.decision.deadlineMs,
	};
	// Kept while the model thinks; it must stand before anything is done.
	const worldKept = keepWorld(deps, scene, decision);
	worldKept.catch(() => undefined);
	if (direct && scene.stage !== 'observe')
		void deps.bus
			.typing({ room: room.id, source: 'overseer', until: question.deadlineAt })
			.catch((error: Error) => deps.log.debug({ error }, 'typing not shown'));
	const firstAddress = decision.addresses[0];
	if (firstAddress && decision.attempt === 1)
		deps.metrics.observe('overseer_message_to_model_seconds', Math.max(0, startedAt - firstAddress.at) / 1_000);

	const answer = await answerOf(deps, question, signal);
	const cause = decision.addresses.at(-1)?.authorId ?? decision.evidence[0]?.eventIds?.[0];
	await Promise.all([worldKept, auditRefused(deps, room.id, decision, answer)]);
	const ran = await act(deps, question, answer, cause, signal);
	await deps.mouth.showActions(scene, decision, ran);
	const spoken = await speak(deps, question, answer, ran, cause, signal);
	await deps.status.change(room.id, (status, now) => {
		const next = spoken?.kind === 'posted' ? withPhase(status, 'posted', now) : withPhase(status, 'idle', now);
		return withOutput(next, outputOf(answer, spoken, now), now);
	});
	deps.metrics.count('overseer_decisions_total', { mode: answer.decision.mode, trigger: decision.trigger });
	deps.metrics.observe('overseer_decision_seconds', (deps.clock.now() - startedAt) / 1_000, {
		trigger: decision.trigger,
	});
}

/** The world that the first run of this decision saw: what its calls are compared with. */
async function keepWorld(deps: DecideDeps, scene: RoomScene, decision: Decision): Promise<void> {
	if (decision.attempt > 1 && (await deps.journal.note(decision.id, WORLD_NOTE)) !== undefined) return;
	await deps.journal.keepNote(decision.id, WORLD_NOTE, scene.world);
}

/** The model's answer: asked once more when somebody waits and it kept silent, or when it wanted to read its memory. */
async function answerOf(deps: DecideDeps, question: Question, signal: AbortSignal): Promise<Answer> {
	const { scene, decision } = question;
	const show = async (answer: Answer) => {
		for (const reason of answer.decision.notes) deps.metrics.count('overseer_invalid_output_total', { reason });
		await deps.status.change(scene.room.id, (status, now) =>
			withOutput(
				withModelInput(status, answer.state, inputOf(deps, question, answer), now),
				outputOf(answer, undefined, now),
				now,
			),
		);
		return answer;
	};
	const first = await show(await askModel(deps, question, { index: 0 }, signal));
	const why = decideFollowUp({
		decision: first.decision,
		available: question.availability.available,
		isAddressed: decision.addresses.length > 0,
	});
	if (why === undefined) return first;
	const followUp: FollowUp =
		why === 'memory' ? { kind: why, result: memoryText(await deps.memory.read(scene.room.id)) } : { kind: why };
	return show(await askModel(deps, question, { index: 1, followUp }, signal));
}

async function act(
	deps: DecideDeps,
	question: Question,
	answer: Answer,
	cause: string | undefined,
	signal: AbortSignal,
): Promise<RanCall[]> {
	const { scene, decision } = question;
	const roomId = scene.room.id;
	const calls = answer.decision.calls;
	if (calls.length === 0) return [];
	void deps.status.change(roomId, (status, now) => withPhase(status, 'tool_exec', now));
	const ran = await runCalls(deps, { roomId, decision, calls, decidedAt: scene.now, cause }, signal);
	const booked = await deps.scenes.facts(roomId, decision.addresses.length > 0);
	void deps.status.change(roomId, (status, now) =>
		ran.reduce(
			(shown, { callId, tool, args, outcome }) =>
				withCall(
					shown,
					{
						at: now,
						callId,
						tool,
						args,
						state: outcome.kind,
						summary: outcome.summary,
						...(outcome.kind === 'blocked' ? { reasons: [...outcome.reasons] } : {}),
					},
					now,
				),
			withLedger(status, booked.readyAt, booked.budget, scene.settings, now),
		),
	);
	return ran;
}

/** Words after deeds: what was not confirmed is not claimed, and whoever asked hears what became of it. */
async function speak(
	deps: DecideDeps,
	question: Question,
	answer: Answer,
	ran: readonly RanCall[],
	cause: string | undefined,
	signal: AbortSignal,
): Promise<Spoken | undefined> {
	const { scene, decision } = question;
	const direct = decision.addresses.length > 0;
	const candidates = [answer.decision.chat, direct ? deps.mouth.factLine(scene, ran) : undefined].filter(
		(text) => text !== undefined,
	);
	let spoken: Spoken | undefined;
	for (const [index, text] of candidates.entries()) {
		spoken = await deps.mouth.say({ decision, roomId: scene.room.id, text, index, ran, cause, signal });
		if (spoken.kind === 'posted' || spoken.final) return spoken;
	}
	// Somebody waits and nothing that could be said was left.
	if (direct) await deps.mouth.sayHonestly(scene, decision, 'given_up');
	return spoken;
}

async function failed(
	deps: DecideDeps,
	scene: RoomScene,
	decision: Decision,
	code: string,
	hint: string,
	line: HonestWhy,
	opensAt?: number,
): Promise<void> {
	deps.metrics.count('overseer_decision_failures_total', { code });
	deps.log.warn({ room: scene.room.id, decision: decision.id, code, hint }, 'no usable answer for a decision');
	await deps.status.change(scene.room.id, (status, now) => withError(status, code, hint, now));
	await deps.mouth.sayHonestly(scene, decision, line, opensAt);
}

/** A limit is used up: whoever asked hears so. One person's limit is no reason for the room to wait. */
async function limited(deps: DecideDeps, scene: RoomScene, decision: Decision, error: ModelError): Promise<string> {
	const waitMs = error.retryAfterMs ?? 0;
	const line = error.limit === 'person' ? 'limited_person' : 'limited';
	await failed(deps, scene, decision, error.code, error.hint, line, deps.clock.now() + waitMs);
	const kind = error.limit === 'person' ? 'dropped' : 'model_failed';
	// A limit that is raised meanwhile is noticed soon enough.
	await finish(deps, scene.room.id, decision, { kind, retryAfterMs: Math.min(waitMs, LIMIT_LOOK_MS) });
	return error.code;
}

async function finish(
	deps: DecideDeps,
	roomId: string,
	decision: Decision,
	end: { kind: DecisionEnd | 'released' | 'paused'; retryAfterMs?: number | undefined },
): Promise<void> {
	await deps.bus
		.typing({ room: roomId, source: 'overseer', until: 0 })
		.catch((error: Error) => deps.log.debug({ error }, 'typing not ended'));
	await commitGate(deps, roomId, (scene) => {
		const { gate: before } = scene.snapshot;
		if (end.kind === 'paused') {
			const back = putBackDecision(before, decision.id);
			return back && { gate: back, dueAt: scene.now, result: undefined };
		}
		const gate =
			end.kind === 'released'
				? releaseDecision(before, decision.id, scene.now)
				: finishDecision(
						before,
						decision.id,
						end.kind,
						scene.now,
						scene.settings,
						deps.random.next(),
						end.retryAfterMs,
					);
		return gate && { gate, dueAt: scene.now, result: undefined };
	});
	await deps.nudge(roomId).catch((error: Error) => deps.log.debug({ room: roomId, error }, 'nudge lost'));
}

/** What was done lately, in plain words: the model must know it, but never see a call that it could copy. */
async function pastActions(deps: DecideDeps, roomId: string): Promise<PastAction[]> {
	const rows = await deps.audit.query({ room: roomId, limit: PAST_ACTIONS.count * 6 });
	const since = deps.clock.now() - PAST_ACTIONS.maxAgeMs;
	return rows
		.filter(({ at, step, tool, summary }) => at >= since && tool !== 'chat_say' && summary && isEnd(step))
		.slice(0, PAST_ACTIONS.count)
		.reverse()
		.map(({ at, summary }) => ({ at, text: summary ?? '' }));
}

function isEnd(step: string): boolean {
	return ['blocked', 'confirmed', 'unconfirmed', 'failed', 'unknown', 'dry_run'].includes(step);
}

async function auditRefused(deps: DecideDeps, room: string, decision: Decision, answer: Answer): Promise<void> {
	if (decision.attempt > 1) return;
	const trace = traceIdOf(deps.tracer.context());
	for (const [index, { tool, args, reason }] of (answer.decision.refused ?? []).entries()) {
		const callId = `${decision.id}-refused-${index}`;
		await deps.audit.append({
			id: callId,
			at: deps.clock.now(),
			room,
			decisionId: decision.id,
			callId,
			tool,
			step: 'invalid',
			trigger: decision.trigger,
			args,
			summary: reason,
			...(trace === undefined ? {} : { trace }),
		});
	}
}

function inputOf(deps: DecideDeps, question: Question, answer: Answer) {
	const { availability } = question;
	return {
		model: deps.model.id,
		messages: answer.messages.length,
		turns: answer.messages.length - 4,
		estimatedTokens: answer.estimatedTokens,
		reportedTokens: answer.reply.usage.inputTokens,
		available: [...availability.available],
		blocked: availability.blocked.map(({ tool, reasons }) => ({ tool, reasons: [...reasons] })),
	};
}

function outputOf(answer: Answer, spoken: Spoken | undefined, now: number) {
	return {
		at: now,
		raw: answer.reply.text,
		mode: answer.decision.mode,
		notes: [...answer.decision.notes],
		latencyMs: answer.reply.durations.totalMs,
		...(spoken?.kind === 'posted' ? { chat: spoken.text } : {}),
		...(spoken?.kind === 'dropped' ? { chatDropped: spoken.reason } : {}),
	};
}
