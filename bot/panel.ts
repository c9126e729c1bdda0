import type { Client } from 'discord.js';
import type { Clock, Log, Metrics } from '../core/ports.ts';
import type { PanelMemory } from './deps.ts';
import { toDiscordFailure } from './discord-failure.ts';
import { EditDropped, type EditPace } from './edit-pace.ts';
import { toPayload, type View } from './views/view.ts';

export interface PanelDeps {
	readonly client: () => Client | undefined;
	/** Rooms with a panel and the channels they stand in. */
	readonly rooms: () => readonly { readonly roomId: string; readonly channelId: string }[];
	/** The panel as it should look now. */
	readonly render: (roomId: string) => Promise<View>;
	readonly memory: PanelMemory;
	readonly edits: EditPace;
	readonly minEditMs: () => number;
	readonly onWarning: (key: string, text: string) => void;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** The live messages in the admin channel. */
export interface Panels {
	/** Something changed: the panel is brought up to date as soon as it may be edited again. */
	touch(roomId: string): void;
	touchAll(): void;
	/** A message was deleted; when it was a panel, a new one is posted. */
	deleted(messageId: string): void;
	stop(): void;
}

interface Shown {
	/** What Discord shows, as far as we know. */
	text?: string | undefined;
	messageId?: string;
	/** Its message was deleted since the last edit of it began. */
	isGone?: boolean;
	editedAt: number;
	timer?: NodeJS.Timeout;
}

/** One message a room, edited in place: at most once per `minEditMs`, only when it changed, made anew when it is gone. */
export function createPanels(deps: PanelDeps): Panels {
	const { clock, log, metrics } = deps;
	const shown = new Map<string, Shown>();
	let isStopped = false;

	const touch = (roomId: string) => {
		const panel = shown.get(roomId) ?? { editedAt: Number.NEGATIVE_INFINITY };
		shown.set(roomId, panel);
		if (isStopped || panel.timer !== undefined) return;
		const waitMs = Math.max(0, panel.editedAt + deps.minEditMs() - clock.now());
		panel.timer = setTimeout(() => {
			delete panel.timer;
			const channelId = channelOf(roomId);
			if (channelId === undefined) return;
			deps.edits
				.edit(channelId, `panel ${roomId}`, () => refresh(roomId, panel))
				.catch((error: unknown) => fail(roomId, panel, error));
		}, waitMs);
	};

	const channelOf = (roomId: string) => deps.rooms().find((room) => room.roomId === roomId)?.channelId;

	const fail = (roomId: string, panel: Shown, error: unknown) => {
		if (error instanceof EditDropped) return;
		const { isPermanent, code } = toDiscordFailure(error);
		panel.editedAt = clock.now();
		log.warn({ error, roomId }, 'the panel could not be brought up to date');
		if (isPermanent)
			deps.onWarning(
				`panel:${roomId}:${code}`,
				`The panel of room ${roomId} cannot be shown (${code}): I need View Channel, Send Messages and Embed Links in its channel.`,
			);
		else touch(roomId);
	};

	/** False: Discord did not have to be asked. */
	const refresh = async (roomId: string, panel: Shown): Promise<boolean> => {
		const channelId = channelOf(roomId);
		const client = deps.client();
		if (isStopped || channelId === undefined || client === undefined) return false;
		const view = await deps.render(roomId);
		const text = JSON.stringify(view);
		if (text === panel.text) return false;
		panel.editedAt = clock.now();
		const channel = await client.channels.fetch(channelId);
		if (!channel?.isSendable()) return false;
		const payload = toPayload(view);
		const place = await deps.memory.get(roomId);
		panel.isGone = false;
		// Known before the edit begins: while that is under way somebody may delete the message.
		if (place !== undefined) panel.messageId = place.messageId;
		if (place?.channelId === channelId && (await editInPlace(channel, place.messageId, payload))) {
			metrics.count('discord_panel_writes_total', { kind: 'edit' });
		} else {
			const message = await channel.send(payload);
			panel.messageId = message.id;
			await deps.memory.set(roomId, { channelId, messageId: message.id });
			metrics.count('discord_panel_writes_total', { kind: 'post' });
		}
		panel.text = panel.isGone ? undefined : text;
		panel.editedAt = clock.now();
		return true;
	};

	return {
		touch,
		touchAll() {
			for (const { roomId } of deps.rooms()) touch(roomId);
		},
		deleted(messageId) {
			for (const [roomId, panel] of shown) {
				if (panel.messageId !== messageId) continue;
				panel.isGone = true;
				panel.text = undefined;
				touch(roomId);
			}
		},
		stop() {
			isStopped = true;
			for (const { timer } of shown.values()) clearTimeout(timer);
		},
	};
}

type Channel = Extract<Awaited<ReturnType<Client['channels']['fetch']>>, { messages: unknown }>;

/** False when the message is gone, so that a new one is due. */
async function editInPlace(
	channel: Pick<Channel, 'messages'>,
	messageId: string,
	payload: ReturnType<typeof toPayload>,
): Promise<boolean> {
	try {
		await channel.messages.edit(messageId, { ...payload, attachments: [] });
		return true;
	} catch (error) {
		const { isPermanent, reason } = toDiscordFailure(error);
		if (isPermanent && (reason === 'gone' || reason === 'locked')) return false;
		throw error;
	}
}
