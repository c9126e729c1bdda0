import type { ChatBus } from '../../core/chat/bus-port.ts';
import { filterChat } from '../../core/chat/firewall.ts';
import { chatWindow } from '../../core/chat/window.ts';
import { type Model, ModelError } from '../../core/model/model-port.ts';
import { COMMENTARY_SOURCE, commentaryState, readCommentary } from '../../core/overseer/commentary.ts';
import {
	type CommentaryStatus,
	freshCommentaryStatus,
	withCommentary,
	withCommentaryError,
} from '../../core/overseer/commentary-status.ts';
import { readPeople } from '../../core/overseer/people.ts';
import { judgeChat } from '../../core/overseer/staleness.ts';
import type { StatusStore } from '../../core/overseer/stores.ts';
import type { TakenDecision } from '../../core/overseer/take-decision.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import { renderCommentaryMessages } from '../../prompts/commentary/messages.ts';
import { honestFact } from '../../prompts/overseer/honest.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import { accountOf } from './account-of.ts';
import type { RoomScene, RoomScenes } from './room-scene.ts';

export interface CommentateDeps {
	model: Model;
	scenes: RoomScenes;
	bus: ChatBus;
	commentary: StatusStore<CommentaryStatus>;
	texts(): PromptTexts;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

/**
 * One run of the chat-only commentator: it sees rovers and talk, has no tools, and says a line or nothing. Rejects with
 * ModelError when the model does not answer.
 */
export async function commentate(
	deps: CommentateDeps,
	scene: RoomScene,
	decision: TakenDecision['decision'],
	signal: AbortSignal,
): Promise<void> {
	const { settings, snapshot, world, now } = scene;
	const input = commentaryState({
		now,
		settings,
		decision,
		world,
		people: readPeople(snapshot.messages, world, now, settings),
		eventTexts: snapshot.events
			.filter(({ seq, at }) => seq <= decision.upTo.eventSeq && at >= decision.since)
			.map(({ text }) => text),
	});
	try {
		const reply = await deps.model.complete({
			messages: renderCommentaryMessages({
				texts: deps.texts(),
				settings,
				state: input,
				window: windowOf(scene, decision),
			}),
			maxOutputTokens: settings.decision.maxOutputTokens,
			deadlineMs: settings.decision.deadlineMs,
			signal,
			purpose: 'overseer.commentary',
			account: accountOf(scene.room, decision),
		});
		const { chat, notes } = readCommentary(reply, settings);
		for (const reason of notes) deps.metrics.count('overseer_invalid_output_total', { reason });
		const line = chat === undefined ? undefined : await post(deps, scene, decision, chat);
		const run = { input, raw: reply.text, latencyMs: reply.durations.totalMs, ...(line === undefined ? {} : { line }) };
		await show(deps, scene, (status, at) => withCommentary(status, run, at));
	} catch (error) {
		if (error instanceof ModelError)
			await show(deps, scene, (status, at) => withCommentaryError(status, error.code, error.hint, at));
		throw error;
	}
}

async function show(
	{ commentary, clock, log }: CommentateDeps,
	{ room, settings }: RoomScene,
	change: (status: CommentaryStatus, at: number) => CommentaryStatus,
): Promise<void> {
	try {
		const at = clock.now();
		const before = (await commentary.read(room.id)) ?? freshCommentaryStatus(room.id, settings, at);
		await commentary.write(room.id, change({ ...before, name: settings.name, enabled: true }, at));
	} catch (error) {
		log.warn({ room: room.id, error }, 'commentary status not written');
	}
}

function windowOf(scene: RoomScene, decision: TakenDecision['decision']) {
	const { snapshot, settings, now } = scene;
	return chatWindow({
		messages: snapshot.messages,
		now,
		limits: settings.window,
		contextResetAt: snapshot.contextResetAt,
		upToSeq: decision.upTo.messageSeq,
		keepIds: decision.addresses.map(({ messageId }) => messageId),
		ownSource: COMMENTARY_SOURCE,
	});
}

/** The same last gate as everybody's: staleness, firewall, bus. Gives back what was said. */
async function post(
	deps: CommentateDeps,
	before: RoomScene,
	decision: TakenDecision['decision'],
	text: string,
): Promise<string | undefined> {
	const scene = await deps.scenes.read(before.room.id);
	if (scene?.runtime !== 'commentary' || scene.stage === 'observe' || scene.stage === 'off') return undefined;
	const { settings, snapshot } = scene;
	const timing = judgeChat({
		decision,
		now: deps.clock.now(),
		staleAfterMs: settings.decision.staleAfterMs,
		messages: snapshot.messages,
		ownSource: COMMENTARY_SOURCE,
	});
	const direct = decision.addresses.length > 0;
	const filtered =
		timing.kind === 'drop'
			? timing
			: filterChat(text, {
					settings,
					people: snapshot.messages.filter(({ bot }) => !bot).map(({ author }) => author.name),
					// Whoever asks the same thing twice may hear the same answer twice.
					recentBotLines: direct
						? []
						: snapshot.messages.filter(({ source }) => source === COMMENTARY_SOURCE).map((line) => line.text),
					outcomes: [],
					world: scene.world,
					direct,
					wording: honestFact(deps.texts(), settings),
				});
	if (filtered.kind === 'drop' || timing.kind === 'drop') {
		deps.metrics.count('overseer_chat_dropped_total', { reason: filtered.kind === 'drop' ? filtered.reason : 'stale' });
		return undefined;
	}
	await deps.bus.publish({
		id: `${decision.id}-line`,
		room: scene.room.id,
		author: { id: COMMENTARY_SOURCE, name: settings.name },
		bot: true,
		text: filtered.text,
		at: deps.clock.now(),
		...(timing.replyTo === undefined ? {} : { replyTo: { id: timing.replyTo, toBot: false } }),
		mentions: [],
		source: COMMENTARY_SOURCE,
		decisionId: decision.id,
		trace: deps.tracer.context(),
	});
	deps.metrics.count('overseer_chat_total', { kind: direct ? 'direct' : 'unsolicited' });
	return filtered.text;
}
