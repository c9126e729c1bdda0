import { randomBytes } from 'node:crypto';
import { ChannelType, OverwriteType, PermissionFlagsBits, PresenceUpdateStatus } from 'discord-api-types/v10';
import {
	type BotSeed,
	type ChannelSeed,
	defaultBotPermissions,
	defaultLayout,
	everyonePermissions,
	type GuildLayout,
} from '../layout.ts';
import { type Broadcast, createBroadcast } from './broadcast.ts';
import type { Account, BotApplication, Channel, Message, Role, StoredFile } from './model.ts';
import { permissionBits } from './permission-bits.ts';
import { createSnowflakes } from './snowflakes.ts';

export interface WorldSeed {
	now: () => number;
	guild?: GuildLayout;
	bots: BotSeed[];
}

/** Everything the loopback Discord knows. One guild; direct messages live beside it. */
export interface World {
	now(): number;
	/** Moves the clock of this server forward. */
	advance(ms: number): void;
	nextId(): string;
	guildId: string;
	guildName: string;
	ownerId: string;
	createdAtMs: number;
	/** Address under which this server is reached, set once it listens. */
	origin: string;
	accounts: Map<string, Account>;
	applications: Map<string, BotApplication>;
	roles: Map<string, Role>;
	channels: Map<string, Channel>;
	messages: Map<string, Message>;
	files: Map<string, StoredFile>;
	/** Channel id → user id → time when the typing indicator goes out. */
	typing: Map<string, Map<string, number>>;
	events: Broadcast;
}

const privilegedBits = { GuildMembers: 1 << 1, GuildPresences: 1 << 8, MessageContent: 1 << 15 };

export function createWorld(seed: WorldSeed): World {
	let offsetMs = 0;
	const now = (): number => seed.now() + offsetMs;
	const nextId = createSnowflakes(now);
	const guildId = seed.guild?.id ?? nextId();
	const world: World = {
		now,
		advance: (ms) => {
			offsetMs += ms;
		},
		nextId,
		guildId,
		guildName: seed.guild?.name ?? defaultLayout.name,
		ownerId: '',
		createdAtMs: now(),
		origin: '',
		accounts: new Map(),
		applications: new Map(),
		roles: new Map(),
		channels: new Map(),
		messages: new Map(),
		files: new Map(),
		typing: new Map(),
		events: createBroadcast(),
	};
	populate(world, seed);
	return world;
}

/** Fills an empty world from its seed. */
function populate(world: World, seed: WorldSeed): void {
	const layout = { ...defaultLayout, ...seed.guild };
	addRole(world, { id: world.guildId, name: '@everyone', permissions: permissionBits(everyonePermissions) });
	for (const role of layout.roles) {
		addRole(world, {
			id: role.id ?? world.nextId(),
			name: role.name,
			permissions: permissionBits(role.permissions ?? []),
			color: role.color ?? 0,
			mentionable: role.mentionable ?? false,
		});
	}
	for (const person of layout.people) {
		const roleIds = (person.roles ?? []).map((name) => {
			const role = findNamed(world.roles.values(), name);
			if (role === undefined) throw new RangeError(`person ${person.name} has the role ${name}, which does not exist`);
			return role.id;
		});
		addAccount(world, { id: person.id, name: person.name, displayName: person.displayName, roleIds, isBot: false });
	}
	for (const bot of seed.bots) addBot(world, bot);
	world.ownerId = world.nextId();
	addAccount(world, { id: world.ownerId, name: 'house-owner', displayName: 'House Owner', roleIds: [], isBot: false });
	for (const channel of layout.channels) addChannel(world, channel);
}

function addRole(world: World, role: Pick<Role, 'id' | 'name' | 'permissions'> & Partial<Role>): Role {
	const made = { color: 0, mentionable: false, hoist: false, position: world.roles.size, ...role };
	world.roles.set(made.id, made);
	return made;
}

function addAccount(
	world: World,
	seed: { id?: string; name: string; displayName?: string; roleIds: string[]; isBot: boolean },
): Account {
	const account: Account = {
		id: seed.id ?? world.nextId(),
		name: seed.name,
		displayName: seed.displayName ?? seed.name,
		isBot: seed.isBot,
		roleIds: seed.roleIds,
		joinedAtMs: world.now(),
		nick: null,
		isMember: true,
		status: seed.isBot ? PresenceUpdateStatus.Offline : PresenceUpdateStatus.Online,
		activity: null,
	};
	world.accounts.set(account.id, account);
	return account;
}

function addBot(world: World, seed: BotSeed): BotApplication {
	const id = seed.applicationId ?? world.nextId();
	const role = addRole(world, {
		id: world.nextId(),
		name: seed.name,
		permissions: permissionBits(seed.permissions ?? defaultBotPermissions),
	});
	addAccount(world, { id, name: seed.name, displayName: seed.name, roleIds: [role.id], isBot: true });
	const allowed = seed.privilegedIntents ?? ['GuildMembers', 'GuildPresences', 'MessageContent'];
	const application: BotApplication = {
		id,
		name: seed.name,
		token: seed.token ?? `${Buffer.from(id).toString('base64url')}.loopbk.${randomBytes(20).toString('base64url')}`,
		privilegedIntents: allowed.reduce((sum, name) => sum | privilegedBits[name], 0),
	};
	world.applications.set(id, application);
	return application;
}

/** Adds a text channel (and its category when that is new) without announcing it. */
export function addChannel(world: World, seed: ChannelSeed): Channel {
	let parentId: string | null = null;
	if (seed.category !== undefined) {
		const category =
			findNamed(world.channels.values(), seed.category, (one) => one.type === ChannelType.GuildCategory) ??
			blankChannel(world, { name: seed.category, type: ChannelType.GuildCategory });
		world.channels.set(category.id, category);
		parentId = category.id;
	}
	const channel = blankChannel(world, {
		id: seed.id ?? world.nextId(),
		name: seed.name,
		type: ChannelType.GuildText,
		topic: seed.topic ?? null,
		parentId,
	});
	if (seed.onlyRoles !== undefined) {
		const view = PermissionFlagsBits.ViewChannel.toString();
		channel.overwrites.push({ id: world.guildId, type: OverwriteType.Role, allow: '0', deny: view });
		for (const name of seed.onlyRoles) {
			const role = findNamed(world.roles.values(), name);
			if (role === undefined) throw new RangeError(`channel ${seed.name} names the role ${name}, which does not exist`);
			channel.overwrites.push({ id: role.id, type: OverwriteType.Role, allow: view, deny: '0' });
		}
		for (const application of world.applications.values()) {
			channel.overwrites.push({ id: application.id, type: OverwriteType.Member, allow: view, deny: '0' });
		}
	}
	world.channels.set(channel.id, channel);
	return channel;
}

export function blankChannel(world: World, seed: Pick<Channel, 'name' | 'type'> & Partial<Channel>): Channel {
	return {
		id: world.nextId(),
		topic: null,
		parentId: null,
		position: world.channels.size,
		overwrites: [],
		slowmodeSeconds: 0,
		messageIds: [],
		...seed,
	};
}

/** Finds by id or by name; a leading # or @ is ignored. */
export function findNamed<T extends { id: string; name: string }>(
	all: Iterable<T>,
	nameOrId: string,
	accept: (one: T) => boolean = () => true,
): T | undefined {
	const wanted = nameOrId.replace(/^[#@](?!everyone$)/, '').toLowerCase();
	for (const one of all) {
		if (accept(one) && (one.id === nameOrId || one.name.toLowerCase() === wanted)) return one;
	}
	return undefined;
}
