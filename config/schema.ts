import { z } from 'zod';
import { discordSettings } from './discord.ts';
import { fleetSettings } from './fleet.ts';
import { intakeSettings } from './intake.ts';
import { houseLanguage } from './language.ts';
import { limitSettings } from './limits.ts';
import { modelSettings } from './model.ts';
import { overseerSettings } from './overseer.ts';
import { milliseconds, slug } from './primitives.ts';
import { roomSettings } from './rooms.ts';
import { serviceUrl } from './service-url.ts';

const homeSettings = z.strictObject({
	url: serviceUrl.default('http://127.0.0.1:8123').describe('Where Home Assistant listens.'),
	callDeadlineMs: milliseconds.min(500).default(10_000).describe('Longest wait for the answer to a command.'),
	pingEveryMs: milliseconds.min(1_000).default(20_000).describe('How often the connection is tried.'),
});

const httpSettings = z.strictObject({
	host: z
		.string()
		.min(1)
		.default('127.0.0.1')
		.describe('Address to listen on. Anything but loopback needs ADMIN_PASSWORD.'),
	port: z.int().min(0).max(65_535).default(8750).describe('Port; 0 = any free one.'),
	queuesReadOnly: z.boolean().default(true).describe('The queue board without buttons that change anything.'),
});

const redisSettings = z.strictObject({
	prefix: slug.default('mj').describe('First part of every key. Two bots on one Redis need two.'),
	commandTimeoutMs: milliseconds
		.min(100)
		.default(3_000)
		.describe('Waiting longer than this for Redis is an error that the caller sees.'),
	allowEviction: z
		.boolean()
		.default(false)
		.describe('Start although Redis may evict keys, which loses work silently. Only for trying things out.'),
});

/** The whole configuration file. Secrets are not in it: they come from the environment only. */
export const settingsSchema = z
	.strictObject({
		discord: discordSettings.prefault({}).describe('The bot on Discord. Its token comes from DISCORD_TOKEN.'),
		rooms: z.array(roomSettings).max(1_000).default([]).describe('Rooms that the overseer keeps.'),
		overseer: overseerSettings.prefault({}).describe('The agent that keeps the rooms.'),
		intake: intakeSettings.prefault({}).describe('The agent that turns a wish into a specification.'),
		fleet: fleetSettings.prefault({}).describe('The concierge of coding-agent sessions.'),
		model: modelSettings.prefault({}).describe('The language model.'),
		limits: limitSettings.prefault({}).describe('How much may be asked of models, per person, channel and day.'),
		home: homeSettings.prefault({}).describe('Home Assistant. Its token comes from HOME_ASSISTANT_TOKEN.'),
		http: httpSettings.prefault({}).describe('Health, metrics, the queue board and the admin page.'),
		redis: redisSettings.prefault({}).describe('The store. Its address comes from REDIS_URL, or one is found.'),
		language: houseLanguage
			.optional()
			.describe(
				'Language of posts that nobody asked for, such as cards, reminders and status lines: `en` or `de`. Absent: what the Discord server names as its own. Answers to a command are in the language of whoever gave it.',
			)
			.meta({ examples: ['en'] }),
		promptsDir: z
			.string()
			.optional()
			.describe('Folder whose prompt files replace the built-in ones, file by file.')
			.meta({ examples: ['config/prompts'] }),
	})
	.superRefine(
		(settings, context) => {
			// Runs on half-valid settings too, so that a doubled id is listed together with everything else.
			const rooms: unknown = settings?.rooms;
			if (!Array.isArray(rooms)) return;
			for (const field of ['id', 'channelId'] as const) {
				const seen = new Map<unknown, number>();
				rooms.forEach((room: Readonly<Record<string, unknown>> | null, index) => {
					const value = room?.[field];
					if (value === undefined) return;
					const first = seen.get(value);
					if (first !== undefined)
						context.addIssue({
							code: 'custom',
							path: ['rooms', index, field],
							message: `another one: rooms.${first}.${field} is the same`,
						});
					else seen.set(value, index);
				});
			}
		},
		{ when: () => true },
	);

export type Settings = z.infer<typeof settingsSchema>;
export type HttpSettings = z.infer<typeof httpSettings>;
