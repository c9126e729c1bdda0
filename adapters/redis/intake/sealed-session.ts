import type { Effect } from '../../../core/intake/effect.ts';
import { isWorkEffect } from '../../../core/intake/intake-work.ts';
import { type IntakeSession, intakePlace, type NewSession } from '../../../core/intake/session.ts';
import { SHOWN_EFFECTS, type SurfaceName } from '../../../core/intake/surface.ts';
import type { Sealer } from './sealer.ts';

/** What may be seen without a key: ids, times and where the session stands. */
export function sessionMeta(session: IntakeSession): string[] {
	const { place } = session;
	return [
		...['requester', session.requesterId],
		...['state', session.state],
		...['round', `${session.roundCount}`],
		...['created', `${session.createdAt}`],
		...['updated', `${session.updatedAt}`],
		...['review', session.review ? '1' : '0'],
		...['language', session.language],
		...['place', JSON.stringify(place)],
		...(place.kind === 'discord' ? ['thread', place.threadId] : []),
	];
}

/** Fields of the meta from which a damaged session can be closed. */
export const REMAINS = ['requester', 'place', 'review', 'language'] as const;

export function readRemains(
	id: string,
	revision: number,
	[requesterId, place, review, language]: readonly (string | null)[],
): (NewSession & { readonly revision: number }) | undefined {
	try {
		const found = intakePlace.parse(JSON.parse(place ?? ''));
		return {
			id,
			revision,
			place: found,
			requesterId: requesterId ?? '',
			language: language ?? 'en',
			review: review === '1',
		};
	} catch {
		return undefined;
	}
}

/** Effects as the scripts take them: where each goes, its id, and itself sealed. Those only written down are left out. */
export function sealEffects(
	sealer: Sealer,
	session: IntakeSession,
	effects: readonly Effect[],
): [SurfaceName | 'work', string, string][] {
	return effects.flatMap((effect): [SurfaceName | 'work', string, string][] => {
		const sealed = () => sealer.seal(JSON.stringify(effect), `${session.id}|effect|${effect.id}`);
		if (isWorkEffect(effect)) return [['work', effect.id, sealed()]];
		if (!(SHOWN_EFFECTS as readonly string[]).includes(effect.kind)) return [];
		// Somebody has to look, wherever the person is.
		const surface = effect.kind === 'notify_admin' ? 'discord' : session.place.kind;
		return [[surface, effect.id, sealed()]];
	});
}
