import { z } from 'zod';
import type { IntakeSettings } from '../../../config/intake.ts';
import { type IntakeEvent, intakeEvent } from '../../../core/intake/event.ts';
import type { IntakeSummary, LoadedSession } from '../../../core/intake/intake-store.ts';
import {
	type ClaimedEffect,
	type IntakeWork,
	isWorkEffect,
	type WorkEffect,
} from '../../../core/intake/intake-work.ts';
import { type IntakeSession, intakeState, readSession } from '../../../core/intake/session.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { eventName } from './event-name.ts';
import { createIntakeKeys } from './intake-keys.ts';
import {
	APPEND,
	CLAIM,
	COMMIT,
	DELETE,
	KEEP,
	OPEN,
	RELEASE,
	SETTLE,
	SKIP,
	sessionKeys,
	TAKE_DUE,
} from './intake-scripts.ts';
import { REMAINS, readRemains, sealEffects, sessionMeta } from './sealed-session.ts';
import type { Sealer } from './sealer.ts';

export interface IntakeStoreDeps {
	readonly redis: RedisConnection;
	readonly stored: Stored;
	readonly sealer: Sealer;
	settings(): IntakeSettings;
	/** When time itself is due as an event; undefined = never. */
	wakeAt(session: IntakeSession): number | undefined;
}

const ONCE_MS = 7 * 86_400_000;
const SEEN_KEPT = 2_000;
/** A worker that died is noticed by its lease; until then its effect is only looked at. */
const LOOK_AGAIN_MS = 5_000;
/** Items that nobody could show do not hold the conversation back for longer than this. */
const UNSHOWN_MS = 86_400_000;

const summarySchema = z.tuple([
	z.string(),
	intakeState,
	z.coerce.number(),
	z.coerce.number(),
	z.coerce.number(),
	z.coerce.number().nullable(),
	z.string().nullable(),
]);

/** Sessions in Redis: each step is one script, and whatever a person said is sealed. */
export function createIntakeStore(deps: IntakeStoreDeps): IntakeWork {
	const { redis, stored, sealer } = deps;
	const keys = createIntakeKeys(redis.prefix);
	const topic = redis.keys.topic('intake-move');
	const { now } = redis;

	function openBody(id: string, sealed: string | null | undefined): IntakeSession | undefined {
		if (!sealed) return undefined;
		try {
			return readSession(JSON.parse(sealer.open(sealed, `${id}|session`)));
		} catch {
			return undefined;
		}
	}

	function read(id: string, [revision, body, good]: readonly (string | null)[]): LoadedSession {
		if (!revision) return { kind: 'missing' };
		const session = openBody(id, body);
		if (session?.revision === Number(revision)) return { kind: 'found', session };
		stored.report(keys.session(id), 'the newest state cannot be read');
		const last = openBody(id, good);
		// Under the revision that is stored, so that it can be written over what is damaged.
		return last ? { kind: 'recovered', session: { ...last, revision: Number(revision) } } : { kind: 'corrupt' };
	}

	const load = async (id: string): Promise<LoadedSession> =>
		read(id, await redis.ask((client) => client.hmget(keys.session(id), 'revision', 'body', 'good')));

	function readEvent(id: string, sealed: string): IntakeEvent | undefined {
		try {
			return intakeEvent.safeParse(JSON.parse(sealer.open(sealed, `${id}|event`))).data;
		} catch {
			return undefined;
		}
	}

	function readEffect(id: string, effectId: string, sealed: string): WorkEffect | undefined {
		try {
			return JSON.parse(sealer.open(sealed, `${id}|effect|${effectId}`)) as WorkEffect;
		} catch {
			stored.report(keys.work(id), 'an effect cannot be read');
			return undefined;
		}
	}

	const sealEvent = (id: string, event: IntakeEvent) => sealer.seal(JSON.stringify(event), `${id}|event`);

	/** Gives '' or the id of the session that is there. */
	async function openWith(session: IntakeSession, onceId: string, event: string, name: string): Promise<string> {
		const { id, place } = session;
		const meta = [...sessionMeta(session), 'revision', `${session.revision}`, 'body', sealBody(session)];
		const found = await redis.run(
			OPEN,
			[...sessionKeys(keys, id, session.requesterId), keys.once(onceId)],
			[
				id,
				JSON.stringify(meta),
				place.kind === 'discord' ? place.threadId : '',
				session.createdAt,
				ONCE_MS,
				event,
				name,
				topic,
			],
		);
		return String(found);
	}

	const deletionAt = ({ state, updatedAt }: IntakeSession): number | '' =>
		state === 'COMPLETE' || state === 'CANCELLED' ? updatedAt + deps.settings().retention.graceMs : '';

	const store: IntakeWork = {
		load,

		async open(session, first, onceId) {
			const there = await openWith(session, onceId, sealEvent(session.id, first), eventName(first));
			return there === '' ? { kind: 'opened', seq: 1 } : { kind: 'exists', sessionId: there };
		},

		async create(session, effects) {
			if ((await openWith(session, `session-${session.id}`, '', '')) !== '') return false;
			return effects.length === 0 || store.save(session, session.revision, effects);
		},

		async append(id, event) {
			const seq = Number(
				await redis.run(APPEND, sessionKeys(keys, id), [
					id,
					sealEvent(id, event),
					eventName(event),
					now(),
					topic,
					SEEN_KEPT,
				]),
			);
			if (seq > 0) return { kind: 'appended', seq };
			return { kind: seq === 0 ? 'duplicate' : 'unknown' };
		},

		isTaken: async (id, seq) =>
			Number((await redis.ask((client) => client.hget(keys.session(id), 'taken'))) ?? 0) >= seq,

		async next(id) {
			const [head, fields] = await redis.ask((client) =>
				Promise.all([
					client.lindex(keys.events(id), 0),
					client.hmget(keys.session(id), 'revision', 'body', 'good', 'wake', ...REMAINS),
				]),
			);
			const loaded = read(id, fields);
			const wakeAt = fields[3] ? Number(fields[3]) : undefined;
			const remains = loaded.kind === 'corrupt' ? readRemains(id, Number(fields[0]), fields.slice(4)) : undefined;
			const [, seq = '', sealed = ''] = /^(\d+) (.*)$/.exec(head ?? '') ?? [];
			if (head === null) return { loaded, entry: undefined, wakeAt, remains };
			const event = readEvent(id, sealed);
			if (!event) stored.report(keys.events(id), 'an event cannot be read');
			return { loaded, entry: { seq: Number(seq), event }, wakeAt, remains };
		},

		async commit({ session, expectedRevision, effects, seq }) {
			const changed = session.revision !== expectedRevision;
			const id = session.id;
			const done = await redis.run(COMMIT, sessionKeys(keys, id), [
				id,
				`${expectedRevision}`,
				`${session.revision}`,
				changed ? sealBody(session) : '',
				JSON.stringify(sessionMeta(session)),
				deps.wakeAt(session) ?? '',
				deletionAt(session),
				seq ?? '',
				JSON.stringify(sealEffects(sealer, session, effects)),
				now(),
				topic,
			]);
			return done === 0 ? 'lost' : done === 2 ? 'more' : 'done';
		},

		save: async (session, expectedRevision, effects) =>
			(await store.commit({ session, expectedRevision, effects })) !== 'lost',

		async skip(id, seq) {
			await redis.run(SKIP, sessionKeys(keys, id), [`${seq}`]);
		},

		async pendingEffects(id) {
			const all = await redis.ask((client) => client.hgetall(keys.work(id)));
			return Object.entries(all).flatMap(([effectId, sealed]) => readEffect(id, effectId, sealed) ?? []);
		},

		async ackEffect(id, effectId) {
			await redis.run(SETTLE, sessionKeys(keys, id), [id, effectId, '', now(), topic]);
		},

		async settleEffect(id, effectId, outcome) {
			await redis.run(SETTLE, sessionKeys(keys, id), [id, effectId, sealEvent(id, outcome), now(), topic]);
		},

		async claimEffect(id, effectId, claim, ms, instead = ''): Promise<ClaimedEffect> {
			const at = now();
			const [by, sealed] = z
				.array(z.string())
				.parse(
					await redis.run(CLAIM, sessionKeys(keys, id), [
						id,
						effectId,
						claim,
						at + ms,
						at,
						instead,
						at + LOOK_AGAIN_MS,
					]),
				);
			if (by === undefined) return { kind: 'gone' };
			if (by !== '') return { kind: 'taken', by };
			const effect = readEffect(id, effectId, sealed ?? '');
			const loaded = effect && isWorkEffect(effect) ? await load(id) : undefined;
			if (!effect || !loaded || !('session' in loaded)) {
				await store.ackEffect(id, effectId);
				return { kind: 'gone' };
			}
			return { kind: 'claimed', effect, session: loaded.session };
		},

		async releaseEffect(id, effectId, ms) {
			await redis.run(RELEASE, sessionKeys(keys, id), [id, effectId, now() + ms]);
		},

		async idleEffects(at, limit, againInMs) {
			const found = z.array(z.string()).parse(await redis.run(TAKE_DUE, [keys.effects], [at, limit, at + againInMs]));
			return found.map((member) => {
				const space = member.indexOf(' ');
				return { sessionId: member.slice(0, space), effectId: member.slice(space + 1) };
			});
		},

		async due(at, limit) {
			return z.array(z.string()).parse(await redis.run(TAKE_DUE, [keys.due], [at, limit, at + LOOK_AGAIN_MS]));
		},

		byThread: async (threadId) => (await redis.ask((client) => client.hget(keys.threads, threadId))) ?? undefined,

		async list({ requesterId, states, limit }) {
			const index = requesterId === undefined ? keys.all : keys.requester(requesterId);
			const found: IntakeSummary[] = [];
			for (let from = 0; found.length < limit; from += 100) {
				const ids = await redis.ask((client) => client.zrevrange(index, from, from + 99));
				const summaries = await Promise.all(ids.map(summary));
				found.push(...summaries.flatMap((item) => (item && (!states || states.includes(item.state)) ? item : [])));
				if (ids.length < 100) break;
			}
			return found.slice(0, limit);
		},

		keep: async (id, until) => (await redis.run(KEEP, sessionKeys(keys, id), [id, until])) === 1,

		async exportAll(id) {
			const loaded = await load(id);
			if (!('session' in loaded)) return undefined;
			const lines = await redis.ask((client) => client.lrange(keys.calls(id), 0, -1));
			const modelCalls = lines.flatMap((line) => {
				try {
					return [JSON.parse(sealer.open(line, `${id}|call`)) as unknown];
				} catch {
					return [];
				}
			});
			return { session: loaded.session, modelCalls, summary: await summary(id), exportedAt: now() };
		},

		async delete(id) {
			const requester = (await redis.ask((client) => client.hget(keys.session(id), 'requester'))) ?? '';
			return (await redis.run(DELETE, sessionKeys(keys, id, requester), [id])) === 1;
		},

		async purge(at) {
			const ids = await redis.ask((client) => client.zrangebyscore(keys.deletion, '-inf', at, 'LIMIT', 0, 500));
			const gone: string[] = [];
			for (const id of ids) {
				const [deleteAt, unshown] = await redis.ask((client) =>
					Promise.all([client.zscore(keys.deletion, id), client.llen(keys.out('discord', id))]),
				);
				if (deleteAt === null || Number(deleteAt) > at) continue;
				if (unshown > 0 && Number(deleteAt) + UNSHOWN_MS > at) continue;
				await store.delete(id);
				gone.push(id);
			}
			return gone;
		},

		onMove: (listener) => redis.topics.listen(topic, listener),
	};

	function sealBody(session: IntakeSession): string {
		return sealer.seal(JSON.stringify(session), `${session.id}|session`);
	}

	async function summary(id: string): Promise<IntakeSummary | undefined> {
		const fields = await redis.ask((client) =>
			client.hmget(keys.session(id), 'requester', 'state', 'round', 'created', 'updated', 'delete', 'thread'),
		);
		const parsed = summarySchema.safeParse(fields);
		if (!parsed.success) return undefined;
		const [requesterId, state, roundCount, createdAt, updatedAt, deleteAt, threadId] = parsed.data;
		return {
			id,
			requesterId,
			state,
			roundCount,
			createdAt,
			updatedAt,
			deleteAt: deleteAt || undefined,
			threadId: threadId || undefined,
		};
	}

	return store;
}
