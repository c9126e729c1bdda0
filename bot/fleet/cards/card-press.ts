import type { MessageComponentInteraction, ModalSubmitInteraction } from 'discord.js';
import type { Question, QuestionAnswer } from '../../../core/fleet/question.ts';
import type { Pressed } from '../../../core/fleet/question-desk.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { answerText, type Presser } from '../../../core/fleet/settle-question.ts';
import { type FleetAction, mayFleet } from '../../../core/fleet/trust.ts';
import type { TextKey, Translate, Vars } from '../../catalogue.ts';
import { toPerson } from '../../interactions/person.ts';
import type { Served } from '../../interactions/serve.ts';
import { codeBlock, inline } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetWords } from '../fleet-words.ts';
import { stamp } from '../plain-text.ts';
import { muteSession, readSession } from '../threads/mute-session.ts';
import type { CardId } from './card-id.ts';
import type { CardKeeper } from './card-keeper.ts';
import { lateWords } from './late-words.ts';

export interface CardPressDeps extends Pick<FleetDeps, 'ports' | 'settings' | 'clock'> {
	readonly cards: Pick<CardKeeper, 'touch' | 'dismiss'>;
	readonly openThread: FleetWords['openThread'];
}

type Asking = MessageComponentInteraction | ModalSubmitInteraction;

/** What a control of a card is about. */
export interface PressedOn {
	readonly question: Question | undefined;
	readonly session: FleetSession | undefined;
}

export interface CardPress {
	/** What the control is about, as stored now; undefined when neither question nor session is known any more. */
	read(id: CardId): Promise<PressedOn | undefined>;
	isAllowed(action: FleetAction, interaction: Asking, on: PressedOn): boolean;
	/** A button or a choice. No model stands between it and the session. */
	press(interaction: MessageComponentInteraction, id: CardId, t: Translate): Promise<Served>;
	/** Own words, from the form. */
	say(interaction: ModalSubmitInteraction, id: CardId, words: string, t: Translate): Promise<Served>;
}

/** Does what people press on cards, as theirs. */
export function createCardPress(deps: CardPressDeps): CardPress {
	const { ports, settings, clock, cards } = deps;

	const told = (t: Translate, outcome: Served['outcome'], key: TextKey, vars?: Vars): Served => ({
		view: { content: t(key, vars) },
		outcome,
	});

	const read: CardPress['read'] = async (id) => {
		const isQuestion = id.needId.startsWith('q');
		const question = isQuestion ? await ports.questions.read(id.needId) : undefined;
		const session = await readSession(ports.sessions, question?.sessionId ?? id.detail);
		return question === undefined && (isQuestion || session === undefined) ? undefined : { question, session };
	};

	const isAllowed: CardPress['isAllowed'] = (action, interaction, { session }) => {
		const { discord, fleet } = settings();
		return mayFleet(action, toPerson(interaction, discord.guildId), session, discord, fleet);
	};

	/** How it went, and the words again where they were not taken: nobody should have to write them twice. */
	const outcome = (result: Pressed, by: Presser, t: Translate, words?: string): Served => {
		const back = words === undefined ? '' : `\n${codeBlock(words, 1_500)}`;
		if (result.kind === 'unknown') return { view: { content: t('fleet.card.gone') + back }, outcome: 'refused' };
		if (result.kind === 'invalid') {
			const why = words === undefined ? 'fleet.card.notAChoice' : 'fleet.card.onlyChoices';
			return { view: { content: t(why) + back }, outcome: 'refused' };
		}
		const { question } = result;
		if (result.kind === 'late') return { view: { content: lateWords(question, by, t) + back }, outcome: 'refused' };
		const vars = { name: inline(question.sessionName, 80), answer: inline(answerText(question), 900) };
		return told(t, 'done', 'fleet.card.taken', vars);
	};

	const answer = async (id: CardId, given: QuestionAnswer, by: Presser, t: Translate) => {
		const result = await ports.questionDesk.answer(id.needId, given, by);
		cards.touch(id.needId);
		return outcome(result, by, t);
	};

	const mute = async (sessionId: string, muted: boolean, by: Presser, t: Translate): Promise<Served> => {
		const session = await muteSession({ sessions: ports.sessions, clock }, sessionId, muted, by);
		if (session === undefined) return told(t, 'refused', 'fleet.card.gone');
		return told(t, 'done', muted ? 'fleet.card.mutedNow' : 'fleet.card.unmutedNow', { name: inline(session.name, 80) });
	};

	const dismiss = async (id: CardId, name: string, by: Presser, t: Translate): Promise<Served> => {
		const { kind, record } = await cards.dismiss(id.needId, by.who);
		cards.touch(id.needId);
		if (kind === 'dismissed') return told(t, 'done', 'fleet.card.dismissedNow', { name: inline(name, 80) });
		const settled = record?.settled;
		if (settled === undefined) return told(t, 'refused', 'fleet.card.gone');
		const when = stamp(settled.at);
		const isOver = settled.how === 'over';
		return told(t, 'refused', isOver ? 'fleet.card.over' : 'fleet.card.dismissed', {
			when,
			who: inline(settled.who ?? '', 60),
		});
	};

	const thread = async (sessionId: string, t: Translate): Promise<Served> => {
		const place = await deps.openThread(sessionId);
		if (place === undefined) return told(t, 'refused', 'fleet.card.noThread');
		return told(t, 'done', 'fleet.card.thread', { thread: `<#${place.threadId}>` });
	};

	return {
		read,
		isAllowed,
		async press(interaction, id, t) {
			const on = await read(id);
			if (on === undefined) return told(t, 'refused', 'fleet.card.gone');
			const { question } = on;
			const sessionId = question?.sessionId ?? id.detail;
			const name = question?.sessionName ?? on.session?.name ?? '';
			if (!isAllowed(RIGHTS[id.act], interaction, on)) return told(t, 'refused', 'fleet.card.notYours');
			const by = presserOf(interaction);
			switch (id.act) {
				case 'thread':
					return thread(sessionId, t);
				case 'mute':
				case 'unmute':
					return mute(sessionId, id.act === 'mute', by, t);
				case 'dismiss':
					return dismiss(id, name, by, t);
				case 'retry': {
					const result = await ports.questionDesk.retry(id.needId, by);
					cards.touch(id.needId);
					if (result.kind !== 'taken') return outcome(result, by, t);
					return told(t, 'done', 'fleet.card.retried', { name: inline(name, 80) });
				}
				case 'choose':
				case 'select': {
					const places = interaction.isStringSelectMenu() ? interaction.values : [id.detail];
					return answer(id, { values: places.map((one) => question?.choices[Number(one)]?.value ?? '') }, by, t);
				}
				default:
					return told(t, 'refused', 'fleet.card.old');
			}
		},
		async say(interaction, id, words, t) {
			const on = await read(id);
			const by = presserOf(interaction);
			if (on === undefined) return outcome({ kind: 'unknown' }, by, t, words);
			const isAnswer = on.question !== undefined;
			if (!isAllowed(isAnswer ? 'answer' : 'message', interaction, on))
				return told(t, 'refused', 'fleet.card.notYours');
			if (isAnswer) {
				const result = await ports.questionDesk.answerInWords(id.needId, words, by);
				cards.touch(id.needId);
				return outcome(result, by, t, words);
			}
			const item = { id: `f-${interaction.id}`, kind: 'message' as const, mode: 'queue' as const, text: words };
			const result = await ports.messageDesk.send(id.detail, item, by);
			const name = inline(on.session?.name ?? '', 80);
			if (result.kind === 'queued' || result.kind === 'delivered')
				return told(t, 'done', 'fleet.card.sentQueued', { name });
			const sorry = t('fleet.card.sentFailed', { name, why: inline(result.why, 300) });
			return { view: { content: `${sorry}\n${codeBlock(words, 1_500)}` }, outcome: 'refused' };
		},
	};
}

const RIGHTS: Readonly<Record<CardId['act'], FleetAction>> = {
	choose: 'answer',
	select: 'answer',
	reply: 'answer',
	words: 'answer',
	retry: 'answer',
	dismiss: 'answer',
	thread: 'look',
	mute: 'mute',
	unmute: 'mute',
};

/** Who pressed, as the record names them. */
function presserOf({ user, member }: Asking): Presser {
	const nick = member !== null && 'displayName' in member ? member.displayName : undefined;
	return { whoId: user.id, who: nick ?? user.displayName };
}
