import type {
	ChatInputCommandInteraction,
	MessageComponentInteraction,
	MessageContextMenuCommandInteraction,
	ModalSubmitInteraction,
} from 'discord.js';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics, Random } from '../../core/ports.ts';
import { createTranslate, type Translate, toLanguage } from '../catalogue.ts';
import { createErrorId } from '../commands/error-id.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { toPayload, type View } from '../views/view.ts';
import { acknowledge } from './acknowledge.ts';

/** Interactions that are answered in private. */
export type Asked =
	| ChatInputCommandInteraction
	| MessageContextMenuCommandInteraction
	| MessageComponentInteraction
	| ModalSubmitInteraction;

export interface ServeDeps {
	readonly claims: Pick<MessageClaims, 'claim'>;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}

export interface Served {
	readonly view: View;
	readonly outcome: 'done' | 'refused';
}

export interface ServedAs {
	readonly kind: 'command' | 'component' | 'form';
	/** As typed or as pressed, for logs and for the late answer. */
	readonly path: string;
}

export type Serve = (interaction: Asked, as: ServedAs, work: (t: Translate) => Promise<Served>) => Promise<void>;

/**
 * Acknowledges first, then works, then answers. A request that was acknowledged twice is worked on by whoever claims it.
 * Every one ends with words for the person or a line in the log.
 */
export function createServe(deps: ServeDeps): Serve {
	const { clock, log, metrics } = deps;

	/** Without a store only a sole acknowledger works. */
	const isOurs = (id: string, acknowledged: 'ours' | 'taken') =>
		deps.claims.claim(`interaction-${id}`).catch(() => acknowledged === 'ours');

	const run = async (work: (t: Translate) => Promise<Served>, t: Translate, context: Record<string, string>) => {
		try {
			return await work(t);
		} catch (error) {
			const id = createErrorId(deps.random);
			log.error({ ...context, error, errorId: id }, 'a command failed');
			const view: View = { content: t(isStoreError(error) ? 'error.store' : 'error.unexpected', { id }) };
			return { view, outcome: 'failed' };
		}
	};

	const answer = async (interaction: Asked, view: View, t: Translate, context: Record<string, string>) => {
		try {
			await interaction.editReply(toPayload(view));
		} catch (error) {
			const { reason } = toDiscordFailure(error);
			log.warn({ ...context, error, reason }, 'a command was done but could not be answered in private');
			if (!['interaction_expired', 'interaction_late', 'gone'].includes(reason)) return;
			const channel = interaction.channel;
			if (channel?.isSendable())
				await channel.send(toPayload({ content: t('error.late', { command: `\`/${context['path']}\`` }) }));
		}
	};

	return async (interaction, { kind, path }, work) => {
		const askedAt = clock.now();
		const acknowledged = await acknowledge(interaction);
		metrics.observe('discord_ack_seconds', Math.max(0, clock.now() - askedAt) / 1_000);
		const context = { interactionId: interaction.id, by: interaction.user.id, path };
		if (acknowledged === 'late' || acknowledged === 'lost') {
			metrics.count('discord_interactions_total', { kind, outcome: acknowledged });
			return log.warn(
				{ ...context, acknowledged },
				'a command was dropped unanswered: it could not be acknowledged in time',
			);
		}
		if (!(await isOurs(interaction.id, acknowledged))) {
			metrics.count('discord_interactions_total', { kind, outcome: 'taken' });
			return log.info(context, 'a command was answered elsewhere');
		}
		const t = createTranslate(toLanguage(interaction.locale));
		const { view, outcome } = await run(work, t, context);
		metrics.count('discord_interactions_total', { kind, outcome });
		await answer(interaction, view, t, context);
	};
}

/** Stores name their failures with codes such as `redis_unavailable`. */
function isStoreError(error: unknown): boolean {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('redis_');
}
