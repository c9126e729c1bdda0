import type { IntakeSettings } from '../../config/intake.ts';
import type { DimensionStates } from './dimension.ts';
import type { Evidence, ExcludedFact } from './fact.ts';
import { unusedSentences } from './facts/unused-sentences.ts';
import type { GovernanceVerdict } from './governance-port.ts';
import { readEscalation } from './handoff/escalation.ts';
import { requirementsOf } from './handoff/requirements.ts';
import { checkedSummary, projectName } from './handoff/summary.ts';
import type { FinalTrigger, Requirement } from './handoff-packet.ts';
import type { IntakeSession } from './session.ts';
import { speechOf } from './speech/speech.ts';

export interface ReviewCard {
	readonly projectName: string;
	readonly displayName: string;
	readonly summary: string;
	readonly requirements: readonly Requirement[];
	readonly notUsed: readonly Evidence[];
	readonly excluded: readonly ExcludedFact[];
	readonly uiRequired: boolean;
	readonly dimensions: DimensionStates;
	readonly escalateTo: string | undefined;
	readonly trigger: FinalTrigger;
	readonly standIns: readonly string[];
	/** Set after a refusal. */
	readonly verdict: GovernanceVerdict | undefined;
	readonly autoLockAt: number | undefined;
}

/** What a person looks at before locking, the same as will be in the packet; undefined before anything was compiled. */
export function reviewCard(session: IntakeSession, settings: IntakeSettings): ReviewCard | undefined {
	const { finalization } = session;
	if (finalization === undefined) return undefined;
	const speech = speechOf(session);
	const name = projectName(finalization.fields.PROJECT_NAME, session.originalIntent, session.id);
	return {
		projectName: name.slug,
		displayName: name.display,
		summary: checkedSummary(finalization.fields.TASK_SUMMARY, session.originalIntent, speech).text,
		requirements: requirementsOf(session.facts, settings),
		notUsed: unusedSentences(speech, session.facts),
		excluded: session.excluded,
		uiRequired: finalization.uiRequired,
		dimensions: session.dimensions,
		escalateTo: readEscalation(finalization.fields.ESCALATE_TO).name ?? undefined,
		trigger: finalization.trigger,
		standIns: finalization.standIns,
		verdict: session.verdict,
		autoLockAt: session.autoLockAt,
	};
}
