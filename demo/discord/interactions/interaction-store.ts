import { randomBytes } from 'node:crypto';
import type {
	APIApplicationCommandOptionChoice,
	APIModalInteractionResponseCallbackData,
	InteractionResponseType,
	InteractionType,
} from 'discord-api-types/v10';
import type { World } from '../state/world.ts';

/** Time a bot has for its first answer. */
const firstAnswerMs = 3000;
/** Time for which an interaction's token edits and follows up. */
const tokenLifeMs = 15 * 60_000;

export type InteractionPhase =
	| 'pending'
	| 'replied'
	| 'deferred'
	| 'deferred-update'
	| 'updated'
	| 'modal'
	| 'choices'
	| 'failed';

export interface Interaction {
	id: string;
	token: string;
	type: InteractionType;
	applicationId: string;
	userId: string;
	channelId: string;
	createdAtMs: number;
	/** How commands are shown: "room state". */
	label: string;
	answeredAtMs?: number;
	answeredWith?: InteractionResponseType;
	/** Set when a deferred answer has got its text. */
	completedAtMs?: number;
	ephemeral: boolean;
	/** Message whose component was used, or under which the modal was opened. */
	sourceMessageId?: string;
	/** Message of a message context-menu command. */
	targetMessageId?: string;
	/** The message `@original` stands for. */
	originalMessageId?: string;
	followUpIds: string[];
	modal?: APIModalInteractionResponseCallbackData;
	choices?: APIApplicationCommandOptionChoice[];
}

export interface InteractionStore {
	open(
		seed: Pick<Interaction, 'type' | 'applicationId' | 'userId' | 'channelId' | 'label'> & Partial<Interaction>,
	): Interaction;
	get(id: string): Interaction | undefined;
	byToken(token: string): Interaction | undefined;
	phase(interaction: Interaction): InteractionPhase;
	/** True once 3 s went by without an answer. */
	isOverdue(interaction: Interaction): boolean;
	isExpired(interaction: Interaction): boolean;
	/** Runs listeners after something about the interaction changed. */
	touch(interaction: Interaction): void;
	onChange(listener: (interaction: Interaction) => void): () => void;
}

export function createInteractionStore(world: World): InteractionStore {
	const all = new Map<string, Interaction>();
	const tokens = new Map<string, Interaction>();
	const listeners = new Set<(interaction: Interaction) => void>();
	const store: InteractionStore = {
		open: (seed) => {
			const id = world.nextId();
			const token = Buffer.from(`interaction:${id}:${randomBytes(48).toString('base64url')}`).toString('base64url');
			const interaction: Interaction = {
				id,
				token,
				createdAtMs: world.now(),
				ephemeral: false,
				followUpIds: [],
				...seed,
			};
			all.set(id, interaction);
			tokens.set(token, interaction);
			return interaction;
		},
		get: (id) => all.get(id),
		byToken: (token) => tokens.get(token),
		isOverdue: (one) => one.answeredAtMs === undefined && world.now() - one.createdAtMs > firstAnswerMs,
		isExpired: (one) => world.now() - one.createdAtMs > tokenLifeMs,
		phase: (one) => {
			if (one.answeredWith === undefined) return store.isOverdue(one) ? 'failed' : 'pending';
			return phaseByResponse[one.answeredWith] ?? 'replied';
		},
		touch: (interaction) => {
			for (const listener of [...listeners]) listener(interaction);
		},
		onChange: (listener) => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
	return store;
}

const phaseByResponse: Partial<Record<InteractionResponseType, InteractionPhase>> = {
	4: 'replied',
	5: 'deferred',
	6: 'deferred-update',
	7: 'updated',
	8: 'choices',
	9: 'modal',
};
