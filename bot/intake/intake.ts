import type { Client, Message } from 'discord.js';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics, Random } from '../../core/ports.ts';
import { createTranslate, toLanguage } from '../catalogue.ts';
import type { Command } from '../commands/command.ts';
import { createIntakeCommands } from '../commands/intake.ts';
import type { BotSettings } from '../deps.ts';
import type { EditPace } from '../edit-pace.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import { nonceOf } from '../relay/outgoing.ts';
import { toPayload } from '../views/view.ts';
import { createCardKeeper } from './card-keeper.ts';
import { createIntakeArea } from './intake-area.ts';
import type { IntakePorts } from './intake-ports.ts';
import { createMessageDoor } from './message-door.ts';
import { createSessionReader } from './session-reader.ts';
import { createShowItem } from './show-item.ts';
import { createStartIntake } from './start-intake.ts';
import { createSuggestions } from './suggestions.ts';
import { createThreadInbox } from './thread-inbox.ts';
import { createThreadIndex } from './thread-index.ts';
import { createThreadWatch } from './thread-watch.ts';
import { startedView } from './views/started.ts';
import { wishIn } from './wish.ts';

export interface IntakeDeps {
	readonly ports: IntakePorts;
	readonly client: () => Client | undefined;
	readonly settings: () => BotSettings;
	readonly claims: MessageClaims;
	readonly noteContent: (hasContent: boolean) => void;
	readonly onWarning: (key: string, text: string) => void;
	/** The way of every edit of a message. */
	readonly edits: EditPace;
	/** Fetches attachments. */
	readonly get?: typeof fetch;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** The intake on Discord: threads, cards, forms, commands. */
export interface Intake {
	readonly commands: readonly Command[];
	readonly area: InteractionArea;
	attach(client: Client): void;
	start(): void;
	/** A new session with Discord: what was missed is read, threads are looked at. Never rejects. */
	catchUp(): Promise<void>;
	/** From time to time: threads that may be written to again. Never rejects. */
	upkeep(): Promise<void>;
	stop(): Promise<void>;
}

const CHECK_SUSPENDED_EVERY_MS = 60_000;

export function createIntake(deps: IntakeDeps): Intake {
	const { ports, settings, clock, log } = deps;
	const reader = createSessionReader(ports.store);
	const threads = createThreadIndex(ports.store, clock);
	const cards = createCardKeeper({ ...deps, memory: ports.cards, reader });
	const suggestions = createSuggestions(ports.store, clock, log);
	const start = createStartIntake({ ...deps, reader, threads, cards, suggestions });
	const inbox = createThreadInbox({ ...deps, reader, cards });
	let removeSurface: (() => Promise<void>) | undefined;
	let checkedAt = 0;

	const tellLost = (sessionId: string, threadId: string, what: 'locked' | 'forbidden' | 'deleted') => {
		const t = createTranslate('en');
		const key =
			what === 'locked'
				? 'intake.admin.lostLocked'
				: what === 'deleted'
					? 'intake.admin.lostDeleted'
					: 'intake.admin.lostPermission';
		const text = t('intake.admin.lost', { id: sessionId, what: t(key, { thread: `<#${threadId}>` }) });
		deps.onWarning(`intake:${sessionId}:${what}`, text);
	};
	const watch = createThreadWatch({ ...deps, reader, threads, cards, onLost: tellLost });
	const show = createShowItem({ ...deps, reader, cards, watch });

	const takeWish = async (message: Message) => {
		const text = wishIn(message, settings().intake.channels);
		if (text === undefined) return;
		const locale = settings().language ?? message.guild?.preferredLocale ?? settings().intake.language;
		const t = createTranslate(toLanguage(locale));
		const started = await start({
			channelId: message.channelId,
			personId: message.author.id,
			text,
			onceId: message.id,
			locale,
			message,
		});
		const view = startedView(started, text, t).view;
		await message
			.reply({
				...toPayload(view),
				failIfNotExists: false,
				nonce: nonceOf(`${message.id}:intake`, 0),
				enforceNonce: true,
			})
			.catch((error: unknown) => log.warn({ error, messageId: message.id }, 'a wish was taken but not answered'));
		// Nothing was stored, so Discord's history has to give it back; the person was told once.
		if (started.kind === 'unavailable' && !started.kept)
			throw new Error(`the wish could not be stored (${started.reason})`);
	};
	const door = createMessageDoor({
		...deps,
		threads,
		onAnswer: inbox.take,
		onWish: takeWish,
		onChanged: (sessionId) => cards.touch(sessionId),
	});
	const safely = async (what: string, work: () => Promise<unknown>) => {
		await work().catch((error: unknown) => log.warn({ error }, what));
	};

	return {
		commands: createIntakeCommands({ ports, reader, threads, cards, start, suggestions }),
		area: createIntakeArea({ ...deps, reader, cards, start, suggestions }),
		attach(client) {
			door.attach(client);
			watch.attach(client);
		},
		start() {
			removeSurface = ports.surface.consume('discord', show);
		},
		async catchUp() {
			await safely('intake channels could not be caught up with', () =>
				Promise.all(settings().intake.channels.map(({ channelId }) => door.catchUp(channelId))),
			);
			await safely('the threads of intakes could not be looked at', async () => {
				for (const threadId of await watch.checkAll()) await door.catchUp(threadId);
			});
		},
		async upkeep() {
			if (clock.now() - checkedAt < CHECK_SUSPENDED_EVERY_MS) return;
			checkedAt = clock.now();
			await safely('suspended intakes could not be looked at', watch.checkSuspended);
		},
		async stop() {
			await removeSurface?.();
			await door.stop();
			await cards.stop();
		},
	};
}
