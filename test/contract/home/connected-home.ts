import { createHomeAssistant, type HomeAssistant, type HomeTiming } from '../../../adapters/home/home-assistant.ts';
import type { HomeChange, HomeStatus } from '../../../core/home/home-port.ts';
import { createTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import type { HomeRig } from './home-rig.ts';

interface LogLine {
	readonly level: 'info' | 'warn' | 'error';
	readonly fields: unknown;
	readonly message: string;
}

/** The adapter under test, behind a line that can be cut, with everything it has told. */
export interface ConnectedHome {
	readonly home: HomeAssistant;
	readonly line: TcpProxy;
	readonly changes: readonly HomeChange[];
	readonly phases: readonly HomeStatus['phase'][];
	readonly logged: readonly LogLine[];
	/** Waits until the phase is reached; fails after a minute. */
	reach(phase: HomeStatus['phase']): Promise<void>;
	close(): Promise<void>;
}

/** Short waits, so that a scenario need not sit through the ones meant for a household. */
export const quickTiming: Partial<HomeTiming> = {
	firstRetryMs: 100,
	longestRetryMs: 500,
	firstAuthRetryMs: 300,
	longestAuthRetryMs: 600,
	authTries: 3,
	pingEveryMs: 400,
	pingTimeoutMs: 1_500,
	startPollMs: 100,
};

export async function openConnectedHome(rig: HomeRig, timing: Partial<HomeTiming> = {}): Promise<ConnectedHome> {
	const line = await createTcpProxy(rig.url);
	const changes: HomeChange[] = [];
	const phases: HomeStatus['phase'][] = [];
	const logged: LogLine[] = [];
	const keep = (level: LogLine['level']) => (fields: unknown, message: string) => {
		logged.push({ level, fields, message });
	};
	const home = createHomeAssistant({
		url: line.url,
		token: rig.token,
		entityIds: [...Object.values(rig.entities), 'light.never_there'],
		log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
		now: Date.now,
		timing: { ...quickTiming, ...timing },
	});
	home.onChange((change) => changes.push(change));
	home.onStatus(({ phase }) => phases.push(phase));
	return {
		home,
		line,
		changes,
		phases,
		logged,
		async reach(phase) {
			await eventually(() => home.status().phase === phase, `phase ${phase}`);
		},
		async close() {
			await home.stop();
			await line.close();
		},
	};
}

/** Polls until something holds; fails with its description after a minute. */
export async function eventually(
	holds: () => boolean | Promise<boolean>,
	what: string,
	withinMs = 60_000,
): Promise<void> {
	const giveUpAt = Date.now() + withinMs;
	while (!(await holds())) {
		if (Date.now() > giveUpAt) throw new Error(`did not happen in time: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
