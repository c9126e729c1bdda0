import { type Client, Events, type Message } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../core/fleet/outbox.ts';
import type { Command } from '../commands/command.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import { createCardArea } from './cards/card-area.ts';
import { createCardKeeper } from './cards/card-keeper.ts';
import { createCardPress } from './cards/card-press.ts';
import type { FleetDeps } from './fleet-deps.ts';
import { createFleetPlace } from './fleet-place.ts';
import { createFleetWords } from './fleet-words.ts';
import { createNeedWatch } from './need-watch.ts';
import { createShowNotice } from './show-notice.ts';
import type { FleetStatus } from './status/fleet-status.ts';
import { createStatusKeeper } from './status/status-keeper.ts';

/** The fleet on Discord: its status line, cards of needs, threads, commands. */
export interface Fleet {
	readonly commands: readonly Command[];
	/** What is registered with Discord for them. */
	readonly commandData: readonly unknown[];
	readonly areas: readonly InteractionArea[];
	/** For the presence; undefined before the fleet was first looked at. */
	status(): FleetStatus | undefined;
	/** Whether a message is for the concierge or a session, so that no other part of the bot takes it. */
	isOurs(message: Message): boolean;
	attach(client: Client): void;
	start(): void;
	/** A new session with Discord. Never rejects. */
	catchUp(): Promise<void>;
	/** From time to time. Never rejects. */
	upkeep(): Promise<void>;
	stop(): Promise<void>;
}

export interface FleetHooks {
	/** Its short form changed. */
	readonly onStatus: () => void;
}

export function createFleet(deps: FleetDeps & FleetHooks): Fleet {
	const { ports, settings } = deps;
	const place = createFleetPlace(deps);
	const words = createFleetWords({ ...deps, place });
	const status = createStatusKeeper({ ...deps, place, onChange: deps.onStatus });
	const cards = createCardKeeper({ ...deps, place });
	const watch = createNeedWatch({ ...deps, place, cards, status });
	const press = createCardPress({ ...deps, cards, openThread: words.openThread });
	const showNotice = createShowNotice({ ...deps, place, cards, onPosted: () => watch.nudge() });
	let removers: (() => Promise<void>)[] = [];

	const show = async (item: OutboxItem): Promise<OutboxShown> => {
		if (item.kind === 'reply') return words.showReply(item);
		if (item.kind === 'delivery') return words.showDelivery(item);
		return showNotice(item);
	};

	/** Somebody may have opened what was closed. */
	const reopen = (channelId: string) => {
		place.reopen(channelId);
		if (channelId === settings().fleet.channelId) watch.nudge();
	};
	const deleted = (channelId: string, messageIds: Iterable<string>) => {
		if (channelId === settings().fleet.channelId) watch.doubt(new Set(messageIds));
	};

	return {
		commands: words.commands,
		commandData: words.commandData,
		areas: [createCardArea({ ...deps, press }), ...words.areas],
		status: status.current,
		isOurs: words.isOurs,
		attach(client) {
			words.attach(client);
			client.on(Events.ThreadUpdate, (_before, thread) => reopen(thread.id));
			client.on(Events.ChannelUpdate, (_before, channel) => reopen(channel.id));
			client.on(Events.MessageDelete, (message) => deleted(message.channelId, [message.id]));
			client.on(Events.MessageBulkDelete, (messages, channel) => deleted(channel.id, messages.keys()));
		},
		start() {
			words.start();
			removers = [
				ports.outbox.consume(show),
				ports.feed.onAppend(watch.nudge),
				ports.questions.onChange((questionId) => {
					cards.touch(questionId);
					watch.nudge();
				}),
			];
		},
		async catchUp() {
			watch.doubt('all');
			await words.catchUp();
		},
		async upkeep() {
			watch.nudge();
			await words.upkeep();
		},
		async stop() {
			await Promise.all(removers.map((remove) => remove()));
			await Promise.all([watch.stop(), cards.stop()]);
			await words.stop();
		},
	};
}
