import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';

/** What was written and waits to be sent as one answer; nothing when nothing waits. */
export function pendingText({ pending }: IntakeSession, t: Translate): string[] {
	const count = pending?.parts.length ?? 0;
	if (pending === undefined || count === 0) return [];
	if (pending.quietUntil === undefined) return [t('intake.round.waiting', { count })];
	return [t('intake.round.collecting', { count, when: `<t:${Math.ceil(pending.quietUntil / 1_000)}:R>` })];
}
