import { z } from 'zod';
import { fleetSession } from '../../../core/fleet/session.ts';
import type { CommitResult, QuestionStore, SessionTable } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { packDrafts } from './feed-store.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { COMMIT_SESSION } from './fleet-scripts.ts';
import { packQuestion } from './question-store.ts';

/** How long the id of a report is known, so that one that comes again changes nothing. */
const REPORTS_KEPT_MS = 2 * 86_400_000;

export interface SessionTableDeps {
	readonly redis: RedisConnection;
	readonly stored: Stored;
	readonly keys: FleetKeys;
	readonly questions: QuestionStore & { told(questionId: string): Promise<void> };
	readonly maxEvents: () => number;
	readonly feedTold: () => Promise<void>;
}

export function createSessionTable({
	redis,
	stored,
	keys,
	questions,
	maxEvents,
	feedTold,
}: SessionTableDeps): SessionTable {
	const parse = (id: string, text: string | null | undefined) =>
		stored.parse(fleetSession, text, `${keys.sessions} ${id}`);

	return {
		async load(id, reportIds, questionIds) {
			const [text, version, scores, own] = await Promise.all([
				redis.ask((client) => client.hget(keys.sessions, id)),
				redis.ask((client) => client.hget(keys.versions, id)),
				reportIds.length === 0
					? []
					: redis.ask((client) => client.zmscore(keys.reports(id), ...reportIds) as Promise<(string | null)[]>),
				questions.bySession(id),
			]);
			const asked = new Set(questionIds);
			return {
				session: parse(id, text),
				version: Number(version ?? 0),
				questions: own.filter(
					(question) =>
						asked.has(question.id) ||
						question.state === 'open' ||
						question.delivery === 'pending' ||
						question.delivery === 'failed',
				),
				known: new Set(reportIds.filter((_, index) => scores[index] !== null && scores[index] !== undefined)),
			};
		},
		async commit(change): Promise<CommitResult> {
			const { session } = change;
			const packed = JSON.stringify({
				id: session.id,
				version: change.version,
				name: session.name.toLowerCase(),
				json: JSON.stringify(session),
				updatedAt: session.updatedAt,
				reportIds: change.reportIds,
				questions: change.questions.map((question) => packQuestion(keys, question)),
				events: packDrafts(change.events),
				fired: change.firedWatchIds ?? [],
			});
			const reply = await redis.run(
				COMMIT_SESSION,
				[
					keys.sessions,
					keys.versions,
					keys.updated,
					keys.names,
					keys.nameOf,
					keys.reports(session.id),
					keys.questions,
					keys.revisions,
					keys.unsettled,
					keys.asked,
					keys.feed,
					keys.feedSeq,
					keys.watches,
				],
				[packed, maxEvents(), REPORTS_KEPT_MS],
			);
			const [kind, lastSeq] = z
				.tuple([z.enum(['stored', 'conflict', 'name_taken'])])
				.rest(z.number())
				.parse(reply);
			if (kind !== 'stored') return { kind };
			await Promise.all([
				change.events.length > 0 ? feedTold() : undefined,
				...change.questions.map(({ id }) => questions.told(id)),
			]);
			return { kind, lastSeq: lastSeq ?? 0 };
		},
		async list(limit) {
			const ids = await redis.ask((client) => client.zrevrange(keys.updated, 0, limit - 1));
			if (ids.length === 0) return [];
			const texts = await redis.ask((client) => client.hmget(keys.sessions, ...ids));
			return texts.flatMap((text, index) => parse(ids[index] ?? '', text) ?? []);
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
				step.del(keys.questionsOf(id), keys.reports(id), keys.inbox(id), keys.inboxIds(id));
				step.hdel(keys.inboxSeq, id);
				await step.exec();
			});
		},
	};
}
