import type { FeedDraft } from '../../../core/fleet/feed-event.ts';
import { type Question, question as questionSchema } from '../../../core/fleet/question.ts';
import type { QuestionStore } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import { packDrafts } from './feed-store.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { SAVE_QUESTION } from './fleet-scripts.ts';

/** Somebody still has to do something about it: answer it, or bring its answer to the session. */
function isUnsettled({ state, delivery }: Question): boolean {
	return state === 'open' || (state === 'answered' && (delivery === 'pending' || delivery === 'failed'));
}

/** The form in which scripts take a question. */
export function packQuestion(keys: FleetKeys, question: Question): (string | number)[] {
	const { id, revision, openedAt, sessionId } = question;
	return [id, revision, JSON.stringify(question), openedAt, isUnsettled(question) ? 1 : 0, keys.questionsOf(sessionId)];
}

export function createQuestionStore(
	redis: RedisConnection,
	stored: Stored,
	keys: FleetKeys,
	maxEvents: () => number,
	feedTold: () => Promise<void>,
): QuestionStore & { told(questionId: string): Promise<void>; readMany(ids: readonly string[]): Promise<Question[]> } {
	const topic = redis.keys.topic('fleet-question');
	const told = async (questionId: string) => {
		await redis.ask((client) => client.publish(topic, questionId));
	};

	const readMany = async (ids: readonly string[]): Promise<Question[]> => {
		if (ids.length === 0) return [];
		const texts = await redis.ask((client) => client.hmget(keys.questions, ...ids));
		return texts.flatMap((text, index) => {
			const found = stored.parse(questionSchema, text, `${keys.questions} ${ids[index]}`);
			return found ? [found] : [];
		});
	};

	return {
		told,
		readMany,
		read: async (id) => (await readMany([id]))[0],
		async save(question, events: readonly FeedDraft[]) {
			const saved = await redis.run(
				SAVE_QUESTION,
				[keys.questions, keys.revisions, keys.unsettled, keys.asked, keys.feed, keys.feedSeq],
				[maxEvents(), events.length, ...packQuestion(keys, question), ...packDrafts(events)],
			);
			if (saved !== 1) return false;
			await Promise.all([told(question.id), events.length > 0 ? feedTold() : undefined]);
			return true;
		},
		unsettled: async (limit) => readMany(await redis.ask((client) => client.zrange(keys.unsettled, 0, limit - 1))),
		bySession: async (sessionId) =>
			readMany(await redis.ask((client) => client.zrange(keys.questionsOf(sessionId), 0, -1))),
		recent: async (limit) => readMany(await redis.ask((client) => client.zrevrange(keys.asked, 0, limit - 1))),
		onChange: (listener) => redis.topics.listen(topic, listener),
	};
}
