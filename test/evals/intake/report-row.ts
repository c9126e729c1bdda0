import { type GoldMeasures, measureGold } from '../../../core/intake/measures/gold.ts';
import { type IntakeMeasures, measureSession } from '../../../core/intake/measures/measure-session.ts';
import { type Share, shareOf } from '../../../core/intake/measures/share.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { PlayedPersona } from './play-persona.ts';

export interface FactsAgainstGold {
	/** Facts handed on that a careful reader would hand on too. */
	readonly precision: Share;
	/** Facts of the careful reader that were handed on. */
	readonly recall: Share;
	readonly extra: readonly string[];
	readonly missing: readonly string[];
}

/** One session in the report. The last three are there for personas only. */
export interface ReportRow {
	readonly name: string;
	readonly state: string;
	readonly trigger: string | undefined;
	readonly measures: IntakeMeasures;
	readonly gold?: GoldMeasures;
	readonly facts?: FactsAgainstGold;
	readonly isUiRight?: boolean;
}

/** A session as it is, without anything to compare it with. */
export function sessionRow(name: string, session: IntakeSession): ReportRow {
	return {
		name,
		state: session.state,
		trigger: session.finalization?.trigger,
		measures: measureSession(session),
	};
}

/** A persona's session, with what should have come out beside it. */
export function personaRow({ persona, session }: PlayedPersona): ReportRow {
	const kept = session.prologFacts.split('\n').filter((line) => line !== '');
	const wanted = persona.gold.facts;
	const extra = kept.filter((fact) => !wanted.includes(fact));
	const missing = wanted.filter((fact) => !kept.includes(fact));
	return {
		...sessionRow(persona.id, session),
		gold: measureGold(session, persona.slots),
		facts: {
			precision: shareOf(kept.length - extra.length, kept.length),
			recall: shareOf(wanted.length - missing.length, wanted.length),
			extra,
			missing,
		},
		isUiRight: session.packet?.body.UI_REQUIREMENTS === persona.gold.ui,
	};
}
