import { createPiControl } from '../../adapters/fleet/pi/pi-control.ts';
import type { PiDeps } from '../../adapters/fleet/pi/pi-deps.ts';
import type { FleetSettings } from '../../config/fleet.ts';
import { applyReports } from '../../core/fleet/apply-reports.ts';
import type { Question } from '../../core/fleet/question.ts';
import type { ReportOrigin, SessionReport } from '../../core/fleet/report.ts';
import { type FleetSession, sessionId } from '../../core/fleet/session.ts';
import type { HostedControl } from '../../core/fleet/session-control.ts';
import type { SessionView } from '../../core/fleet/stores.ts';
import { localDay } from '../../core/local-day.ts';
import { eventually } from './fakes/eventually.ts';
import { createMemoryLog } from './fakes/memory-log.ts';

/** A fleet in memory that takes reports by the real rules. */
export function createMemoryFleet() {
	const sessions = new Map<string, FleetSession>();
	const questions = new Map<string, Question>();
	const known = new Set<string>();
	const reports: SessionReport[] = [];
	return {
		reports,
		sessions,
		questions,
		sink: async (origin: ReportOrigin, batch: readonly SessionReport[]) => {
			reports.push(...batch);
			const id = sessionId(origin.source, origin.host, (batch[0] as SessionReport).session.nativeId);
			const session = sessions.get(id);
			const view: SessionView = {
				session,
				version: session === undefined ? 0 : 1,
				questions: [...questions.values()].filter((question) => question.sessionId === id),
				known,
			};
			const names = new Map([...sessions.values()].map((one) => [one.id, one.name.toLowerCase()]));
			const now = Date.now();
			const change = applyReports({ view, reports: batch, origin, names, watches: [], day: localDay(now, 'UTC'), now });
			if (change === undefined) return;
			sessions.set(id, change.session);
			for (const question of change.questions) questions.set(question.id, question);
			for (const reportId of change.reportIds) known.add(reportId);
		},
	};
}

export interface PiRig {
	readonly control: HostedControl;
	readonly fleet: ReturnType<typeof createMemoryFleet>;
	readonly log: ReturnType<typeof createMemoryLog>;
	start(
		name: string,
		directory: string,
		more?: { task?: string; resumeFile?: string; model?: string },
	): Promise<string>;
	session(id: string): FleetSession;
	until(id: string, state: FleetSession['state']): Promise<FleetSession>;
	openQuestion(id: string): Promise<Question>;
	send(id: string, item: Partial<Parameters<HostedControl['deliver']>[1]>): ReturnType<HostedControl['deliver']>;
}

const WAIT_MS = 30_000;

/** The pi adapter on a fleet in memory. */
export function createPiRig(
	home: { sessions: string; env: NodeJS.ProcessEnv; settings: FleetSettings['pi'] },
	more: Partial<PiDeps> = {},
	fleet = createMemoryFleet(),
): PiRig {
	const log = createMemoryLog();
	let last = 0;
	const id = () => `${process.pid}-${Date.now()}-${++last}`;
	const control = createPiControl({
		settings: home.settings,
		host: 'here',
		sessionsDir: home.sessions,
		env: home.env,
		sink: fleet.sink,
		clock: { now: () => Date.now() },
		random: { next: () => 0.5, id },
		log,
		...more,
	});
	const session = (of: string) => {
		const found = fleet.sessions.get(of);
		if (found === undefined) throw new Error(`no session ${of}`);
		return found;
	};
	return {
		control,
		fleet,
		log,
		session,
		async start(name, directory, wish = {}) {
			const signal = AbortSignal.timeout(120_000);
			const result = await control.start({ name, directory, ownerId: '1', ...wish }, signal);
			if (result.kind !== 'started') throw new Error(`not started: ${JSON.stringify(result)}`);
			await eventually(() => fleet.sessions.has(result.sessionId), WAIT_MS);
			return result.sessionId;
		},
		until: (of, state) =>
			eventually(() => {
				const found = session(of);
				if (found.state !== state) throw new Error(`state is ${found.state}, not ${state}`);
				return found;
			}, WAIT_MS),
		openQuestion: (of) =>
			eventually(() => {
				const open = [...fleet.questions.values()].find((one) => one.sessionId === of && one.state === 'open');
				if (open === undefined) throw new Error('no open question');
				return open;
			}, WAIT_MS),
		send: (of, item) =>
			control.deliver(
				session(of),
				{
					id: id(),
					at: Date.now(),
					kind: 'message',
					mode: 'queue',
					from: { role: 'person', who: 'alex', whoId: '1' },
					...item,
				},
				AbortSignal.timeout(60_000),
			),
	};
}
