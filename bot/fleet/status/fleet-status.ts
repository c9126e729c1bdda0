import type { FleetSettings } from '../../../config/fleet.ts';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import { failureId } from '../../../core/fleet/needs.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { statusText } from '../../../core/fleet/status-line.ts';
import { wordingOf } from '../../../core/fleet/wording/wording-of.ts';
import type { Language } from '../../catalogue.ts';
import { inline } from '../../views/view.ts';
import type { FleetScene } from '../fleet-scene.ts';
import { stamp } from '../plain-text.ts';

export interface FleetStatusInput {
	readonly scene: FleetScene;
	readonly model: ConciergeModel;
	readonly settings: FleetSettings;
	readonly behind: number;
	readonly now: number;
	readonly language: Language;
}

/** The fleet in one line, as Discord shows it. */
export interface FleetStatus {
	/** For the channel; ages in it count by themselves. */
	readonly line: string;
	/** For the presence. */
	readonly short: string;
	/** Somebody is needed. */
	readonly isNeed: boolean;
}

export function fleetStatus({ scene, model, settings, behind, now, language }: FleetStatusInput): FleetStatus {
	const sessions = withoutDismissed(scene);
	const { line, short } = statusText({
		state: scene.concierge,
		model,
		settings: settings.concierge,
		timeZone: settings.timeZone,
		behind,
		sessions,
		questions: [...scene.questions.values()],
		now,
		ago: (at) => `⟦${at}⟧`,
		words: wordingOf(language),
	});
	const shown = inline(line, 1_500).replace(/⟦(\d{1,16})⟧/g, (_, at: string) => stamp(Number(at)));
	const isDone = (needId: string) => scene.cards.some(({ id, settled }) => id === needId && settled !== undefined);
	return { line: shown, short, isNeed: scene.needs.some(({ id }) => !isDone(id)) };
}

/** A failure that somebody dismissed needs nobody any more, although its session still is where it was. */
function withoutDismissed({ sessions, cards }: FleetScene): FleetSession[] {
	const dismissed = new Set(cards.filter(({ settled }) => settled !== undefined).map(({ id }) => id));
	return [...sessions.values()].map((session) =>
		session.state === 'failed' && dismissed.has(failureId(session)) ? { ...session, state: 'idle' } : session,
	);
}
