import type { IntakeSettings } from '../../../config/intake.ts';
import type { Effect } from '../../../core/intake/effect.ts';
import type { IntakeEvent } from '../../../core/intake/event.ts';
import type { Governance } from '../../../core/intake/governance-port.ts';
import type { QuestionSet } from '../../../core/intake/question.ts';
import { freshSession, type IntakeSession, readSession } from '../../../core/intake/session.ts';
import { stepIntake } from '../../../core/intake/step.ts';
import { wakeAt } from '../../../core/intake/wake.ts';
import { type Model, ModelError } from '../../../core/model/model-port.ts';
import { renderIntakeMessages } from '../../../prompts/intake/messages.ts';
import { intakeReplySchema } from '../../../prompts/intake/reply-schema.ts';
import type { PromptTexts } from '../../../prompts/render.ts';
import type { Persona, PersonaAct } from './persona.ts';

export interface PlayDeps {
	readonly texts: PromptTexts;
	readonly settings: IntakeSettings;
	readonly governance: Governance;
	readonly model: Model;
}

export interface PlayedPersona {
	readonly persona: Persona;
	readonly session: IntakeSession;
	/** Codes of errors, outages and refusals on the way, in order. */
	readonly signs: readonly string[];
	/** States in the order in which they were entered. */
	readonly states: readonly string[];
}

const START = Date.UTC(2026, 5, 1, 9);
const ANSWER_AFTER_MS = 40_000;
const MAX_EVENTS = 200;

/** Answers a set from what the persona knows: one sentence for each question that asks for something known. */
export function oracleAnswer(persona: Persona, set: QuestionSet): string {
	const said = set.questions.map(
		({ text }) => persona.slots.find(({ asked }) => asked.test(text))?.says ?? persona.otherwise ?? 'I do not know.',
	);
	return [...new Set(said)].join(' ');
}

/**
 * Plays a persona through the real machine: prompts, reading of replies, facts, articles. After each event the state goes
 * through JSON, as if another process had taken over.
 */
export async function playPersona(persona: Persona, deps: PlayDeps): Promise<PlayedPersona> {
	const { settings } = deps;
	const owner = { id: 'p1', bot: false };
	const place = { kind: 'discord', guildId: 'g1', channelId: 'c1', threadId: 't1' } as const;
	let now = START;
	let session = freshSession(
		{ id: persona.id, place, requesterId: owner.id, language: persona.language, review: true },
		now,
	);
	const signs: string[] = [];
	const states: string[] = [];
	let serial = 0;
	let events = 0;
	const human = () => ({ id: `m${(serial += 1)}`, author: owner });

	async function apply(event: IntakeEvent): Promise<void> {
		if ((events += 1) > MAX_EVENTS) throw new Error(`${persona.id} does not come to an end in ${session.state}`);
		const step = stepIntake(session, event, settings, now);
		const stored = readSession(JSON.parse(JSON.stringify(step.state)));
		if (stored === undefined) throw new Error(`${persona.id}: the state cannot be read back`);
		session = stored;
		for (const effect of step.effects) await carryOut(effect);
	}

	async function carryOut(effect: Effect): Promise<void> {
		if (effect.kind === 'log') states.push(effect.to);
		if (effect.kind === 'error') signs.push(effect.code);
		if (effect.kind === 'unavailable') signs.push(effect.reason);
		if (effect.kind === 'notify_admin') signs.push(effect.code);
		if (effect.kind === 'call_model' && session.call?.id === effect.call.id) await apply(await ask(effect.call));
		if (effect.kind === 'govern')
			await apply({
				kind: 'governance',
				packetId: effect.input.packetId,
				verdict: await deps.governance.evaluate(effect.input, AbortSignal.timeout(30_000)),
			});
		if (effect.kind === 'deliver') await apply({ kind: 'delivered', packetId: effect.packet.id });
	}

	async function ask(call: Extract<Effect, { kind: 'call_model' }>['call']): Promise<IntakeEvent> {
		const { messages } = renderIntakeMessages({ texts: deps.texts, session, settings, call });
		try {
			const reply = await deps.model.complete({
				messages,
				schema: intakeReplySchema(call.purpose),
				maxOutputTokens: settings.model.maxOutputTokens,
				deadlineMs: settings.model.attemptTimeoutMs,
				signal: AbortSignal.timeout(settings.model.attemptTimeoutMs),
				purpose: `intake.${call.purpose}`,
			});
			return { kind: 'model_reply', callId: call.id, text: reply.text, structured: reply.structured };
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
			const reason = error.code === 'timeout' ? 'timeout' : 'model';
			return { kind: 'model_failed', callId: call.id, reason, transient: error.transient };
		}
	}

	async function act(set: QuestionSet, given: PersonaAct | undefined): Promise<void> {
		const wanted = given ?? { say: oracleAnswer(persona, set) };
		if ('press' in wanted) return apply({ kind: wanted.press, ...human() });
		if ('say' in wanted) return apply({ kind: 'message', ...human(), text: wanted.say, whole: true });
		if ('tick' in wanted) {
			const entries = set.questions.map(({ id, options }) => ({
				questionId: id,
				values: options.filter(({ label }) => wanted.tick.test(label)).map(({ value }) => value),
				text: '',
			}));
			return apply({ kind: 'form', ...human(), setId: set.id, entries, text: wanted.text ?? '' });
		}
		for (const text of wanted.messages) {
			now += 1_000;
			await apply({ kind: 'message', ...human(), text, whole: false });
		}
		await wait();
	}

	/** Until the machine next wants to be woken. */
	async function wait(): Promise<void> {
		now = Math.max(now, wakeAt(session, settings) ?? now);
		await apply({ kind: 'tick' });
	}

	await apply({ kind: 'intent', ...human(), text: persona.wish });
	let rounds = 0;
	const edits = persona.edit === undefined ? [] : [persona.edit];
	while (session.state !== 'COMPLETE' && events < MAX_EVENTS) {
		if (session.state === 'QUESTIONING') {
			const set = session.questionSets.at(-1);
			if (set === undefined) throw new Error(`${persona.id}: questions without a set`);
			now += ANSWER_AFTER_MS;
			await act(set, persona.acts?.[(rounds += 1) - 1]);
		} else if (session.state === 'REVIEW') {
			now += ANSWER_AFTER_MS;
			const moment = session.verdict === undefined ? 'review' : 'denied';
			if (edits.length > 0 && edits[0]?.when === moment) await edit(edits.shift() as NonNullable<Persona['edit']>);
			else await apply({ kind: 'lock', ...human() });
		} else await wait();
	}
	return { persona, session, signs, states };

	async function edit({ round, text }: NonNullable<Persona['edit']>): Promise<void> {
		const turn = session.history.find((one) => one.kind === 'answer' && one.round === round);
		if (turn === undefined) throw new Error(`${persona.id}: no answer of round ${round}`);
		await apply({ kind: 'edit_answer', ...human(), turnId: turn.id, text });
	}
}
