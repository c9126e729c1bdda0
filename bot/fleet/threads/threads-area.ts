import type { Interaction, MessageComponentInteraction } from 'discord.js';
import { hasEnded } from '../../../core/fleet/session.ts';
import { type FleetAction, mayFleet } from '../../../core/fleet/trust.ts';
import type { Translate } from '../../catalogue.ts';
import type { InteractionArea } from '../../interactions/interactions.ts';
import { toPerson } from '../../interactions/person.ts';
import type { Served } from '../../interactions/serve.ts';
import { presserOf } from '../door/person-of.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { endView } from './header-view.ts';
import { muteSession } from './mute-session.ts';
import type { ThreadHome } from './thread-home.ts';
import { isThreadId, parseThreadId, type ThreadAction } from './thread-id.ts';
import type { ThreadMail } from './thread-mail.ts';
import { showTranscript } from './transcript.ts';

export interface ThreadsAreaDeps extends FleetDeps {
	readonly home: Pick<ThreadHome, 'refresh'>;
	readonly mail: Pick<ThreadMail, 'send'>;
}

const NEEDS: Readonly<Record<ThreadAction, FleetAction>> = {
	transcript: 'look',
	mute: 'mute',
	unmute: 'mute',
	end: 'stop',
	abort: 'stop',
	stop: 'stop',
};
const LINES = 100;

/** Buttons of threads: transcript, mute, stop. */
export function createThreadsArea(deps: ThreadsAreaDeps): InteractionArea {
	const { ports, log } = deps;

	const press = async (interaction: MessageComponentInteraction, t: Translate): Promise<Served> => {
		const refuse = (key: 'fleet.thread.oldButton' | 'fleet.thread.gone' | 'fleet.cmd.refused'): Served => ({
			view: { content: t(key) },
			outcome: 'refused',
		});
		const id = parseThreadId(interaction.customId);
		if (id === undefined) return refuse('fleet.thread.oldButton');
		const { session } = await ports.sessions.load(id.sessionId, [], []);
		if (session === undefined) return refuse('fleet.thread.gone');
		const { discord, fleet } = deps.settings();
		const person = toPerson(interaction, discord.guildId);
		if (!mayFleet(NEEDS[id.action], person, session, discord, fleet)) {
			log.info({ by: person.id, action: id.action, sessionId: session.id }, 'refused: not allowed');
			return refuse('fleet.cmd.refused');
		}
		const by = presserOf(interaction);
		switch (id.action) {
			case 'transcript':
				return { view: await showTranscript(deps, session, LINES, t), outcome: 'done' };
			case 'mute':
			case 'unmute': {
				const muted = id.action === 'mute';
				await muteSession({ sessions: ports.sessions, clock: deps.clock }, session.id, muted, by);
				deps.home
					.refresh(session.id)
					.catch((error: unknown) => log.info({ error }, 'the header follows with the feed'));
				return {
					view: { content: t(muted ? 'fleet.cmd.muted' : 'fleet.cmd.unmuted', { name: session.name }) },
					outcome: 'done',
				};
			}
			case 'end':
				if (hasEnded(session)) return refuse('fleet.thread.gone');
				return { view: endView(session, t), outcome: 'done' };
			default: {
				const sent = await deps.mail.send({
					sessionId: session.id,
					interactionId: interaction.id,
					by,
					kind: id.action,
					mode: 'interrupt',
					text: '',
				});
				return { view: sentView(session.name, sent, id.action, t), outcome: 'done' };
			}
		}
	};

	return {
		take(interaction: Interaction, serve) {
			if (!interaction.isMessageComponent() || !isThreadId(interaction.customId)) return undefined;
			const action = parseThreadId(interaction.customId)?.action ?? 'unknown';
			return serve(interaction, { kind: 'component', path: `fleet ${action}` }, (t) => press(interaction, t));
		},
	};
}

/** What became of something that was sent, for whoever sent it. */
export function sentView(
	name: string,
	{ result, threadId }: Awaited<ReturnType<ThreadMail['send']>>,
	kind: 'message' | 'abort' | 'stop',
	t: Translate,
) {
	if (result.kind !== 'queued' && result.kind !== 'delivered')
		return { content: t('fleet.cmd.notSent', { name, why: result.why }) };
	const where =
		threadId === undefined ? t('fleet.cmd.seeList') : t('fleet.cmd.seeThread', { thread: `<#${threadId}>` });
	return { content: `${t(`fleet.cmd.sent.${kind}`, { name })} ${where}` };
}
