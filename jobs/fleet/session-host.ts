import type { HostPost } from '../../core/fleet/host-post.ts';
import type { HostRegister } from '../../core/fleet/host-register.ts';
import { relist } from '../../core/fleet/relist.ts';
import { type FleetSession, hasEnded } from '../../core/fleet/session.ts';
import { HOSTED_SOURCE, type HostedControl } from '../../core/fleet/session-control.ts';
import type { QuestionStore, SessionInbox, SessionTable } from '../../core/fleet/stores.ts';
import type { Log } from '../../core/ports.ts';
import { createHostAsks } from './host-asks.ts';
import { SESSIONS_MAX } from './wake-scene.ts';

/** What a worker needs to run sessions as its own children. */
export interface HostWork {
	/** Name of this machine in the fleet; its session files belong to that name. */
	readonly host: string;
	directories(): readonly string[];
	/** A fresh way into sessions; opened when the machine becomes ours, closed when it is lost. */
	open(): HostedControl;
}

export interface SessionHostDeps extends HostWork {
	/** Name of this process, new at each start. */
	readonly self: string;
	readonly hosts: HostRegister;
	readonly hostPost: HostPost;
	readonly sessions: Pick<SessionTable, 'list' | 'load'>;
	readonly questions: Pick<QuestionStore, 'bySession'>;
	readonly inbox: Pick<SessionInbox, 'pending'>;
	/** Brings what lies in a session's inbox into it; `busy` while somebody else is at it. */
	bring(sessionId: string, signal: AbortSignal): Promise<string>;
	/** Has that tried again a little later. */
	later(sessionId: string): Promise<void>;
	/** Resolves when nothing is being brought anywhere, or after a few seconds. */
	calm(): Promise<unknown>;
	readonly log: Log;
	/** How often it says that it is there; two seconds when absent. The machine is free five times that after its last word. */
	readonly beatMs?: number;
}

export interface SessionHost {
	/** The way into a session that runs here, while this process holds the machine. */
	controlOf(session: FleetSession): HostedControl | undefined;
	/** Ends the children and gives the machine up. Bounded. */
	stop(): Promise<void>;
}

const BEAT_MS = 2_000;
const HOLD_BEATS = 5;
const INBOX_BEATS = 5;
const RELIST_BEATS = 30;
const BRING_MS = 120_000;

/**
 * Holds this machine among all workers, and while it does, runs its sessions: takes up those that ran before, starts new ones
 * on request, brings what people send, and keeps the list of open questions true.
 */
export function startSessionHost(deps: SessionHostDeps): SessionHost {
	const { host, hosts, hostPost, sessions, questions, self } = deps;
	const beatMs = deps.beatMs ?? BEAT_MS;
	const log = deps.log.child({ host });
	const stopping = new AbortController();
	const asks = createHostAsks({ ...deps, log });
	let control: HostedControl | undefined;
	/** The control has taken up what ran before. */
	let isReady = false;
	let term = 0;
	/** On this process's monotonic clock, counted from before the question: never later than Redis' own end. */
	let heldUntil = 0;
	let beats = 0;
	let isRelistDue = false;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let looking: Promise<void> | undefined;
	let adopting: Promise<void> = Promise.resolve();

	const isServing = () => isReady && !stopping.signal.aborted && performance.now() < heldUntil;
	const isOwn = (session: FleetSession) => session.source === HOSTED_SOURCE && session.host === host;
	const own = async () => (await sessions.list(SESSIONS_MAX)).filter((session) => isOwn(session) && !hasEnded(session));

	async function letGo(why: string): Promise<void> {
		const old = control;
		if (old === undefined) return;
		log.warn({ why }, 'this machine is not ours any more; its sessions end here');
		control = undefined;
		isReady = false;
		await adopting;
		await old.close();
	}

	function takeOver(): void {
		const opened = deps.open();
		control = opened;
		adopting = (async () => {
			const { resumed, ended } = await opened.adopt(await own(), stopping.signal);
			if (control !== opened) return;
			isReady = true;
			log.info({ term, resumed, ended }, 'this machine is ours');
		})().catch(async (error: unknown) => {
			log.warn({ error }, 'the sessions of this machine were not taken up; tried again');
			if (control === opened) control = undefined;
			await opened.close();
		});
	}

	function bringInto(sessionId: string): void {
		deps
			.bring(sessionId, AbortSignal.timeout(BRING_MS))
			.then((result) => (result === 'busy' ? deps.later(sessionId) : undefined))
			.catch((error: unknown) => log.warn({ session: sessionId, error }, 'not delivered; looked at again'));
	}

	async function lookAtInboxes(): Promise<void> {
		for (const session of await own()) if ((await deps.inbox.pending(session.id)) > 0) bringInto(session.id);
	}

	/** The record of open questions against what the agents say. */
	async function relistAll(through: HostedControl): Promise<void> {
		for (const session of await own()) {
			const inAgent = await through.openQuestions(session, stopping.signal);
			if (inAgent !== undefined) {
				const found = relist(await questions.bySession(session.id), inAgent);
				if (found.announce.length > 0 || found.lost.length > 0) through.recall(session, found);
				continue;
			}
			// Its last reports may have come in while the others were looked at.
			const { session: now } = await sessions.load(session.id, [], []);
			if (now !== undefined && !hasEnded(now)) await through.adopt([now], stopping.signal);
		}
	}

	async function beat(): Promise<void> {
		const askedAt = performance.now();
		const holdMs = beatMs * HOLD_BEATS;
		const held = await hosts.hold({ host, directories: deps.directories() }, self, holdMs);
		if (held === undefined) {
			heldUntil = 0;
			return letGo('another process holds it');
		}
		heldUntil = askedAt + holdMs;
		const before = term;
		term = held;
		if (control !== undefined && held > before + 1) await letGo('another process held it meanwhile');
		if (control === undefined) return takeOver();
		if (held !== before) isRelistDue = true;
		beats += 1;
		if (isServing()) look(control);
	}

	/** Beside the beats: none of it may keep this process from saying that it is there. */
	function look(through: HostedControl): void {
		looking ??= (async () => {
			await asks.look(term, through, stopping.signal);
			if (beats % INBOX_BEATS === 0) await lookAtInboxes();
			if (!isRelistDue && beats % RELIST_BEATS !== 0) return;
			isRelistDue = false;
			await relistAll(through);
		})()
			.catch((error: unknown) => log.warn({ error }, 'the sessions of this machine were not looked after this time'))
			.finally(() => {
				looking = undefined;
			});
	}

	function next(delayMs: number): void {
		clearTimeout(timer);
		if (stopping.signal.aborted) return;
		timer = setTimeout(() => {
			if (running) return;
			running = beat()
				.catch((error: unknown) => log.warn({ error }, 'this machine could not say that it is there'))
				.finally(() => {
					running = undefined;
					next(beatMs);
				});
		}, delayMs);
	}

	const unhear = hostPost.onCall(
		host,
		(sessionId) => {
			if (!isServing() || control === undefined) return;
			if (sessionId === undefined) look(control);
			else bringInto(sessionId);
		},
		() => {
			isRelistDue = true;
			beats = -1;
		},
	);
	next(0);

	return {
		controlOf: (session) => (isServing() && isOwn(session) ? control : undefined),
		async stop() {
			stopping.abort();
			clearTimeout(timer);
			await unhear();
			await running;
			await adopting;
			await looking;
			await Promise.all([asks.done(), deps.calm()]);
			await control?.close();
			await hosts.release(host, self).catch(() => undefined);
		},
	};
}
