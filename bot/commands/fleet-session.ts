import { bare } from '../../core/fleet/quote.ts';
import { hasEnded } from '../../core/fleet/session.ts';
import { bySession, byUrgency, sessionLine } from '../../core/fleet/session-line.ts';
import { sessionDetails } from '../../core/fleet/thread-view.ts';
import { wordingOf } from '../../core/fleet/wording/wording-of.ts';
import { localDay } from '../../core/local-day.ts';
import type { FleetDeps } from '../fleet/fleet-deps.ts';
import { stamp } from '../fleet/plain-text.ts';
import { sessionRow } from '../fleet/session-row.ts';
import type { FleetThreads } from '../fleet/threads/fleet-threads.ts';
import { endView } from '../fleet/threads/header-view.ts';
import { muteSession } from '../fleet/threads/mute-session.ts';
import { sentView } from '../fleet/threads/threads-area.ts';
import { showTranscript } from '../fleet/threads/transcript.ts';
import { clip, inline } from '../views/view.ts';
import type { Command } from './command.ts';
import { byOf, type FleetCommandMaker } from './fleet-command.ts';

export interface SessionCommandDeps extends FleetDeps {
	readonly make: FleetCommandMaker;
	readonly threads: Pick<FleetThreads, 'home' | 'mail'>;
}

const LISTED = 20;
const SESSIONS_MAX = 1_000;
const QUESTIONS_MAX = 500;

/** `/session …`, all but its start. */
export function createSessionCommands(deps: SessionCommandDeps): readonly Command[] {
	const { make, ports, threads, clock, log } = deps;

	return [
		make.plain(
			{ path: 'session list', help: 'fleet.cmd.help.list', example: '/session list' },
			'look',
			async ({ t, text, language }) => {
				const [all, questions, places] = await Promise.all([
					ports.sessions.list(SESSIONS_MAX),
					ports.questions.unsettled(QUESTIONS_MAX),
					ports.places.places(),
				]);
				const state = text('state');
				const sessions = all.filter((one) => state === undefined || one.state === state).sort(byUrgency);
				if (sessions.length === 0)
					return { content: t(all.length === 0 ? 'fleet.cmd.noSessions' : 'fleet.cmd.noneSo') };
				const open = bySession(questions);
				const threadOf = new Map(places.map(({ sessionId, threadId }) => [sessionId, threadId]));
				const now = clock.now();
				const day = localDay(now, deps.settings().fleet.timeZone);
				const rows = sessions.slice(0, LISTED).map((session) => {
					const asked = open.get(session.id) ?? [];
					return sessionRow(session, { questions: asked, day, threadId: threadOf.get(session.id), now, language });
				});
				const rest = sessions.length - rows.length;
				const file = sessions.map((session) => sessionLine(session, { questions: open, day, now })).join('\n');
				return {
					embeds: [
						{ title: t('fleet.cmd.listTitle', { count: sessions.length }), description: clip(rows.join('\n'), 4_000) },
					],
					...(rest > 0
						? {
								content: t('fleet.cmd.listRest', { count: rest }),
								files: [{ name: 'sessions.txt', text: `${file}\n` }],
							}
						: {}),
				};
			},
		),
		make.about(
			{ path: 'session show', help: 'fleet.cmd.help.show', example: '/session show session:api-fix transcript:50' },
			'look',
			async (session, { t, number, language }) => {
				const lines = number('transcript');
				const questions = await ports.questions.bySession(session.id);
				const { timeZone } = deps.settings().fleet;
				const plain = (text: string) => inline(text, 700);
				const words = wordingOf(language);
				const details = sessionDetails({ session, questions, now: clock.now(), timeZone, ago: stamp, plain, words });
				const embed = { description: clip(details, 3_500) };
				if (lines === undefined || lines < 1) return { embeds: [embed] };
				return { ...(await showTranscript(deps, session, lines, t)), embeds: [embed] };
			},
		),
		make.about(
			{
				path: 'session send',
				help: 'fleet.cmd.help.send',
				example: '/session send session:api-fix text:Use v2 mode:queue',
			},
			'message',
			async (session, request) => {
				const { t, interactionId } = request;
				const text = request.text('text')?.trim() ?? '';
				if (text === '') return { refused: 'fleet.thread.noText' };
				const mode = request.text('mode') === 'interrupt' ? 'interrupt' : 'queue';
				const by = byOf(request);
				const sent = await threads.mail.send({ sessionId: session.id, interactionId, by, kind: 'message', mode, text });
				return sentView(session.name, sent, 'message', t);
			},
		),
		make.about(
			{ path: 'session stop', help: 'fleet.cmd.help.stop', example: '/session stop session:api-fix' },
			'stop',
			async (session, { t }) =>
				hasEnded(session)
					? { refused: 'fleet.cmd.ended', vars: { name: bare(session.name, 60) } }
					: endView(session, t),
		),
		make.about(
			{ path: 'session thread', help: 'fleet.cmd.help.thread', example: '/session thread session:api-fix' },
			'look',
			async (session, { t }) => {
				const thread = await threads.home.open(session.id);
				if (thread === undefined) return { refused: 'fleet.cmd.noThread' };
				return { content: t('fleet.cmd.thread', { name: bare(session.name, 60), thread: `<#${thread.id}>` }) };
			},
		),
		make.about(
			{ path: 'session mute', help: 'fleet.cmd.help.mute', example: '/session mute session:api-fix value:on' },
			'mute',
			async (session, request) => {
				const muted = request.text('value') !== 'off';
				await muteSession({ sessions: ports.sessions, clock }, session.id, muted, byOf(request));
				log.info({ by: request.person.id, sessionId: session.id, muted }, 'session muted or not');
				threads.home
					.refresh(session.id)
					.catch((error: unknown) => log.info({ error }, 'the header follows with the feed'));
				return {
					content: request.t(muted ? 'fleet.cmd.muted' : 'fleet.cmd.unmuted', { name: bare(session.name, 60) }),
				};
			},
		),
	];
}
