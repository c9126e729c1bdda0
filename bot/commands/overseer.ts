import type { Runtime, Stage } from '../../config/overseer.ts';
import { decideVote } from '../../core/overseer/vote.ts';
import type { RoomReader } from '../room-reader.ts';
import { auditView } from '../views/audit.ts';
import { memoryView } from '../views/memory.ts';
import { panelView } from '../views/panel.ts';
import { statusView } from '../views/status.ts';
import { whyView } from '../views/why.ts';
import { type Command, roomCommand } from './command.ts';

const stages: readonly Stage[] = ['off', 'observe', 'chat', 'full'];
const runtimes: readonly Runtime[] = ['overseer', 'commentary', 'off'];

/** `/overseer …`, and the prompt button of the panel. */
export function createOverseerCommands(reader: RoomReader): readonly Command[] {
	return [
		roomCommand(
			{ path: 'overseer status', action: 'room.view', help: 'command.overseer.status', example: '/overseer status' },
			async (room, { t }) => statusView(await reader.facts(room), t),
		),
		roomCommand(
			{
				path: 'overseer stage',
				action: 'overseer.control',
				help: 'command.overseer.stage',
				example: '/overseer stage observe',
			},
			async (room, { t, text, person }, { overrides, log }) => {
				const stage = stages.find((candidate) => candidate === text('value'));
				if (stage === undefined) return { refused: 'refused.unknownCommand' };
				await overrides.set(room.id, { stage });
				log.info({ by: person.id, room: room.id, stage }, 'stage set');
				return { content: t('done.stage', { room: room.title, stage }) };
			},
		),
		roomCommand(
			{ path: 'overseer panel', action: 'panel.view', help: 'command.overseer.panel', example: '/overseer panel' },
			async (room, { t }) => panelView(await reader.facts(room), t),
		),
		roomCommand(
			{ path: 'overseer why', action: 'panel.view', help: 'command.overseer.why', example: '/overseer why' },
			async (room, { t }, { audit }) => {
				const facts = await reader.facts(room);
				const rows = await audit.query({ room: room.id, limit: 50 });
				return whyView(facts, rows, t);
			},
		),
		roomCommand(
			{
				path: 'overseer audit',
				action: 'audit.view',
				help: 'command.overseer.audit',
				example: '/overseer audit count:20',
			},
			async (room, { t, number }, { audit }) =>
				auditView(room, await audit.query({ room: room.id, limit: number('count') ?? 10 }), t),
		),
		roomCommand(
			{ path: 'overseer memory', action: 'memory.view', help: 'command.overseer.memory', example: '/overseer memory' },
			async (room, { t }, { memory }) => memoryView(room, await memory.read(room.id), t),
		),
		roomCommand(
			{
				path: 'overseer clear',
				action: 'memory.clear',
				help: 'command.overseer.clear',
				example: '/overseer clear context',
			},
			async (room, { t, text, person }, { memory, roomStore, clock, log }) => {
				const what = text('what') === 'memory' ? 'memory' : 'context';
				if (what === 'memory') await memory.clear(room.id);
				else await roomStore.resetContext(room.id, clock.now());
				log.info({ by: person.id, room: room.id, what }, 'cleared');
				return { content: t(what === 'memory' ? 'done.clearedMemory' : 'done.clearedContext', { room: room.title }) };
			},
		),
		roomCommand(
			{ path: 'overseer vote', action: 'overseer.vote', help: 'command.overseer.vote', example: '/overseer vote no' },
			async (room, { t, text, person }, { votes, active, settings }) => {
				const answer = text('answer');
				const vote = answer === 'yes' || answer === 'no' ? answer : undefined;
				await votes.set(room.id, person.id, vote);
				const all = await votes.read(room.id);
				const activeIds = (await active?.(room.id)) ?? Object.keys(all);
				const { yes, no, quiet } = decideVote({ activeIds, votes: all, tie: settings().overseer.vote.tie });
				const key = vote === 'yes' ? 'done.voteYes' : vote === 'no' ? 'done.voteNo' : 'done.voteCleared';
				const notes = [
					...(quiet ? [t('done.voteQuiet')] : []),
					...(vote !== undefined && !activeIds.includes(person.id) ? [t('done.voteAway')] : []),
				];
				return { content: [t(key, { room: room.title, yes, no }), ...notes].join(' ') };
			},
		),
		roomCommand(
			{
				path: 'overseer runtime',
				action: 'overseer.control',
				help: 'command.overseer.runtime',
				example: '/overseer runtime commentary',
			},
			async (room, { t, text, person }, { overrides, log }) => {
				const runtime = runtimes.find((candidate) => candidate === text('value'));
				if (runtime === undefined) return { refused: 'refused.unknownCommand' };
				await overrides.set(room.id, { runtime });
				log.info({ by: person.id, room: room.id, runtime }, 'runtime set');
				return { content: t('done.runtime', { room: room.title, runtime }) };
			},
		),
	];
}

/** Not a slash command: what the panel's prompt button runs. */
export const promptCommand: Command = roomCommand(
	{ path: 'panel prompt', action: 'prompt.view', help: 'command.overseer.panel', example: '' },
	async (room, { t }, { lastPrompt }) => {
		const prompt = await lastPrompt?.(room.id);
		if (prompt === undefined) return { content: t('prompt.none', { room: room.title }) };
		return {
			content: t('prompt.here', { room: room.title }),
			files: [{ name: `${room.id}-prompt.txt`, text: prompt }],
		};
	},
);
