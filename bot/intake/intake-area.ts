import type {
	APIModalInteractionResponseCallbackData,
	AutocompleteInteraction,
	Interaction,
	MessageComponentInteraction,
	ModalSubmitInteraction,
} from 'discord.js';
import { MessageFlags } from 'discord.js';
import type { IntakeEvent } from '../../core/intake/event.ts';
import type { Submitted } from '../../core/intake/intake-desk.ts';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { Log, Metrics } from '../../core/ports.ts';
import { createTranslate, type TextKey, type Translate, toLanguage } from '../catalogue.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import type { Serve, Served } from '../interactions/serve.ts';
import { codeBlock, toPayload, type View } from '../views/view.ts';
import type { CardKeeper } from './card-keeper.ts';
import { type IntakeCustomId, isIntakeId, parseIntakeId } from './custom-id.ts';
import { editableTurns, isEditable } from './editable-turns.ts';
import type { IntakePorts } from './intake-ports.ts';
import { MENU_NAME } from './menu-name.ts';
import { discardRow, editForm, editMenu, LONGEST_FIELD, startForm } from './other-forms.ts';
import { formAnswer, roundForm, settleEntries } from './round-form.ts';
import type { SessionReader } from './session-reader.ts';
import type { StartIntake } from './start-intake.ts';
import { isStillMeant, mayAct } from './still-meant.ts';
import type { Suggestions } from './suggestions.ts';
import { discordPlace } from './thread-place.ts';
import { errorView, unavailableView } from './views/said-once.ts';
import { startedView } from './views/started.ts';

export interface IntakeAreaDeps {
	readonly ports: Pick<IntakePorts, 'desk'>;
	readonly reader: SessionReader;
	readonly cards: CardKeeper;
	readonly start: StartIntake;
	readonly suggestions: Suggestions;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** What cannot be shown or done, in words. */
interface Refusal {
	readonly refused: View;
}

/** Buttons, menus, forms and suggestions of the intake. All state is in the store: any process may answer, also later. */
export function createIntakeArea(deps: IntakeAreaDeps): InteractionArea {
	const { ports, reader, cards, log, metrics } = deps;

	const refuse = (t: Translate, key: TextKey, vars?: Record<string, string | number>): Served => ({
		view: { content: t(key, vars) },
		outcome: 'refused',
	});

	/** The session a component belongs to, if this person may act in it. */
	const sessionFor = (
		found: Awaited<ReturnType<SessionReader['read']>>,
		personId: string,
		t: Translate,
	): IntakeSession | Refusal => {
		if (found === 'gone') return { refused: { content: t('intake.gone') } };
		if (found === 'corrupt') return { refused: errorView('E15', undefined, t) };
		return mayAct(found, personId) ? found : { refused: { content: t('intake.notYours') } };
	};

	const oldCard = async (session: IntakeSession, t: Translate): Promise<View> => {
		if (session.state === 'COMPLETE' || session.state === 'CANCELLED')
			return { content: t('intake.over', { state: t(`intake.state.${session.state}`) }) };
		const current = session.questionSets.at(-1)?.id ?? 'progress';
		const message = await cards.messageOf(
			session.id,
			session.state === 'REVIEW' ? `v${session.recompiled + 1}` : current,
		);
		const place = discordPlace(session);
		if (message === undefined || place === undefined) return { content: t('intake.oldCardNoLink') };
		return {
			content: t('intake.oldCard', {
				link: `https://discord.com/channels/${place.guildId}/${place.threadId}/${message}`,
			}),
		};
	};

	const submittedView = (result: Submitted, done: TextKey, t: Translate, words?: string): Served => {
		if (result.kind === 'taken') return { view: { content: t(done) }, outcome: 'done' };
		if (result.kind === 'duplicate') return { view: { content: t('intake.got.nothing') }, outcome: 'done' };
		if (result.kind === 'unknown') return refuse(t, 'intake.gone');
		const view = unavailableView(result.reason, result.kept, t);
		const back = result.kept || words === undefined || words === '' ? {} : { content: codeBlock(words, 1_800) };
		return { view: { ...view, ...back }, outcome: result.kept ? 'done' : 'refused' };
	};

	const handIn = async (session: IntakeSession, event: IntakeEvent, done: TextKey, t: Translate, words?: string) => {
		const result = await ports.desk.submit(session.id, event);
		cards.touch(session.id);
		return submittedView(result, done, t, words);
	};

	/** Opens a form. Nothing is waited for but the store, and that not for long: a form must be the first answer. */
	const openForm = async (
		interaction: MessageComponentInteraction,
		id: IntakeCustomId,
		make: (session: IntakeSession, t: Translate) => APIModalInteractionResponseCallbackData | View | Promise<View>,
	) => {
		const t = createTranslate(toLanguage(interaction.locale));
		const answer = await reader
			.readNow(id.sessionId)
			.then(async (found) => {
				const session = sessionFor(found, interaction.user.id, t);
				return 'refused' in session ? session.refused : make(session, t);
			})
			.catch((error: unknown): View => {
				log.warn({ error, sessionId: id.sessionId }, 'a form could not be opened');
				return { content: t('intake.storeSlow') };
			});
		try {
			if ('custom_id' in answer) await interaction.showModal(answer);
			else await interaction.reply({ ...toPayload(answer), flags: MessageFlags.Ephemeral });
			metrics.count('discord_interactions_total', {
				kind: 'component',
				outcome: 'custom_id' in answer ? 'done' : 'refused',
			});
		} catch (error) {
			const { reason } = toDiscordFailure(error);
			metrics.count('discord_interactions_total', { kind: 'component', outcome: 'late' });
			log.warn(
				{ error, reason, interactionId: interaction.id },
				'a form could not be opened in time; pressing again helps',
			);
		}
	};

	const answerForm = (interaction: MessageComponentInteraction, id: IntakeCustomId) =>
		openForm(interaction, id, (session, t) => {
			const set = session.questionSets.find((one) => one.id === id.detail);
			if (set === undefined || !isStillMeant(session, id)) return oldCard(session, t);
			return roundForm(session.id, set, session.questionSets.indexOf(set) + 1, t);
		});

	const pickedForm = (interaction: MessageComponentInteraction, id: IntakeCustomId) =>
		openForm(interaction, id, (session, t) => {
			const picked = interaction.isStringSelectMenu() ? interaction.values[0] : undefined;
			const turn = editableTurns(session).find((one) => one.id === picked);
			if (turn === undefined || !isEditable(session)) return { content: t('intake.edit.tooLate') };
			if (turn.content.length > LONGEST_FIELD) return { content: t('intake.edit.tooLong') };
			return editForm(session.id, turn, t);
		});

	const press = async (interaction: MessageComponentInteraction, id: IntakeCustomId, t: Translate): Promise<Served> => {
		const session = sessionFor(await reader.read(id.sessionId), interaction.user.id, t);
		if ('refused' in session) return { view: session.refused, outcome: 'refused' };
		if (!isStillMeant(session, id)) return { view: await oldCard(session, t), outcome: 'refused' };
		const by = { id: `f-${interaction.id}`, author: { id: interaction.user.id, bot: false } };
		switch (id.action) {
			case 'send':
				return handIn(session, { kind: 'send_now', ...by }, 'intake.got.send', t);
			case 'skip':
				return handIn(session, { kind: 'skip_round', ...by }, 'intake.got.skip', t);
			case 'finish':
				return handIn(session, { kind: 'finish_now', ...by }, 'intake.got.finish', t);
			case 'lock':
				return handIn(session, { kind: 'lock', ...by }, 'intake.got.lock', t);
			case 'discard':
				return {
					view: { content: t('intake.discardSure'), components: [discardRow(session.id, id.detail, t)] },
					outcome: 'done',
				};
			case 'discard-sure':
				return handIn(session, { kind: 'cancel', ...by, reason: 'discarded' }, 'intake.got.discard', t);
			case 'edit':
				if (!isEditable(session)) return refuse(t, 'intake.edit.tooLate');
				if (editableTurns(session).length === 0) return refuse(t, 'intake.edit.none');
				return { view: { content: t('intake.edit.which'), components: [editMenu(session, t)] }, outcome: 'done' };
			default:
				return { view: await oldCard(session, t), outcome: 'refused' };
		}
	};

	const sent = async (interaction: ModalSubmitInteraction, id: IntakeCustomId, t: Translate): Promise<Served> => {
		const { entries, text } = formAnswer(interaction.fields.fields.values());
		if (id.action === 'start-form') {
			const started = await deps.start({
				channelId: interaction.channelId ?? '',
				personId: interaction.user.id,
				text,
				onceId: `f-${interaction.id}`,
				locale: interaction.locale,
			});
			return startedView(started, text, t);
		}
		const author = { id: interaction.user.id, bot: false };
		const eventId = `f-${interaction.id}`;
		const words = [...entries.map((entry) => entry.text), text].filter((part) => part !== '').join('\n');
		const found = await reader.read(id.sessionId).catch(() => undefined);
		// Without the store nothing can be handed in either, but what was written must not be gone.
		if (found === undefined)
			return submittedView({ kind: 'unavailable', reason: 'redis', kept: false }, 'intake.gone', t, words);
		const session = sessionFor(found, interaction.user.id, t);
		if ('refused' in session) return { view: session.refused, outcome: 'refused' };
		if (id.action === 'edit-form')
			return handIn(
				session,
				{ kind: 'edit_answer', id: eventId, author, turnId: id.detail, text },
				'intake.got.edit',
				t,
				words,
			);
		if (!isStillMeant(session, { ...id, action: 'answer' })) {
			const view = await oldCard(session, t);
			return {
				view: { ...view, content: [view.content, words === '' ? '' : codeBlock(words, 1_500)].join('\n') },
				outcome: 'refused',
			};
		}
		const set = session.questionSets.find((one) => one.id === id.detail);
		const settled = settleEntries(entries, set);
		return handIn(
			session,
			{ kind: 'form', id: eventId, author, setId: id.detail, entries: settled, text },
			'intake.got.form',
			t,
			words,
		);
	};

	const takeComponent = (interaction: MessageComponentInteraction, serve: Serve) => {
		const id = parseIntakeId(interaction.customId);
		if (id?.action === 'answer') return answerForm(interaction, id);
		if (id?.action === 'edit-pick') return pickedForm(interaction, id);
		const as = { kind: 'component' as const, path: `intake ${id?.action ?? 'unknown'}` };
		return serve(interaction, as, async (t) =>
			id === undefined ? refuse(t, 'intake.oldCardNoLink') : press(interaction, id, t),
		);
	};

	const suggest = (interaction: AutocompleteInteraction) =>
		interaction.respond(deps.suggestions.ids(interaction.user.id, interaction.options.getFocused()));

	return {
		take(interaction: Interaction, serve) {
			if (interaction.isAutocomplete() && interaction.commandName === 'intake') return suggest(interaction);
			if (interaction.isMessageComponent() && isIntakeId(interaction.customId))
				return takeComponent(interaction, serve);
			if (interaction.isModalSubmit() && isIntakeId(interaction.customId)) {
				const id = parseIntakeId(interaction.customId);
				const as = { kind: 'form' as const, path: `intake ${id?.action ?? 'unknown'}` };
				return serve(interaction, as, async (t) =>
					id === undefined ? refuse(t, 'intake.oldCardNoLink') : sent(interaction, id, t),
				);
			}
			if (interaction.isMessageContextMenuCommand() && interaction.commandName === MENU_NAME) {
				const { content, id } = interaction.targetMessage;
				return serve(interaction, { kind: 'command', path: MENU_NAME }, async (t) => {
					const wish = {
						channelId: interaction.channelId,
						personId: interaction.user.id,
						text: content,
						onceId: `${id}-${interaction.user.id}`,
						saidIn: id,
						locale: interaction.locale,
					};
					return startedView(await deps.start(wish), content, t);
				});
			}
			const isBareStart =
				interaction.isChatInputCommand() &&
				interaction.commandName === 'intake' &&
				interaction.options.getSubcommand(false) === 'start' &&
				(interaction.options.getString('intent') ?? '').trim() === '';
			if (isBareStart) return interaction.showModal(startForm(createTranslate(toLanguage(interaction.locale))));
			return undefined;
		},
	};
}
