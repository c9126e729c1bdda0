import type { StartRequest, StartResult } from '../../core/fleet/session-control.ts';
import { cleanName } from '../../core/fleet/session-name.ts';
import type { FleetDeps } from '../fleet/fleet-deps.ts';
import type { FleetThreads } from '../fleet/threads/fleet-threads.ts';
import { inline } from '../views/view.ts';
import type { Command, CommandRequest, CommandResult } from './command.ts';
import { byOf, type FleetCommandMaker } from './fleet-command.ts';

export interface StartCommandDeps extends FleetDeps {
	readonly make: FleetCommandMaker;
	readonly threads: Pick<FleetThreads, 'home'>;
}

/** Beyond the time that the session itself has to get ready. */
const SLACK_MS = 30_000;

/** `/session start`: a new session on whichever machine offers the folder. */
export function createStartCommand(deps: StartCommandDeps): Command {
	const { ports, threads, log } = deps;

	const refused = async ({ code, why }: Extract<StartResult, { code: unknown }>): Promise<CommandResult> => {
		const hosts = (await ports.startDesk?.hosts().catch(() => [])) ?? [];
		const folders = hosts.flatMap(({ host, directories }) => directories.map((one) => `${one} (${host})`));
		const offered = code === 'directory_not_allowed' ? inline(folders.join(', '), 800) : '';
		return {
			refused: `fleet.cmd.start.${code}`,
			vars: { why: inline(why, 500), folders: offered === '' ? '–' : offered },
		};
	};

	const started = async (
		{ sessionId, name }: Extract<StartResult, { kind: 'started' }>,
		{ t }: CommandRequest,
	): Promise<CommandResult> => {
		const thread = await threads.home.open(sessionId).catch((error: unknown) => {
			log.warn({ error, sessionId }, 'a started session has no thread yet');
			return undefined;
		});
		const where =
			thread === undefined ? t('fleet.cmd.seeList') : t('fleet.cmd.seeThread', { thread: `<#${thread.id}>` });
		return { content: `${t('fleet.cmd.started', { name: inline(name, 60) })} ${where}` };
	};

	return deps.make.plain(
		{
			path: 'session start',
			help: 'fleet.cmd.help.start',
			example: '/session start name:api-fix directory:/home/me/api task:Fix the login test',
		},
		'start',
		async (request) => {
			if (ports.startDesk === undefined) return { refused: 'fleet.cmd.start.off' };
			const name = cleanName(request.text('name') ?? '');
			const directory = request.text('directory')?.trim() ?? '';
			if (name === undefined || directory === '') return { refused: 'fleet.cmd.start.incomplete' };
			const given = (option: string) => {
				const value = request.text(option)?.trim();
				return value === undefined || value === '' ? {} : { [option]: value };
			};
			const { whoId } = byOf(request);
			const wish: StartRequest = {
				name,
				directory,
				ownerId: whoId,
				...given('task'),
				...given('host'),
				...given('model'),
			};
			const signal = AbortSignal.timeout(deps.settings().fleet.pi.readyTimeoutMs + SLACK_MS);
			log.info({ by: whoId, name, directory }, 'a session is started');
			const result = await ports.startDesk.start(`c-${request.interactionId}`, wish, signal);
			return result.kind === 'started' ? started(result, request) : refused(result);
		},
	);
}
