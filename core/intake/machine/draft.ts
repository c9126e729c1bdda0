import type { IntakeSettings } from '../../../config/intake.ts';
import type { AuditEntry, Effect, NoticeCode } from '../effect.ts';
import type { IntakeErrorCode } from '../error-code.ts';
import type { IntakeSession, IntakeState } from '../session.ts';

/** Leaves out the id, which the draft gives. */
type Bare<One> = One extends Effect ? Omit<One, 'id'> : never;
export type NewEffect = Bare<Effect>;

/**
 * One step in the making. `session` is a copy whose members are replaced, never changed in place; the session that went in
 * stays as it was.
 */
export interface Draft {
	session: IntakeSession;
	readonly settings: IntakeSettings;
	readonly now: number;
	readonly effects: Effect[];
}

export function openDraft(session: IntakeSession, settings: IntakeSettings, now: number): Draft {
	return { session: { ...session }, settings, now, effects: [] };
}

/** Adds an effect under an id that the same step gives again when it is computed again. */
export function emit(draft: Draft, effect: NewEffect): void {
	const id = `${draft.session.id}:${draft.session.revision + 1}.${draft.effects.length}`;
	draft.effects.push({ ...effect, id } as Effect);
}

export function change(draft: Draft, members: Partial<IntakeSession>): void {
	draft.session = { ...draft.session, ...members };
}

/** Every change of state goes through here, so that none is unlogged. */
export function move(draft: Draft, to: IntakeState, cause: string): void {
	const from = draft.session.state;
	change(draft, { state: to });
	emit(draft, { kind: 'log', from, to, cause });
}

export function notice(draft: Draft, code: NoticeCode, detail?: string): void {
	emit(draft, detail === undefined ? { kind: 'notice', code } : { kind: 'notice', code, detail });
}

/** Tells the person, remembers it, and leaves a row on the trail. */
export function fail(draft: Draft, code: IntakeErrorCode, detail?: string): void {
	change(draft, { lastError: { code, at: draft.now } });
	emit(draft, detail === undefined ? { kind: 'error', code } : { kind: 'error', code, detail });
	audit(draft, { what: 'refused', code, at: draft.now });
}

export function audit(draft: Draft, entry: AuditEntry): void {
	emit(draft, { kind: 'audit', entry });
}
