import { z } from 'zod';
import { question as questionSchema } from '../../../core/fleet/question.ts';
import { type FleetSession, fleetSession, tailLine } from '../../../core/fleet/session.ts';
import type { CommitResult, SessionAsk, SessionChange, SessionTable, SessionView } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { packDrafts } from './feed-store.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { COMMIT_SESSIONS, LOAD_SESSIONS } from './fleet-scripts.ts';
import { packTexts } from './packed.ts';
import { packQuestion } from './question-store.ts';
import { createSessionCache } from './session-cache.ts';
import { tailChange } from './tail-change.ts';

/** How long the id of a report is known, so that one that comes again changes nothing. */
const REPORTS_KEPT_MS = 2 * 86_400_000;
const CACHED_MAX = 1_000;

export interface SessionTableDeps {
	readonly redis: RedisConnection;
	readonly stored: Stored;
	readonly keys: FleetKeys;
	readonly questions: { told(questionId: string): Promise<void> };
	readonly maxEvents: () => number;
	readonly feedTold: () => Promise<void>;
}

const texts = z.array(z.string());
const loaded = z.array(z.tuple([z.string(), z.string().nullable(), texts, z.array(z.number()), texts]));
const outcomes = z.array(z.tuple([z.enum(['stored', 'conflict', 'name_taken']), z.string(), z.number()]));

/**
 * Sessions, each one JSON text beside its tail, which is a list: an ordinary report adds a line to it instead of writing all of
 * it again.
 */
export function createSessionTable(deps: SessionTableDeps): SessionTable {
	const { redis, stored, keys, questions, maxEvents, feedTold } = deps;
	const cache = createSessionCache(CACHED_MAX);
	const parse = (id: string, text: string | null | undefined) =>
		stored.parse(fleetSession, text, `${keys.sessions} ${id}`);

	function read(id: string, version: string, json: string | null, lines: readonly string[]): FleetSession | undefined {
		const session = parse(id, json);
		if (session === undefined) {
			cache.forget(id);
			return undefined;
		}
		const tail = lines.flatMap((line) => stored.parse(tailLine, line, keys.tail(id)) ?? []);
		const whole = { ...session, tail };
		// What could not be read is not taken for what is stored.
		if (tail.length === lines.length) cache.keep(id, version, whole);
		else cache.forget(id);
		return whole;
	}

	async function loadMany(asks: readonly SessionAsk[]): Promise<SessionView[]> {
		if (asks.length === 0) return [];
		const had = asks.map(({ id }) => cache.last(id));
		const reply = await redis.run(
			LOAD_SESSIONS,
			[
				...[keys.sessions, keys.versions, keys.questions, keys.unsettled],
				...asks.flatMap(({ id }) => [keys.reports(id), keys.questionsOf(id), keys.tail(id)]),
			],
			asks.flatMap(({ id, reportIds, questionIds }, index) => [
				...[id, had[index]?.version ?? 'none', reportIds.length, questionIds.length],
				...reportIds,
				...questionIds,
			]),
		);
		return loaded.parse(reply).map(([version, json, tail, known, asked], index) => {
			const { id, reportIds } = asks[index] as SessionAsk;
			return {
				session: had[index]?.version === version ? had[index].session : read(id, version, json, tail),
				version: Number(version),
				questions: asked.flatMap((text) => stored.parse(questionSchema, text, `${keys.questions} of ${id}`) ?? []),
				known: new Set(known.map((at) => reportIds[at] as string)),
			};
		});
	}

	function pack(change: SessionChange): (string | number)[] {
		const { session, version, reportIds, events } = change;
		const { stay, lines } = tailChange(cache.at(session.id, String(version))?.tail, session.tail);
		const fired = change.firedWatchIds ?? [];
		return [
			...[session.id, version, session.name.toLowerCase(), JSON.stringify({ ...session, tail: [] })],
			...[
				session.updatedAt,
				stay,
				lines.length,
				reportIds.length,
				change.questions.length,
				fired.length,
				events.length,
			],
			...lines.map((line) => JSON.stringify(line)),
			...reportIds,
			...change.questions.flatMap((question) => packQuestion(keys, question)),
			...fired,
			...packDrafts(events),
		];
	}

	/** What was written is what the next one starts from, unless its tail is one that nobody read. */
	function keep({ session, version }: SessionChange, next: string): void {
		const before = cache.at(session.id, String(version));
		const isWhole = session.tail.length > 0 || version === 0 || before?.tail.length === 0;
		if (isWhole) cache.keep(session.id, next, session);
		else if (before === undefined) cache.forget(session.id);
		else cache.keep(session.id, next, { ...session, tail: before.tail });
	}

	async function commitMany(changes: readonly SessionChange[]): Promise<CommitResult[]> {
		if (changes.length === 0) return [];
		const shared = [keys.sessions, keys.versions, keys.updated, keys.names, keys.nameOf, keys.questions];
		const reply = await redis.run(
			COMMIT_SESSIONS,
			[
				...shared,
				...[keys.revisions, keys.unsettled, keys.asked, keys.feed, keys.feedSeq, keys.watches],
				...changes.flatMap(({ session }) => [keys.reports(session.id), keys.tail(session.id)]),
			],
			[maxEvents(), REPORTS_KEPT_MS, ...packTexts(changes.flatMap(pack))],
		);
		const results = outcomes.parse(reply);
		const done = changes.filter((_, index) => results[index]?.[0] === 'stored');
		for (const [index, change] of changes.entries()) {
			const [kind, version] = results[index] ?? ['conflict', ''];
			if (kind === 'stored') keep(change, version);
			else cache.forget(change.session.id);
		}
		await Promise.all([
			done.some(({ events }) => events.length > 0) ? feedTold() : undefined,
			...done.flatMap((change) => change.questions.map(({ id }) => questions.told(id))),
		]);
		return results.map(([kind, , lastSeq]) => (kind === 'stored' ? { kind, lastSeq } : { kind }));
	}

	return {
		loadMany,
		commitMany,
		load: async (id, reportIds, questionIds) => (await loadMany([{ id, reportIds, questionIds }]))[0] as SessionView,
		commit: async (change) => (await commitMany([change]))[0] as CommitResult,
		async list(limit) {
			const ids = await redis.ask((client) => client.zrevrange(keys.updated, 0, limit - 1));
			if (ids.length === 0) return [];
			const found = await redis.ask((client) => client.hmget(keys.sessions, ...ids));
			return found.flatMap((text, index) => parse(ids[index] ?? '', text) ?? []);
		},
		async names() {
			const byId = await redis.ask((client) => client.hgetall(keys.nameOf));
			return new Map(Object.entries(byId));
		},
		async remove(id) {
			const [name, questionIds] = await Promise.all([
				redis.ask((client) => client.hget(keys.nameOf, id)),
				redis.ask((client) => client.zrange(keys.questionsOf(id), 0, -1)),
			]);
			await redis.ask(async (client) => {
				const step = client.multi();
				step.hdel(keys.sessions, id).hdel(keys.versions, id).zrem(keys.updated, id).hdel(keys.nameOf, id);
				if (name !== null) step.hdel(keys.names, name);
				if (questionIds.length > 0) {
					step.hdel(keys.questions, ...questionIds).hdel(keys.revisions, ...questionIds);
					step.zrem(keys.unsettled, ...questionIds).zrem(keys.asked, ...questionIds);
				}
				step.del(keys.questionsOf(id), keys.reports(id), keys.tail(id), keys.inbox(id), keys.inboxIds(id));
				step.hdel(keys.inboxSeq, id);
				await step.exec();
			});
			cache.forget(id);
		},
	};
}
