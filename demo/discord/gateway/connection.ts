import {
	GatewayCloseCodes,
	type GatewayIdentifyData,
	GatewayIntentBits,
	GatewayOpcodes,
	type GatewayRequestGuildMembersData,
	type GatewayResumeData,
	type GatewayUpdatePresence,
} from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import { renderGuild, renderMemberWithUser, renderUser } from '../state/render.ts';
import type { World } from '../state/world.ts';
import type { GatewayFaults } from './gateway-faults.ts';
import { announcePresence } from './presence.ts';
import { createSession, type Session } from './session.ts';

/** What one connection needs from the gateway it belongs to. */
export interface GatewayHost {
	world: World;
	faults: GatewayFaults;
	heartbeatIntervalMs: number;
	findSession(id: string): Session | undefined;
	addSession(session: Session): void;
	removeSession(session: Session): void;
	isOnline(applicationId: string): boolean;
}

const knownIntents = Object.values(GatewayIntentBits)
	.filter((bit) => typeof bit === 'number')
	.reduce((sum, bit) => sum | bit, 0);
const privilegedIntents =
	GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
/** Commands a client may send in a minute. */
const maxCommandsPerMinute = 120;
const maxPayloadBytes = 4096;

/** Speaks the gateway protocol on one socket: hello, identify or resume, heartbeats, presence, member requests. */
export function createConnection(host: GatewayHost, socket: WebSocket): void {
	const { world, faults } = host;
	let session: Session | undefined;
	let commandTimes: number[] = [];
	let lastHeardMs = performance.now();

	const send = (op: GatewayOpcodes, d: unknown): void => socket.send(JSON.stringify({ op, d, s: null, t: null }));
	const close = (code: GatewayCloseCodes, reason: string): void => socket.close(code, reason);

	// A client that stops beating is cut off, as Discord does with zombies.
	const watchdog = setInterval(() => {
		const silentMs = performance.now() - lastHeardMs;
		if (silentMs > host.heartbeatIntervalMs * 2.5) close(GatewayCloseCodes.SessionTimedOut, 'Session timed out.');
	}, host.heartbeatIntervalMs);
	watchdog.unref();

	const identify = (data: GatewayIdentifyData): void => {
		if (session !== undefined) {
			close(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
			return;
		}
		if (faults.identify === 'ignore') return;
		if (faults.identify === 'refuse') {
			send(GatewayOpcodes.InvalidSession, false);
			return;
		}
		const token = String(data.token ?? '').replace(/^Bot /, '');
		const application = [...world.applications.values()].find((one) => one.token === token);
		if (application === undefined) {
			close(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
			return;
		}
		const shard = data.shard ?? [0, 1];
		if (!(shard[0] >= 0 && shard[0] < shard[1])) {
			close(GatewayCloseCodes.InvalidShard, 'Invalid shard.');
			return;
		}
		const intents = Number(data.intents);
		if (!Number.isInteger(intents) || (intents & ~knownIntents) !== 0) {
			close(GatewayCloseCodes.InvalidIntents, 'Invalid intent(s).');
			return;
		}
		if ((intents & privilegedIntents & ~application.privilegedIntents) !== 0) {
			close(GatewayCloseCodes.DisallowedIntents, 'Disallowed intent(s).');
			return;
		}
		session = createSession(application, intents, [shard[0], shard[1]], socket);
		host.addSession(session);
		const account = world.accounts.get(application.id);
		if (account === undefined) return;
		const inGuild = account.isMember && Number((BigInt(world.guildId) >> 22n) % BigInt(shard[1])) === shard[0];
		session.dispatch('READY', {
			v: 10,
			user: { ...renderUser(account), verified: true, mfa_enabled: true, email: null },
			guilds: inGuild ? [{ id: world.guildId, unavailable: true }] : [],
			session_id: session.id,
			session_type: 'normal',
			resume_gateway_url: `${world.origin.replace(/^http/, 'ws')}/gateway`,
			shard,
			application: { id: application.id, flags: 0 },
			private_channels: [],
			relationships: [],
			presences: [],
			user_settings: {},
			guild_join_requests: [],
		});
		if (inGuild && (intents & GatewayIntentBits.Guilds) !== 0) {
			const withMembers = (intents & GatewayIntentBits.GuildPresences) !== 0;
			session.dispatch('GUILD_CREATE', renderGuild(world, application.id, withMembers));
		}
		announcePresence(world, application.id, data.presence ?? undefined);
	};

	const resume = (data: GatewayResumeData): void => {
		if (session !== undefined) {
			close(GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
			return;
		}
		if (faults.resume === 'ignore') return;
		if (faults.resume === 'refuse-resumable') {
			send(GatewayOpcodes.InvalidSession, true);
			return;
		}
		const found = faults.resume === 'refuse' ? undefined : host.findSession(String(data.session_id));
		const token = String(data.token ?? '').replace(/^Bot /, '');
		if (found !== undefined && found.application.token !== token) {
			close(GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.');
			return;
		}
		if (found === undefined || !found.canReplayFrom(data.seq)) {
			send(GatewayOpcodes.InvalidSession, false);
			return;
		}
		const previous = found.socket;
		found.socket = socket;
		found.detachedAtMs = undefined;
		session = found;
		if (previous !== undefined && previous !== socket) previous.close(GatewayCloseCodes.UnknownError);
		found.replayFrom(data.seq);
		announcePresence(world, found.application.id);
	};

	const sendMembers = (data: GatewayRequestGuildMembersData): void => {
		if (session === undefined) return;
		const wanted = 'user_ids' in data ? [data.user_ids].flat() : undefined;
		const prefix = ('query' in data ? (data.query ?? '') : '').toLowerCase();
		const everyone = [...world.accounts.values()].filter((one) => one.isMember);
		const found = everyone.filter((one) =>
			wanted === undefined ? one.name.toLowerCase().startsWith(prefix) : wanted.includes(one.id),
		);
		const limit = 'limit' in data ? Number(data.limit) : 0;
		const members = limit > 0 ? found.slice(0, limit) : found;
		session.dispatch('GUILD_MEMBERS_CHUNK', {
			guild_id: world.guildId,
			members: members.map(renderMemberWithUser),
			chunk_index: 0,
			chunk_count: 1,
			not_found: (wanted ?? []).filter((id) => !everyone.some((one) => one.id === id)),
			nonce: data.nonce,
		});
	};

	const onMessage = (raw: RawData): void => {
		lastHeardMs = performance.now();
		const text = raw.toString();
		if (Buffer.byteLength(text) > maxPayloadBytes) {
			close(GatewayCloseCodes.DecodeError, 'Payload too large.');
			return;
		}
		let packet: { op?: unknown; d?: unknown };
		try {
			packet = JSON.parse(text) as typeof packet;
		} catch {
			close(GatewayCloseCodes.DecodeError, 'Error while decoding payload.');
			return;
		}
		commandTimes = [...commandTimes.filter((atMs) => lastHeardMs - atMs < 60_000), lastHeardMs];
		if (commandTimes.length > maxCommandsPerMinute) {
			close(GatewayCloseCodes.RateLimited, 'Rate limited.');
			return;
		}
		switch (packet.op) {
			case GatewayOpcodes.Heartbeat:
				if (!faults.stallHeartbeats) send(GatewayOpcodes.HeartbeatAck, null);
				return;
			case GatewayOpcodes.Identify:
				identify(packet.d as GatewayIdentifyData);
				return;
			case GatewayOpcodes.Resume:
				resume(packet.d as GatewayResumeData);
				return;
			case GatewayOpcodes.PresenceUpdate:
			case GatewayOpcodes.VoiceStateUpdate:
			case GatewayOpcodes.RequestGuildMembers:
			case GatewayOpcodes.RequestSoundboardSounds: {
				if (session === undefined) {
					close(GatewayCloseCodes.NotAuthenticated, 'Not authenticated.');
					return;
				}
				if (packet.op === GatewayOpcodes.RequestGuildMembers) {
					sendMembers(packet.d as GatewayRequestGuildMembersData);
				}
				if (packet.op === GatewayOpcodes.PresenceUpdate) {
					announcePresence(world, session.application.id, packet.d as GatewayUpdatePresence['d']);
				}
				return;
			}
			default:
				close(GatewayCloseCodes.UnknownOpcode, 'Unknown opcode.');
				return;
		}
	};

	socket.on('message', onMessage);
	socket.on('error', () => socket.terminate());
	socket.on('close', (code) => {
		clearInterval(watchdog);
		if (session === undefined || session.socket !== socket) return;
		session.socket = undefined;
		session.detachedAtMs = world.now();
		// A client that says goodbye in order gives its session up.
		if (code === 1000 || code === 1001) host.removeSession(session);
		// Another process of the same bot may still be there.
		if (!host.isOnline(session.application.id)) {
			announcePresence(world, session.application.id, { status: 'offline' });
		}
	});
	send(GatewayOpcodes.Hello, { heartbeat_interval: host.heartbeatIntervalMs, _trace: ['["loopback"]'] });
}
