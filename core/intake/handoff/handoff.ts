import type { IntakeSettings } from '../../../config/intake.ts';
import { ALIAS, BUSINESS_ANALYST } from '../addresses.ts';
import { DIMENSION_NAMES, DIMENSIONS } from '../dimension.ts';
import { unusedSentences } from '../facts/unused-sentences.ts';
import { type HandoffPacket, handoffPacket } from '../handoff-packet.ts';
import { sha256 } from '../hash.ts';
import type { Finalization, IntakeSession } from '../session.ts';
import { speechOf } from '../speech/speech.ts';
import { readEscalation } from './escalation.ts';
import { packetLabel } from './packet-label.ts';
import { requirementsOf } from './requirements.ts';
import { checkedSummary, projectName } from './summary.ts';

/**
 * The packet for U:BA, made of the session and nothing else. Checked against its own schema: a packet with any other address
 * cannot be built. Throws `ZodError` when the session is broken.
 */
export function buildHandoff(
	session: IntakeSession,
	finalization: Finalization,
	settings: IntakeSettings,
	now: number,
): HandoffPacket {
	const speech = speechOf(session);
	const id = `${session.id}-p${session.lockCount}`;
	const { fields } = finalization;
	const name = projectName(fields.PROJECT_NAME, session.originalIntent, session.id);
	const escalation = readEscalation(fields.ESCALATE_TO);
	return handoffPacket.parse({
		schema_version: 1,
		id,
		label: packetLabel(id, now),
		from: ALIAS,
		to: BUSINESS_ANALYST,
		subject: 'requirements',
		sessionId: session.id,
		at: now,
		body: {
			TASK_SUMMARY: checkedSummary(fields.TASK_SUMMARY, session.originalIntent, speech).text,
			PROJECT_NAME: name.slug,
			PROLOG_FACTS: session.prologFacts,
			UI_REQUIREMENTS: finalization.uiRequired,
			CONVERSATION_HISTORY: session.history.map(({ role, content }) => ({ role, content })),
			ESCALATE_TO: escalation.name,
			display_name: name.display,
			facts_hash: sha256(session.prologFacts),
			intent_hash: sha256(session.originalIntent),
			requirements: requirementsOf(session.facts, settings),
			excluded_facts: session.excluded,
			not_used: unusedSentences(speech, session.facts),
			dimensions: session.dimensions,
			missing_info: DIMENSIONS.filter((one) => session.dimensions[one] !== 'answered').map(
				(one) => `${one} ${DIMENSION_NAMES[one]}`,
			),
			trigger: finalization.trigger,
			cause: finalization.cause,
			round_count: finalization.roundCount,
			stand_ins: finalization.standIns,
			requires_escalation: escalation.isHuman,
		},
	});
}
