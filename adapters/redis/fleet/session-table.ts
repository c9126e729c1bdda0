import { z } from 'zod';
import { question as questionSchema } from '../../../core/fleet/question.ts';
import { type FleetSession, fleetSession, TAIL_LINES, tailLine } from '../../../core/fleet/session.ts';
import type { CommitResult, SessionAsk, SessionChange, SessionTable, SessionView } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { packDrafts } from './feed-store.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { COMMIT_SESSIONS, LOAD_SESSIONS } from './fleet-scripts.ts';
import { createMessagePack, type MessagePack } from './message-pack.ts';
import { packQuestion } from './question-store.ts';
import { type Aside, createSessionCache } from './session-cache.ts';
import { hasSameRow, pulseText, rowText, sessionPulse } from './stored-session.ts';
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

/** How often a process throws out old report ids of a session that reports; their key outlives them by more than that. */
const SWEEP_EVERY_MS = 3_600_000;

const places = z.array(z.number());
const texts = z.array(z.string());
const loaded = z.tuple([
	texts,
	z.array(z.tuple([z.number(), z.string().nullable(), z.string().nullable(), texts])),
	z.array(z.tuple([z.number(), places])),
	z.array(z.tuple([z.number(), texts])),
]);
const outcomes = z.tuple([texts, places]);
const NONE: ReadonlySet<string> = new Set();

/**
 * Sessions, each a row, a pulse and a tail: an ordinary report adds a line to the tail and replaces the pulse instead of writing
 * all of it again.
 */
export function createSessionTable(deps: SessionTableDeps): SessionTable {
	const { redis, stored, keys, questions, maxEvents, feedTold } = deps;
	const cache = createSessionCache(CACHED_MAX);
	const parse = (id: string, row: string | null | undefined, pulse: string | null | undefined) => {
		const session = stored.parse(fleetSession, row, `${keys.sessions} ${id}`);
		return session && { ...session, ...stored.parse(sessionPulse, pulse, `${keys.pulses} ${id}`) };
	};

	function read(
		id: string,
		version: string,
		row: string | null,
		pulse: string | null,
		lines: readonly string[],
		isQuiet: boolean,
	): FleetSession | undefined {
		const session = parse(id, row, pulse);
		if (session === undefined) {
			cache.forget(id);
			return undefined;
		}
		const tail = lines.flatMap((line) => stored.parse(tailLine, line, keys.tail(id)) ?? []);
		const whole = { ...session, tail };
		const inStore = lines.length < TAIL_LINES ? lines.length : Number.POSITIVE_INFINITY;
		// What could not be read is not taken for what is stored.
		if (tail.length === lines.length) cache.keep(id, { version, session: whole, lines: inStore, sweptAt: 0, isQuiet });
		else cache.forget(id);
		return whole;
	}

	async function loadMany(asks: readonly SessionAsk[]): Promise<SessionView[]> {
		if (asks.length === 0) return [];
		const had = asks.map(({ id }) => cache.last(id));
		const args: (string | number)[] = [asks.length, TAIL_LINES];
		for (const [index, { id, reportIds, questionIds }] of asks.entries()) {
			args.push(id, had[index]?.version ?? 'none', reportIds.length, questionIds.length);
			for (const reportId of reportIds) args.push(reportId);
			for (const questionId of questionIds) args.push(questionId);
		}
		const reply = await redis.run(
			LOAD_SESSIONS,
			[
				...[keys.sessions, keys.versions, keys.questions, keys.unsettled, keys.pulses],
				...asks.map(({ id }) => keys.reports(id)),
				...asks.map(({ id }) => keys.questionsOf(id)),
				...asks.map(({ id }) => keys.tail(id)),
			],
			args,
		);
		const [versions, changed, known, asked] = loaded.parse(reply);
		const changedAt = new Map(changed.map(([at, ...what]) => [at, what]));
		const knownAt = new Map(known);
		const askedAt = new Map(asked);
		return asks.map(({ id, reportIds }, at) => {
			const version = versions[at] as string;
			const anew = changedAt.get(at);
			const isQuiet = !askedAt.has(at);
			const same = cache.at(id, version);
			if (same !== undefined && same.isQuiet !== isQuiet) cache.keep(id, { ...same, isQuiet });
			return {
				session: anew === undefined ? had[at]?.session : read(id, version, ...anew, isQuiet),
				version: Number(version),
				questions: (askedAt.get(at) ?? []).flatMap(
					(text) => stored.parse(questionSchema, text, `${keys.questions} of ${id}`) ?? [],
				),
				known: knownAt.has(at) ? new Set(knownAt.get(at)?.map((place) => reportIds[place] as string)) : NONE,
			};
		});
	}

	function recall({ id, questionIds }: SessionAsk): SessionView | undefined {
		const held = cache.last(id);
		if (held === undefined || !held.isQuiet || questionIds.length > 0) return undefined;
		return { session: held.session, version: Number(held.version), questions: [], known: NONE, isRecalled: true };
	}

	/** Writes a change down as the script takes it; gives what is then known of its session. */
	function pack(change: SessionChange, into: MessagePack): Aside {
		const { session, version, reportIds, isRecalled = false } = change;
		const { id, updatedAt } = session;
		const held = cache.at(id, String(version));
		const tail = tailChange(held && { tail: held.session.tail, stored: held.lines }, session.tail);
		const now = redis.now();
		const sweptAt = held?.sweptAt ?? 0;
		const sweeps = reportIds.length > 0 && Math.abs(now - sweptAt) >= SWEEP_EVERY_MS;
		const texts = (all: readonly (string | number)[]) => {
			into.list(all.length);
			for (const text of all) into.text(String(text));
		};
		into.list(14);
		into.text(id);
		into.text(String(version));
		into.text(session.name.toLowerCase());
		into.text(held !== undefined && hasSameRow(held.session, session) ? '' : rowText(session));
		into.text(pulseText(session));
		into.text(String(updatedAt));
		into.number(tail.stay);
		into.flag(sweeps);
		into.flag(isRecalled);
		into.list(tail.lines.length);
		for (const line of tail.lines) into.text(JSON.stringify(line));
		texts(reportIds);
		texts(change.questions.flatMap((question) => packQuestion(keys, question)));
		texts(change.firedWatchIds ?? []);
		texts(packDrafts(change.events));
		const isQuiet = change.questions.length === 0 && (version === 0 || held?.isQuiet === true);
		return { lines: tail.stored, sweptAt: sweeps ? now : sweptAt, isQuiet };
	}

	/** What was written is what the next one starts from, unless its tail is one that nobody read. */
	function keep({ session, version }: SessionChange, next: string, aside: Aside): void {
		const before = cache.at(session.id, String(version))?.session;
		const isWhole = session.tail.length > 0 || version === 0 || before?.tail.length === 0;
		if (isWhole) cache.keep(session.id, { ...aside, version: next, session });
		else if (before === undefined) cache.forget(session.id);
		else cache.keep(session.id, { ...aside, version: next, session: { ...session, tail: before.tail } });
	}

	async function commitMany(changes: readonly SessionChange[]): Promise<CommitResult[]> {
		if (changes.length === 0) return [];
		const packed = createMessagePack();
		packed.list(changes.length);
		const asides = changes.map((change) => pack(change, packed));
		const shared = [keys.sessions, keys.versions, keys.updated, keys.names, keys.nameOf, keys.questions];
		const reply = await redis.run(
			COMMIT_SESSIONS,
			[
				...shared,
				...[keys.revisions, keys.unsettled, keys.asked, keys.feed, keys.feedSeq, keys.watches, keys.pulses],
				...changes.flatMap(({ session: { id } }) => [keys.reports(id), keys.tail(id), keys.questionsOf(id)]),
			],
			[maxEvents(), REPORTS_KEPT_MS, SWEEP_EVERY_MS * 2, packed.bytes()],
		);
		const [kinds, lasts] = outcomes.parse(reply);
		const results = changes.map((change, at): CommitResult => {
			const kind = kinds[at] ?? 'conflict';
			if (kind !== 'conflict' && kind !== 'name_taken') {
				keep(change, kind, asides[at] as Aside);
				return { kind: 'stored', lastSeq: lasts[at] as number };
			}
			cache.forget(change.session.id);
			return { kind };
		});
		const done = changes.filter((_, at) => results[at]?.kind === 'stored');
		const told = done.flatMap((change) => change.questions.map(({ id }) => questions.told(id)));
		await Promise.all([done.some(({ events }) => events.length > 0) ? feedTold() : undefined, ...told]);
		return results;
	}

	return {
		recall,
		loadMany,
		commitMany,
		load: async (id, reportIds, questionIds) => (await loadMany([{ id, reportIds, questionIds }]))[0] as SessionView,
		commit: async (change) => (await commitMany([change]))[0] as CommitResult,
		async list(limit) {
			const ids = await redis.ask((client) => client.zrevrange(keys.updated, 0, limit - 1));
			if (ids.length === 0) return [];
			const [rows, pulses] = await Promise.all([
				redis.ask((client) => client.hmget(keys.sessions, ...ids)),
				redis.ask((client) => client.hmget(keys.pulses, ...ids)),
			]);
			return rows.flatMap((row, index) => parse(ids[index] ?? '', row, pulses[index]) ?? []);
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
				step
					.hdel(keys.sessions, id)
					.hdel(keys.pulses, id)
					.hdel(keys.versions, id)
					.zrem(keys.updated, id)
					.hdel(keys.nameOf, id);
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
