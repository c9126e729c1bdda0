/** What the buttons around a session's thread do. */
export const THREAD_ACTIONS = ['transcript', 'mute', 'unmute', 'end', 'abort', 'stop'] as const;
export type ThreadAction = (typeof THREAD_ACTIONS)[number];

export interface ThreadCustomId {
	readonly action: ThreadAction;
	readonly sessionId: string;
}

/** Everything needed is in the stores, so that a button works after a restart and in any process. */
export function formatThreadId(action: ThreadAction, sessionId: string): string {
	return `v1:fleetthread:${action}:${sessionId}`;
}

/** Undefined for anything that this version did not make. */
export function parseThreadId(text: string): ThreadCustomId | undefined {
	const found = /^v1:fleetthread:([a-z]+):([a-z0-9]{1,40})$/.exec(text);
	const action = THREAD_ACTIONS.find((one) => one === found?.[1]);
	return action === undefined ? undefined : { action, sessionId: found?.[2] ?? '' };
}

/** Any button of a thread, of whatever version. */
export function isThreadId(text: string): boolean {
	return /^v\d+:fleetthread:/.test(text);
}
