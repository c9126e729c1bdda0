import type { LiftSettings, LightSettings, NeatoSettings } from '../../../config/rooms.ts';

/** Everything that setup was told, checked. */
export interface SetupAnswers {
	readonly discord: {
		readonly token: string;
		readonly guildId: string;
		readonly roomChannelId: string;
		readonly adminChannelId?: string | undefined;
		readonly fleetChannelId?: string | undefined;
		readonly adminRoleIds: readonly string[];
		readonly messageContent: boolean;
		readonly restUrl?: string | undefined;
	};
	readonly room: { readonly id: string; readonly title: string };
	readonly name: string;
	readonly timeZone: string;
	readonly model: {
		readonly provider: 'ollama' | 'anthropic';
		readonly name: string;
		/** Of Ollama. */
		readonly url?: string | undefined;
		/** Of Anthropic. */
		readonly key?: string | undefined;
		readonly price?: { readonly input: number; readonly output: number } | undefined;
	};
	readonly home?:
		| {
				readonly url: string;
				readonly token: string;
				readonly lights: readonly LightSettings[];
				readonly lift?: LiftSettings | undefined;
				readonly vacuum?: NeatoSettings | undefined;
				readonly presenceEntityIds: readonly string[];
		  }
		| undefined;
	readonly redisUrl?: string | undefined;
	readonly adminPassword: string;
	readonly intakeKeys: string;
	/** Tokens of the machines whose sessions report; for a fleet only. */
	readonly fleetTokens?: string | undefined;
}

export interface SetupPlan {
	/** Dotted paths of the settings file; undefined takes one out. */
	readonly changes: readonly (readonly [path: string, value: unknown])[];
	readonly room: Readonly<Record<string, unknown>> & { readonly id: string };
	/** Secrets, for .env. */
	readonly variables: Readonly<Record<string, string>>;
}

/** What goes where: secrets into the environment, everything else into the settings file. */
export function planSetup(answers: SetupAnswers): SetupPlan {
	const { discord, room, model, home } = answers;
	return {
		changes: [
			['discord.guildId', discord.guildId],
			['discord.adminRoleIds', discord.adminRoleIds],
			['discord.adminChannelId', discord.adminChannelId],
			['fleet.channelId', discord.fleetChannelId],
			['discord.messageContent', discord.messageContent],
			['discord.restUrl', discord.restUrl],
			['overseer.name', answers.name],
			['overseer.timeZone', answers.timeZone],
			['model.provider', model.provider],
			['model.name', model.name],
			...(model.url === undefined ? [] : [['model.ollama.url', model.url] as const]),
			...(model.price === undefined
				? []
				: [['model.prices', { [`${model.provider}/${model.name}`]: model.price }] as const]),
			...(home === undefined ? [] : [['home.url', home.url] as const]),
		],
		room: {
			id: room.id,
			title: room.title,
			channelId: discord.roomChannelId,
			...(home && home.lights.length > 0 ? { lights: home.lights } : {}),
			...(home?.lift ? { lift: home.lift } : {}),
			...(home?.vacuum ? { neato: home.vacuum } : {}),
			...(home && home.presenceEntityIds.length > 0 ? { presenceEntityIds: home.presenceEntityIds } : {}),
		},
		variables: {
			DISCORD_TOKEN: discord.token,
			...(home ? { HOME_ASSISTANT_TOKEN: home.token } : {}),
			...(model.key ? { ANTHROPIC_API_KEY: model.key } : {}),
			...(answers.redisUrl ? { REDIS_URL: answers.redisUrl } : {}),
			ADMIN_PASSWORD: answers.adminPassword,
			INTAKE_KEYS: answers.intakeKeys,
			...(answers.fleetTokens ? { FLEET_TOKENS: answers.fleetTokens } : {}),
		},
	};
}

/** A name for keys and addresses from what people call the room; `room` when nothing is left of it. */
export function roomIdFrom(title: string): string {
	const slug = title
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-+|-+$/g, '')
		.slice(0, 40);
	return slug === '' ? 'room' : slug;
}
