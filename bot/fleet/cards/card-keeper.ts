import type { Need } from '../../../core/fleet/needs.ts';
import type { CardRecord } from '../../../core/fleet/records.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { mentionsFor } from '../../../core/fleet/trust.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { EditDropped } from '../../edit-pace.ts';
import { createLanes } from '../../lanes.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetPlace } from '../fleet-place.ts';
import type { FleetScene } from '../fleet-scene.ts';
import { type CardSubject, type CardTop, cardFace, isSameFailure, isStaleCard } from './card-face.ts';
import { type CardWritten, createCardWriter } from './card-writer.ts';

export interface CardKeeperDeps extends FleetDeps {
	readonly place: FleetPlace;
}

/** How a press on "Dismiss" went. */
export type Dismissed = { readonly kind: 'dismissed' | 'late' | 'unknown'; readonly record: CardRecord | undefined };

export type DoubtedMessages = 'all' | ReadonlySet<string>;

/** Keeps the cards of needs as the stores say: posted once, edited in place, posted anew when lost and still open. */
export interface CardKeeper {
	/** Posts the card of a need unless it has one, or its session is muted. */
	post(need: Need, headline?: string): Promise<CardWritten>;
	/** Every card that changed is brought up to date as soon as its channel may be edited. */
	bringAllUp(scene: FleetScene): void;
	/** Something about this need changed: its card is brought up to date soon. */
	touch(needId: string): void;
	dismiss(needId: string, who: string): Promise<Dismissed>;
	/** Looks whether the messages of open cards are still there. Never rejects. */
	verify(scene: FleetScene, messageIds: DoubtedMessages): Promise<void>;
	stop(): Promise<void>;
}

/** After a failure, and after one that will not go away by itself. */
const TROUBLE_MS = 2_000;
const REFUSED_MS = 60_000;

const failure = (record: CardRecord, session: FleetSession, settled: CardRecord['settled']): CardSubject => ({
	kind: 'failed',
	session,
	reason: record.reason ?? session.runReason,
	settled,
});

export function createCardKeeper(deps: CardKeeperDeps): CardKeeper {
	const { ports, place, clock, log, settings } = deps;
	const writer = createCardWriter(deps);
	const lanes = createLanes();
	/** Cards that say all they will ever say. */
	const finals = new Set<string>();
	/** Cards that could not be written, and until when they are left alone, epoch ms. */
	const restUntil = new Map<string, number>();
	let isStopped = false;

	const topOf = (record: CardRecord, session: CardSubject['session']): CardTop => ({
		mentions: record.mentioned ? mentionsFor(session, settings().fleet) : [],
		headline: record.headline,
	});
	const faceOf = (record: CardRecord, subject: CardSubject) =>
		cardFace(record.id, subject, topOf(record, subject.session), place.words());

	/** As the stores have it now. */
	const readSubject = async (record: CardRecord): Promise<CardSubject | undefined> => {
		const { session } = await ports.sessions.load(record.sessionId, [], []);
		if (record.kind === 'failed') {
			return session && failure(record, session, settledNow(record, session));
		}
		const question = await ports.questions.read(record.id);
		return question && { kind: 'question', question, session };
	};

	const settledNow = (record: CardRecord, session: NonNullable<CardSubject['session']>): CardRecord['settled'] =>
		record.settled ?? (isSameFailure(record.id, session) ? undefined : { how: 'over', at: clock.now() });

	/** Runs in the card's lane. False: Discord did not have to be asked. */
	const bringUp = async (id: string): Promise<boolean> => {
		const record = await ports.places.card(id);
		if (record === undefined || isStopped) return false;
		const subject = await readSubject(record);
		if (subject === undefined) {
			finals.add(id);
			await writer.strip(record);
			return true;
		}
		const face = faceOf(record, subject);
		if (!isStaleCard(record, face)) {
			if (face.isFinal) finals.add(id);
			return false;
		}
		const settled = subject.kind === 'failed' ? subject.settled : undefined;
		return (await writer.edit(settled === undefined ? record : { ...record, settled }, face)) === 'written';
	};

	/** A card waits for its turn outside of its lane, where people's presses are served. */
	const bringUpInTurn = ({ id, channelId }: Pick<CardRecord, 'id' | 'channelId'>) =>
		deps.edits
			.edit(channelId, `card ${id}`, () => lanes.run(id, () => bringUp(id)))
			.catch((error: unknown) => fail(id, error));

	const fail = (needId: string, error: unknown) => {
		if (error instanceof EditDropped) return;
		log.warn({ error, needId }, 'a card could not be brought up to date; tried again');
		if (restUntil.size > 1_000) restUntil.clear();
		restUntil.set(needId, clock.now() + (toDiscordFailure(error).isPermanent ? REFUSED_MS : TROUBLE_MS));
	};

	/** Whether what is known already says that the card must be looked at. */
	const isBehind = (record: CardRecord, scene: FleetScene): boolean => {
		if (finals.has(record.id) || clock.now() < (restUntil.get(record.id) ?? 0)) return false;
		const session = scene.sessions.get(record.sessionId);
		if (record.kind === 'question') {
			const question = scene.questions.get(record.id);
			return question === undefined || isStaleCard(record, faceOf(record, { kind: 'question', question, session }));
		}
		if (session === undefined) return true;
		return isStaleCard(record, faceOf(record, failure(record, session, settledNow(record, session))));
	};

	return {
		post: (need, headline) =>
			lanes.run(need.id, async () => {
				const { id, kind, session, question, since } = need;
				if (isStopped) return 'closed';
				if (session.muted === true || (await ports.places.card(id)) !== undefined) return 'written';
				const top = { mentions: mentionsFor(session, settings().fleet), headline };
				const reason = session.runReason;
				const card = { id, kind, sessionId: session.id };
				if (question !== undefined) {
					const face = cardFace(id, { kind: 'question', question, session }, top, place.words());
					return writer.post(card, face, { ...top, since });
				}
				const face = cardFace(id, { kind: 'failed', session, reason, settled: undefined }, top, place.words());
				return writer.post({ ...card, ...(reason === undefined ? {} : { reason }) }, face, { ...top, since });
			}),
		bringAllUp(scene) {
			for (const record of scene.cards) if (isBehind(record, scene)) void bringUpInTurn(record);
		},
		touch(needId) {
			if (isStopped) return;
			finals.delete(needId);
			const find = () => lanes.run(needId, () => ports.places.card(needId));
			const look = async () => {
				const record = await find();
				if (record !== undefined) await bringUpInTurn(record);
			};
			look().catch((error: unknown) => fail(needId, error));
		},
		dismiss: (needId, who) =>
			lanes.run(needId, async () => {
				const record = await ports.places.card(needId);
				if (record === undefined) return { kind: 'unknown', record };
				if (record.settled !== undefined) return { kind: 'late', record };
				const settled = { how: 'dismissed' as const, at: clock.now(), who };
				await ports.places.writeCard({ ...record, settled });
				return { kind: 'dismissed', record: { ...record, settled } };
			}),
		async verify(scene, messageIds) {
			for (const record of scene.cards) {
				if (messageIds !== 'all' && !messageIds.has(record.messageId)) continue;
				const session = scene.sessions.get(record.sessionId);
				const question = scene.questions.get(record.id);
				const open = scene.needs.some(({ id }) => id === record.id) && record.settled === undefined;
				if (!open || session === undefined || isStopped) continue;
				const subject: CardSubject =
					question === undefined ? failure(record, session, undefined) : { kind: 'question', question, session };
				await lanes
					.run(record.id, () => writer.verify(record, faceOf(record, subject)))
					.catch((error: unknown) => fail(record.id, error));
			}
		},
		async stop() {
			isStopped = true;
			await lanes.drain();
		},
	};
}
