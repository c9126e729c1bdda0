import type { IntakeSettings } from '../../config/intake.ts';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { Governance } from '../../core/intake/governance-port.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { IntakeWork, WorkEffect } from '../../core/intake/intake-work.ts';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { WorkerLives } from '../../core/overseer/stores.ts';
import type { Log, Random } from '../../core/ports.ts';
import { outlastStore } from '../outlast-store.ts';
import type { createCallModel } from './call-model.ts';
import type { InboxQueue } from './deliver.ts';

export interface CarryOutDeps {
	work: IntakeWork;
	audit: IntakeAudit;
	governance: Governance;
	inboxQueue: InboxQueue;
	callModel: ReturnType<typeof createCallModel>;
	lives: WorkerLives;
	settings(): IntakeSettings;
	/** Has a worker take up what waits for the session. */
	wake(sessionId: string): Promise<void>;
	random: Random;
	log: Log;
}

/** On top of the model's own time: nobody else begins the same call while this worker lives. */
const CLAIM_GRACE_MS = 90_000;
/** Tries to bring a packet into the inbox before somebody is told; it is tried for ever after that. */
const TELL_AFTER = 3;
const DELIVER_RETRY_MS = 500;
const DELIVER_RETRY_AT_MOST_MS = 60_000;

/**
 * Carries out one effect of a session and puts its outcome into the session's queue. One under which the store fails is begun
 * again as soon as the store answers.
 */
export function createCarryOut(
	deps: CarryOutDeps,
): (sessionId: string, effectId: string, signal: AbortSignal) => Promise<string> {
	const { work, lives, log } = deps;
	/** Failed tries by effect, of this process. */
	const failures = new Map<string, number>();
	/** Claims that this process acts on. Another one under its name was left when the store failed. */
	const inHand = new Set<string>();

	async function isLeft(by: string): Promise<boolean> {
		const [worker = ''] = by.split('/');
		return worker === lives.self ? !inHand.has(by) : lives.isGone(worker);
	}

	async function claim(sessionId: string, effectId: string, name: string) {
		const ms = deps.settings().model.attemptTimeoutMs + CLAIM_GRACE_MS;
		const first = await work.claimEffect(sessionId, effectId, name, ms);
		if (first.kind !== 'taken' || !(await isLeft(first.by))) return first;
		log.warn({ session: sessionId, effect: effectId }, 'it was left by its worker; taken over');
		return work.claimEffect(sessionId, effectId, name, ms, first.by);
	}

	async function deliver(
		session: IntakeSession,
		effect: Extract<WorkEffect, { kind: 'deliver' }>,
	): Promise<IntakeEvent | undefined> {
		const { packet } = effect;
		if (session.packet?.id !== packet.id || session.delivery === undefined || session.delivery === 'done')
			return { kind: 'delivered', packetId: packet.id };
		try {
			await deps.inboxQueue.put(packet);
			failures.delete(effect.id);
			return { kind: 'delivered', packetId: packet.id };
		} catch (error) {
			const count = (failures.get(effect.id) ?? 0) + 1;
			if (failures.size > 1_000) failures.clear();
			failures.set(effect.id, count);
			log.error(
				{ session: session.id, packet: packet.id, count, error },
				'the packet is not in the inbox; tried again',
			);
			if (count >= TELL_AFTER) {
				await work.append(session.id, { kind: 'undeliverable', packetId: packet.id });
				await deps.wake(session.id);
			}
			await work.releaseEffect(
				session.id,
				effect.id,
				Math.min(DELIVER_RETRY_MS * 2 ** (count - 1), DELIVER_RETRY_AT_MOST_MS),
			);
			return undefined;
		}
	}

	async function outcomeOf(
		session: IntakeSession,
		effect: WorkEffect,
		signal: AbortSignal,
	): Promise<IntakeEvent | 'forget' | undefined> {
		switch (effect.kind) {
			case 'call_model': {
				if (session.call?.id !== effect.call.id) return 'forget';
				const reply = await deps.callModel(session, effect, signal);
				if (!reply) await work.releaseEffect(session.id, effect.id, 0);
				return reply;
			}
			case 'govern': {
				if (session.packet?.id !== effect.input.packetId || session.verdict !== undefined) return 'forget';
				const verdict = await deps.governance.evaluate(effect.input, signal);
				if (!signal.aborted) return { kind: 'governance', packetId: effect.input.packetId, verdict };
				await work.releaseEffect(session.id, effect.id, 0);
				return undefined;
			}
			case 'deliver':
				return deliver(session, effect);
			case 'audit':
				await deps.audit.append({ id: effect.id, sessionId: session.id, entry: effect.entry });
				return 'forget';
		}
	}

	async function carryOut(sessionId: string, effectId: string, name: string, signal: AbortSignal): Promise<string> {
		const claimed = await claim(sessionId, effectId, name);
		if (claimed.kind !== 'claimed') return claimed.kind;
		const { effect, session } = claimed;
		const outcome = await outcomeOf(session, effect, signal);
		if (outcome === undefined) return 'later';
		if (outcome === 'forget') {
			await work.ackEffect(sessionId, effectId);
			return 'not needed any more';
		}
		// Without it the model would be asked again.
		await outlastStore(() => work.settleEffect(sessionId, effectId, outcome), signal);
		await deps
			.wake(sessionId)
			.catch((error) => log.warn({ session: sessionId, error }, 'not queued; found again later'));
		return effect.kind;
	}

	return (sessionId, effectId, signal) =>
		outlastStore(async () => {
			const name = `${lives.self}/${deps.random.id()}`;
			inHand.add(name);
			try {
				return await carryOut(sessionId, effectId, name, signal);
			} finally {
				inHand.delete(name);
			}
		}, signal);
}
