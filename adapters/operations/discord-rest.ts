import type { Overwrite, RoleFacts } from '../../core/operations/discord-permissions.ts';

/** Discord refused or did not answer; `status` is absent when there was no answer. */
export class DiscordReadError extends Error {
	override readonly name = 'DiscordReadError';
	readonly code = 'discord_read';
	readonly status: number | undefined;

	constructor(message: string, status?: number, options?: { cause?: unknown }) {
		super(message, options);
		this.status = status;
	}
}

export interface ChannelFacts {
	readonly id: string;
	readonly name: string;
	/** 0 text, 4 category, 5 announcements … */
	readonly type: number;
	readonly overwrites: readonly Overwrite[];
}

/** Reads from Discord with the bot's token over plain REST: no session, no effect on a bot that runs. */
export interface DiscordReader {
	application(): Promise<{ id: string; name: string; flags: number }>;
	gateway(): Promise<{ url: string; loginsLeft: number }>;
	guilds(): Promise<{ id: string; name: string }[]>;
	guild(guildId: string): Promise<{ id: string; name: string; ownerId: string; roles: RoleFacts[] }>;
	channels(guildId: string): Promise<ChannelFacts[]>;
	/** Our own member there. */
	self(guildId: string, userId: string): Promise<{ name: string; roleIds: string[] }>;
	commands(applicationId: string, guildId?: string): Promise<string[]>;
	/** Discord's clock minus ours when last heard, with the uncertainty of the reading. */
	clock(): { aheadMs: number; uncertainMs: number } | undefined;
}

const DEFAULT_REST = 'https://discord.com/api';
const MAX_RETRY_WAIT_MS = 5_000;

export interface DiscordReaderOptions {
	readonly token: string;
	/** As `discord.restUrl`. */
	readonly restUrl?: string | undefined;
	readonly signal: AbortSignal;
	readonly now: () => number;
}

/** Every method rejects with {@link DiscordReadError}; none repeats the token. */
export function createDiscordReader({ token, restUrl, signal, now }: DiscordReaderOptions): DiscordReader {
	const base = `${(restUrl ?? DEFAULT_REST).replace(/\/+$/, '')}/v10`;
	let heard: { aheadMs: number; uncertainMs: number } | undefined;

	async function get(path: string, attempt = 1): Promise<unknown> {
		const sentAt = now();
		let response: Response;
		try {
			response = await fetch(`${base}${path}`, {
				headers: { authorization: `Bot ${token}`, 'user-agent': 'DiscordBot (majordomo, 1)' },
				signal,
				redirect: 'error',
			});
		} catch (thrown) {
			throw new DiscordReadError(signal.aborted ? 'no answer in time' : reasonOf(thrown), undefined, { cause: thrown });
		}
		noteClock(response.headers.get('date'), sentAt);
		if (response.status === 429 && attempt < 3) {
			const waitMs = Number(response.headers.get('retry-after') ?? 1) * 1_000;
			await response.body?.cancel();
			if (waitMs <= MAX_RETRY_WAIT_MS) {
				await new Promise((resolve) => setTimeout(resolve, waitMs));
				return get(path, attempt + 1);
			}
		}
		if (!response.ok) {
			await response.body?.cancel();
			throw new DiscordReadError(`HTTP ${response.status}`, response.status);
		}
		return response.json().catch((cause: unknown) => {
			throw new DiscordReadError('the answer is not JSON: something else than Discord answers here', undefined, {
				cause,
			});
		});
	}

	/** The header has whole seconds, so the true time is up to one later, and the answer took its way. */
	function noteClock(date: string | null, sentAt: number): void {
		const theirs = Date.parse(date ?? '');
		if (Number.isNaN(theirs)) return;
		const receivedAt = now();
		heard = {
			aheadMs: theirs + 500 - (sentAt + receivedAt) / 2,
			uncertainMs: 500 + (receivedAt - sentAt) / 2,
		};
	}

	return {
		clock: () => heard,
		async application() {
			const found = record(await get('/applications/@me'));
			return { id: text(found['id']), name: text(found['name']), flags: Number(found['flags'] ?? 0) };
		},
		async gateway() {
			const found = record(await get('/gateway/bot'));
			return { url: text(found['url']), loginsLeft: Number(record(found['session_start_limit'])['remaining'] ?? 1) };
		},
		async guilds() {
			return list(await get('/users/@me/guilds')).map((one) => ({ id: text(one['id']), name: text(one['name']) }));
		},
		async guild(guildId) {
			const found = record(await get(`/guilds/${guildId}`));
			return {
				id: text(found['id']),
				name: text(found['name']),
				ownerId: text(found['owner_id']),
				roles: list(found['roles']).map(roleOf),
			};
		},
		async channels(guildId) {
			return list(await get(`/guilds/${guildId}/channels`)).map((one) => ({
				id: text(one['id']),
				name: text(one['name']),
				type: Number(one['type']),
				overwrites: list(one['permission_overwrites'] ?? []).map((overwrite) => ({
					id: text(overwrite['id']),
					type: Number(overwrite['type']),
					allow: text(overwrite['allow'] ?? '0'),
					deny: text(overwrite['deny'] ?? '0'),
				})),
			}));
		},
		async self(guildId, userId) {
			const found = record(await get(`/guilds/${guildId}/members/${userId}`));
			const user = record(found['user']);
			const name = found['nick'] ?? user['global_name'] ?? user['username'];
			return { name: text(name), roleIds: Array.isArray(found['roles']) ? found['roles'].map(String) : [] };
		},
		async commands(applicationId, guildId) {
			const place = guildId === undefined ? '' : `/guilds/${guildId}`;
			return list(await get(`/applications/${applicationId}${place}/commands`)).map((one) => text(one['name']));
		},
	};
}

function roleOf(one: Record<string, unknown>): RoleFacts {
	return {
		id: text(one['id']),
		name: text(one['name']),
		position: Number(one['position'] ?? 0),
		permissions: text(one['permissions'] ?? '0'),
		managed: one['managed'] === true,
	};
}

function record(value: unknown): Record<string, unknown> {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw new DiscordReadError('an answer has another shape than Discord gives');
}

function list(value: unknown): Record<string, unknown>[] {
	if (!Array.isArray(value)) throw new DiscordReadError('an answer has another shape than Discord gives');
	return value.map(record);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));

function reasonOf(thrown: unknown): string {
	const cause = thrown instanceof Error ? thrown.cause : undefined;
	const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
	return code ?? 'the connection failed';
}
