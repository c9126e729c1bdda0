import { z } from 'zod';
import type { ProcessReload, ReloadOutcome } from '../../../core/operations/house-reload.ts';
import type { RedisConnection } from '../connection.ts';

const outcome = z.object({
	process: z.string(),
	changed: z.array(z.string()),
	restartNeeded: z.array(z.string()),
	settingsKept: z.string().optional(),
	promptsKept: z.string().optional(),
});
const call = z.object({ id: z.string(), from: z.string() });
const answer = z.object({ id: z.string(), from: z.string(), outcome });

/** Asks every other process of the house to read its settings again. A word that gets lost is simply not answered. */
export interface ReloadCalls {
	/** What the others answered, as many as are there, within the deadline. Rejects with `RedisUnavailable`. */
	call(): Promise<readonly ProcessReload[]>;
	stop(): Promise<void>;
}

export interface ReloadCallDeps {
	/** Of this process, unlike any other's. */
	readonly self: string;
	/** For people. */
	readonly name: string;
	readonly newId: () => string;
	/** Does it here, because another process asked. Must not throw. */
	readonly reload: () => ReloadOutcome;
	/** Longest wait for the others; three seconds when absent. */
	readonly deadlineMs?: number;
}

const DEADLINE_MS = 3_000;

export function createReloadCalls(redis: RedisConnection, deps: ReloadCallDeps): ReloadCalls {
	const { self } = deps;
	const calls = redis.keys.topic('reload');
	const answers = redis.keys.topic('reload-answers');
	const waiting = new Map<string, (answered: ProcessReload) => void>();

	const publish = (topic: string, word: object) => redis.ask((client) => client.publish(topic, JSON.stringify(word)));

	const hear = (text: string) => {
		const asked = read(call, text);
		if (asked === undefined || asked.from === self) return;
		const done = { process: deps.name, ...deps.reload() };
		publish(answers, { id: asked.id, from: self, outcome: done }).catch((error: unknown) =>
			redis.log.warn({ error: String(error) }, 'whoever asked to read settings again gets no answer'),
		);
	};
	const unhear = [
		redis.topics.listen(calls, hear),
		redis.topics.listen(answers, (text) => {
			const given = read(answer, text);
			if (given !== undefined) waiting.get(given.id)?.(given.outcome);
		}),
	];

	return {
		async call() {
			const id = deps.newId();
			const found: ProcessReload[] = [];
			let expected = Number.POSITIVE_INFINITY;
			let end = () => {};
			const ended = new Promise<void>((resolve) => {
				end = resolve;
			});
			waiting.set(id, (answered) => {
				found.push(answered);
				if (found.length >= expected) end();
			});
			const timer = setTimeout(end, deps.deadlineMs ?? DEADLINE_MS);
			try {
				// Everybody who hears it, this process too.
				expected = (await publish(calls, { id, from: self })) - 1;
				if (found.length < expected) await ended;
				return found;
			} finally {
				clearTimeout(timer);
				waiting.delete(id);
			}
		},
		async stop() {
			await Promise.all(unhear.map((remove) => remove()));
		},
	};
}

function read<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
