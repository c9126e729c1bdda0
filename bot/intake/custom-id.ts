/** Everything that a button, select or form of an intake can stand for. */
export const INTAKE_ACTIONS = [
	'answer',
	'send',
	'skip',
	'finish',
	'edit',
	'edit-pick',
	'lock',
	'discard',
	'discard-sure',
	'form',
	'edit-form',
	'start-form',
] as const;
export type IntakeAction = (typeof INTAKE_ACTIONS)[number];

/** What a component means. Its state is in the store, so that it works after a restart and in any process. */
export interface IntakeCustomId {
	readonly action: IntakeAction;
	/** `new` where there is no session yet. */
	readonly sessionId: string;
	/** Which card or answer it belongs to: `r2`, `v1`, `t5`; `-` where nothing more is to be said. */
	readonly detail: string;
}

/** `v1:intake:action:session:detail`, within Discord's 100 characters. */
export function formatIntakeId(action: IntakeAction, sessionId: string, detail = '-'): string {
	const id = `v1:intake:${action}:${sessionId}:${detail}`;
	if (id.length > 100) throw new RangeError(`custom id too long: ${id.length}`);
	return id;
}

/** Undefined for anything that this version did not make. */
export function parseIntakeId(text: string): IntakeCustomId | undefined {
	const found = /^v1:intake:([a-z-]+):([A-Za-z0-9_-]{1,40}):([A-Za-z0-9_.-]{1,30})$/.exec(text);
	const action = INTAKE_ACTIONS.find((one) => one === found?.[1]);
	if (found === null || action === undefined) return undefined;
	return { action, sessionId: found[2] ?? '', detail: found[3] ?? '-' };
}

/** Anything of an intake, of whatever version: whoever made it, it is ours to answer. */
export function isIntakeId(text: string): boolean {
	return /^v\d+:intake:/.test(text);
}
