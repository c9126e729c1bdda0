import { z } from 'zod';
import { milliseconds, slug, snowflake } from './primitives.ts';

const webhookUrl = z.string().refine(
	(text) => {
		if (!URL.canParse(text)) return false;
		const url = new URL(text);
		return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
	},
	{ error: 'an http or https address without user name, password and #' },
);

const sinkName = slug.refine((name) => name !== 'analyst', 'another name: analyst is the built-in one');

const webhook = z.strictObject({
	name: sinkName.describe('Name of this place, also in PACKET_KEYS.').meta({ examples: ['analyst-desk'] }),
	url: webhookUrl
		.describe('Where the signed packet is posted. Redirects are not followed.')
		.meta({ examples: ['https://analyst.example.com/packets'] }),
	allowPrivate: z
		.boolean()
		.default(false)
		.describe('Whether it may be an address of this machine or a private network.'),
	timeoutMs: milliseconds.min(500).max(60_000).default(10_000).describe('Longest time for one try.'),
	attempts: z.int().min(1).max(50).default(10).describe('Tries, with growing pauses, before it is set aside.'),
	backoffMs: milliseconds.min(10).default(2_000).describe('First pause between two tries; doubled each time.'),
});

const folder = z.strictObject({
	name: sinkName.describe('Name of this place.').meta({ examples: ['disk'] }),
	path: z
		.string()
		.min(1)
		.describe('Folder to write requirements.md, handoff.json and facts.pl to; a sub-folder for each packet.')
		.meta({ examples: ['handoffs'] }),
});

const channel = z.strictObject({
	name: sinkName.describe('Name of this place.').meta({ examples: ['specifications'] }),
	channelId: snowflake.describe('Channel to post to.'),
});

export const inboxSettings = z
	.strictObject({
		analyst: z
			.boolean()
			.default(true)
			.describe('Whether the built-in business analyst acknowledges each packet and says what is clear and missing.'),
		webhooks: z.array(webhook).max(20).default([]).describe('Addresses that finished intakes are posted to.'),
		folders: z.array(folder).max(20).default([]).describe('Folders that finished intakes are written to.'),
		channels: z.array(channel).max(20).default([]).describe('Discord channels that finished intakes are posted to.'),
	})
	.refine(({ webhooks, folders, channels }) => {
		const names = [...webhooks, ...folders, ...channels].map(({ name }) => name);
		return new Set(names).size === names.length;
	}, 'each name once over webhooks, folders and channels');
export type InboxSettings = z.infer<typeof inboxSettings>;

export const cxpSettings = z.strictObject({
	enabled: z.boolean().default(true).describe('Whether /cxp is served. Without CXP_CALLERS nobody may use it.'),
	requireSignature: z.boolean().default(true).describe('Whether packets have to be signed with a key of PACKET_KEYS.'),
	replayWindowMs: milliseconds
		.min(10_000)
		.max(3_600_000)
		.default(300_000)
		.describe('How far the time of a signed packet may be from ours.'),
	answerWaitMs: milliseconds
		.max(12_000)
		.default(8_000)
		.describe('How long a request waits for the next packet before it is told where to fetch it.'),
	packetsPerMinute: z.int().min(1).max(10_000).default(120).describe('Requests of one caller.'),
});
