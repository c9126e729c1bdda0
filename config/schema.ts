import { z } from 'zod';
import { discordSettings } from './discord.ts';
import { modelSettings } from './model.ts';
import { overseerSettings } from './overseer.ts';
import { milliseconds, serviceUrl, slug } from './primitives.ts';
import { roomSettings } from './rooms.ts';

const homeSettings = z.strictObject({
	url: serviceUrl.default('http://127.0.0.1:8123'),
	callDeadlineMs: milliseconds.min(500).default(10_000),
	pingEveryMs: milliseconds.min(1_000).default(20_000),
});

const httpSettings = z.strictObject({
	host: z.string().min(1).default('127.0.0.1'),
	port: z.int().min(0).max(65_535).default(8750),
	/** Queue board without buttons that change anything. */
	queuesReadOnly: z.boolean().default(true),
});

const redisSettings = z.strictObject({
	/** First part of every key. */
	prefix: slug.default('mj'),
	/** Waiting longer than this for Redis is an error that the caller sees. */
	commandTimeoutMs: milliseconds.min(100).default(3_000),
	/** Start although Redis may evict keys. Only for trying things out. */
	allowEviction: z.boolean().default(false),
});

/** The whole configuration file. Secrets are not in it: they come from the environment only. */
export const settingsSchema = z
	.strictObject({
		discord: discordSettings.prefault({}),
		rooms: z.array(roomSettings).max(1_000).default([]),
		overseer: overseerSettings.prefault({}),
		model: modelSettings.prefault({}),
		home: homeSettings.prefault({}),
		http: httpSettings.prefault({}),
		redis: redisSettings.prefault({}),
		promptsDir: z.string().optional(),
	})
	.superRefine((settings, context) => {
		for (const field of ['id', 'channelId'] as const) {
			const seen = new Map<string, number>();
			settings.rooms.forEach((room, index) => {
				const first = seen.get(room[field]);
				if (first !== undefined)
					context.addIssue({ code: 'custom', path: ['rooms', index, field], message: `same as rooms.${first}.${field}` });
				else seen.set(room[field], index);
			});
		}
	});

export type Settings = z.infer<typeof settingsSchema>;
export type HomeSettings = z.infer<typeof homeSettings>;
export type HttpSettings = z.infer<typeof httpSettings>;
export type RedisSettings = z.infer<typeof redisSettings>;
