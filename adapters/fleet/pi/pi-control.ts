import { anySignal } from '../../../core/any-signal.ts';
import { type FleetSession, hasEnded, sessionId } from '../../../core/fleet/session.ts';
import type { DeliveryResult, HostedControl, StartRequest, StartResult } from '../../../core/fleet/session-control.ts';
import { createReportQueue } from '../report-queue.ts';
import { untilAborted } from '../until-aborted.ts';
import { allowedDirectory } from './allowed-directory.ts';
import { type KeepWish, type KeptSession, keepSession } from './kept-session.ts';
import { launchPi } from './launch-pi.ts';
import { PI_TIMING, type PiDeps } from './pi-deps.ts';
import { readSessionFile } from './session-file.ts';

const DRAIN_MS = 5_000;

/** pi sessions on this machine, as children of this process. */
export function createPiControl(deps: PiDeps): HostedControl {
	const { settings } = deps;
	const endGraceMs = deps.timing?.endGraceMs ?? PI_TIMING.endGraceMs;
	const kept = new Map<string, KeptSession>();
	/** Starts under way count as sessions, so that several at once do not pass the limit together. */
	const starting = new Map<string, string>();
	const closing = new AbortController();

	const nameTaken = (name: string) =>
		[...kept.values()].some((session) => session.name.toLowerCase() === name.toLowerCase()) ||
		[...starting.values()].some((taken) => taken.toLowerCase() === name.toLowerCase());

	async function launch(wish: KeepWish, signal: AbortSignal) {
		const launched = await launchPi(deps, wish, endGraceMs, anySignal([signal, closing.signal]));
		if (launched.kind === 'failed') return launched;
		const session = keepSession(deps, wish, launched.session, launched.state);
		kept.set(session.nativeId, session);
		void session.over.then(() => {
			if (kept.get(session.nativeId) === session) kept.delete(session.nativeId);
		});
		return { kind: 'kept', session } as const;
	}

	async function start(request: StartRequest, signal: AbortSignal): Promise<StartResult> {
		const refused = (code: Extract<StartResult, { code: unknown }>['code'], why: string): StartResult => ({
			kind: 'refused',
			code,
			why,
		});
		const { name } = request;
		if (nameTaken(name)) return refused('name_taken', `a session named ${name} is running already`);
		if (kept.size + starting.size >= settings.maxSessions) {
			return refused('too_many', `${settings.maxSessions} sessions are the most that may run here at once`);
		}
		const ticket = deps.random.id();
		starting.set(ticket, name);
		try {
			const directory = await allowedDirectory(request.directory, settings.directories);
			if (!directory.ok) return refused('directory_not_allowed', directory.why);
			const file = request.resumeFile === undefined ? undefined : await readSessionFile(request.resumeFile);
			if (request.resumeFile !== undefined) {
				if (file === undefined) return refused('no_such_file', 'that is no session file of pi');
				const itsOwn = await allowedDirectory(file.directory, settings.directories);
				if (!itsOwn.ok) return refused('directory_not_allowed', `the session's own folder is ${itsOwn.why}`);
				if (kept.has(file.nativeId)) return refused('name_taken', 'that session is running already');
			}
			const wish: KeepWish = {
				name,
				directory: directory.path,
				ownerId: request.ownerId,
				lastReport: 0,
				runId: ticket,
				...(request.model === undefined ? {} : { model: request.model }),
				...(file === undefined ? {} : { file: file.path, nativeId: file.nativeId }),
			};
			const launched = await launch(wish, signal);
			if (launched.kind === 'failed') return launched;
			const { session } = launched;
			if (request.task?.trim()) {
				const from = { role: 'person', who: 'owner', whoId: request.ownerId } as const;
				const at = deps.clock.now();
				const task = { id: `task:${ticket}`, at, kind: 'message', from, mode: 'queue', text: request.task } as const;
				const told = await session.deliver(task);
				if (told.kind !== 'delivered' && told.kind !== 'queued') {
					deps.log.warn({ session: name, why: told.why }, 'a new pi session did not take its task');
				}
			}
			// Whoever asked for it looks for it at once.
			await untilAborted(session.known, signal, undefined);
			return { kind: 'started', sessionId: sessionId('pi', deps.host, session.nativeId), name };
		} catch (error) {
			deps.log.error({ err: error }, 'starting a pi session failed');
			return { kind: 'failed', code: 'not_ready', why: 'something went wrong on the way; the log has it' };
		} finally {
			starting.delete(ticket);
		}
	}

	/** A session of an earlier process that nobody can bring back. */
	async function reportLost(session: FleetSession, reason: string): Promise<void> {
		const queue = createReportQueue({
			origin: { source: 'pi', host: deps.host },
			sink: deps.sink,
			clock: deps.clock,
			log: deps.log.child({ session: session.name }),
			runId: deps.random.id(),
			lastReport: session.lastReport,
		});
		queue.push({ kind: 'ended', data: { reason } }, { nativeId: session.nativeId });
		await queue.drained(DRAIN_MS);
		queue.close();
	}

	async function adoptOne(session: FleetSession, signal: AbortSignal): Promise<boolean> {
		const file = session.file === undefined ? undefined : await readSessionFile(session.file);
		const directory = await allowedDirectory(session.directory ?? '', settings.directories);
		const why =
			file === undefined || file.nativeId !== session.nativeId
				? 'lost with the service: it had no session file yet'
				: !directory.ok
					? 'its folder is not allowed any more'
					: kept.size >= settings.maxSessions
						? 'more sessions than may run here at once'
						: undefined;
		if (why !== undefined || file === undefined || !directory.ok) {
			await reportLost(session, why ?? 'lost with the service');
			return false;
		}
		const launched = await launch(
			{
				name: session.name,
				directory: directory.path,
				lastReport: session.lastReport,
				runId: deps.random.id(),
				file: file.path,
				nativeId: file.nativeId,
				...(session.ownerId === undefined ? {} : { ownerId: session.ownerId }),
			},
			signal,
		);
		if (launched.kind === 'kept') return true;
		await reportLost(session, `it could not be taken up again: ${launched.why}`);
		return false;
	}

	const find = (session: FleetSession) =>
		session.source === 'pi' && session.host === deps.host ? kept.get(session.nativeId) : undefined;

	return {
		source: 'pi',
		can: { start: true, message: true, interrupt: true, answer: true, abort: true, stop: true },
		start,
		async deliver(session, item, signal): Promise<DeliveryResult> {
			const live = find(session);
			if (live === undefined) return { kind: 'gone', why: 'pi is not running here' };
			if (signal.aborted) return { kind: 'failed', why: 'there was no time left' };
			return untilAborted(live.deliver(item), signal, { kind: 'failed', why: 'pi did not take it in time' });
		},
		async openQuestions(session) {
			return find(session)?.openQuestions();
		},
		async transcript(session, lines, signal) {
			const live = find(session);
			return live === undefined ? undefined : untilAborted(live.transcript(lines), signal, undefined);
		},
		async adopt(sessions, signal) {
			const mine = sessions.filter(
				(session) =>
					session.source === 'pi' && session.host === deps.host && !hasEnded(session) && !kept.has(session.nativeId),
			);
			let resumed = 0;
			for (const session of mine) if (await adoptOne(session, signal)) resumed += 1;
			return { resumed, ended: mine.length - resumed };
		},
		recall(session, relisted) {
			find(session)?.recall(relisted);
		},
		async close() {
			closing.abort();
			const all = [...kept.values()];
			await Promise.all(all.map((session) => session.leave()));
			await Promise.all(all.map((session) => session.over));
		},
	};
}
