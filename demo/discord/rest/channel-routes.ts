import { type APIOverwrite, ChannelType } from 'discord-api-types/v10';
import { Hono } from 'hono';
import { invalidForm, refusal } from '../discord-error.ts';
import { announceChannel, deleteChannel } from '../state/guild-changes.ts';
import type { Channel } from '../state/model.ts';
import { demand, hasPermission } from '../state/permissions.ts';
import { renderChannel } from '../state/render.ts';
import { checkArchiveDuration, checkThreadName } from '../threads/thread-maker.ts';
import { announceThread } from '../threads/thread-state.ts';
import { caller, channelOf, jsonOf, noContent, param, type RestEnv, type RestServices } from './rest-context.ts';

interface ChannelChange {
	name?: string;
	topic?: string | null;
	position?: number;
	parent_id?: string | null;
	permission_overwrites?: APIOverwrite[];
	rate_limit_per_user?: number | null;
	archived?: boolean;
	locked?: boolean;
	invitable?: boolean;
	auto_archive_duration?: number;
}

/** A channel, changed or deleted: threads are channels here, so archive and lock arrive as PATCH. */
export function channelRoutes({ world }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();

	const changeThread = (channel: Channel, botId: string, change: ChannelChange): void => {
		const thread = channel.thread!;
		const manages = hasPermission(world, botId, channel, 'ManageThreads');
		const owns = thread.ownerId === botId;
		const reopens = change.archived === false;
		if (thread.archived && !reopens) throw refusal('threadArchived');
		if (!manages) {
			// Anybody who may speak may open an unlocked thread; owners may rename and archive; locking takes more.
			const onlyReopens = reopens && Object.keys(change).every((key) => key === 'archived');
			if (change.locked !== undefined || change.rate_limit_per_user !== undefined) throw refusal('missingPermissions');
			if (thread.locked || !(owns || onlyReopens)) throw refusal('missingPermissions');
		}
		if (change.name !== undefined) channel.name = checkThreadName(change.name);
		if (change.auto_archive_duration !== undefined) {
			thread.autoArchiveMinutes = checkArchiveDuration(change.auto_archive_duration);
		}
		if (change.locked !== undefined) thread.locked = change.locked;
		if (change.invitable !== undefined) thread.invitable = change.invitable;
		if (change.rate_limit_per_user !== undefined) channel.slowmodeSeconds = change.rate_limit_per_user ?? 0;
		if (change.archived !== undefined && change.archived !== thread.archived) {
			thread.archived = change.archived;
			thread.archiveChangedAtMs = world.now();
		}
		announceThread(world, channel, 'THREAD_UPDATE');
	};

	app.get('/channels/:channel', (c) => c.json(renderChannel(world, channelOf(c, world), caller(c).id)));
	app.patch('/channels/:channel', (c) => {
		const channel = channelOf(c, world);
		const change = jsonOf<ChannelChange>(c);
		if (channel.type === ChannelType.DM) throw refusal('wrongChannelKind');
		if (channel.thread !== undefined) {
			changeThread(channel, caller(c).id, change);
			return c.json(renderChannel(world, channel, caller(c).id));
		}
		demand(world, caller(c).id, channel, 'ManageChannels');
		if (change.permission_overwrites !== undefined) {
			demand(world, caller(c).id, channel, 'ManageRoles');
			channel.overwrites = change.permission_overwrites;
		}
		if (change.name !== undefined) channel.name = checkThreadName(change.name).toLowerCase().replaceAll(' ', '-');
		if (change.topic !== undefined) {
			if ((change.topic ?? '').length > 1024) {
				throw invalidForm('topic', 'BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 1024 in length.');
			}
			channel.topic = change.topic;
		}
		if (change.parent_id !== undefined) channel.parentId = change.parent_id;
		if (change.position !== undefined) channel.position = change.position;
		if (change.rate_limit_per_user !== undefined) channel.slowmodeSeconds = change.rate_limit_per_user ?? 0;
		announceChannel(world, channel, 'CHANNEL_UPDATE');
		return c.json(renderChannel(world, channel, caller(c).id));
	});
	app.delete('/channels/:channel', (c) => {
		const channel = channelOf(c, world);
		if (channel.type === ChannelType.DM) return c.json(renderChannel(world, channel, caller(c).id));
		demand(world, caller(c).id, channel, channel.thread === undefined ? 'ManageChannels' : 'ManageThreads');
		const shown = renderChannel(world, channel, caller(c).id);
		deleteChannel(world, channel);
		return c.json(shown);
	});
	app.put('/channels/:channel/permissions/:target', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ManageRoles');
		const wish = jsonOf<Partial<APIOverwrite>>(c);
		const id = param(c, 'target');
		channel.overwrites = channel.overwrites.filter((one) => one.id !== id);
		channel.overwrites.push({ id, type: wish.type ?? 0, allow: wish.allow ?? '0', deny: wish.deny ?? '0' });
		announceChannel(world, channel, 'CHANNEL_UPDATE');
		return noContent(c);
	});
	app.delete('/channels/:channel/permissions/:target', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ManageRoles');
		channel.overwrites = channel.overwrites.filter((one) => one.id !== param(c, 'target'));
		announceChannel(world, channel, 'CHANNEL_UPDATE');
		return noContent(c);
	});
	app.post('/channels/:channel/webhooks', (c) => {
		demand(world, caller(c).id, channelOf(c, world), 'ManageWebhooks');
		// Incoming webhooks are the one thing a permitted bot cannot get here.
		throw refusal('notInChannelType');
	});
	return app;
}
