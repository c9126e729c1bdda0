import { checkFacts } from '../facts/fact-pipeline.ts';
import { readEscalation } from '../handoff/escalation.ts';
import { checkedSummary, projectName } from '../handoff/summary.ts';
import type { IntakeSession } from '../session.ts';
import { speechOf } from '../speech/speech.ts';
import { uiSignal } from '../speech/ui-signal.ts';
import { allWords } from '../vocabulary.ts';
import { audit, change, type Draft, emit, fail, move, notice } from './draft.ts';
import { lock } from './handover.ts';
import { flushLate } from './turns.ts';

/**
 * Makes the result out of the fields that were given and of what was said. With no fields at all it still is one: the summary
 * in the person's own words, a name made of them, no facts. Works from the whole history, every round of it.
 */
export function compile(draft: Draft): void {
	const { ending } = draft.session;
	if (ending === undefined) return;
	if (flushLate(draft)) notice(draft, 'came_late');
	const { session, settings, now } = draft;
	const { fields } = ending;
	const speech = speechOf(session);
	const checked = checkFacts(fields.PROLOG_FACTS ?? '', speech, settings);
	const ui = uiSignal(speech, allWords(settings));
	const standIns = standInsOf(session, fields);
	change(draft, {
		prologFacts: checked.block,
		facts: [...checked.facts],
		excluded: [...checked.excluded],
		call: undefined,
		pending: undefined,
		finalization: {
			trigger: ending.trigger,
			cause: ending.cause,
			roundCount: session.roundCount,
			at: now,
			fields,
			uiRequired: ui.required,
			standIns,
		},
	});
	audit(draft, {
		what: 'finalized',
		roundCount: session.roundCount,
		trigger: ending.trigger,
		cause: ending.cause,
		at: now,
		kept: checked.facts.map(({ text }) => text),
		excluded: checked.excluded.map(({ text, reason }) => ({ text, reason })),
		standIns,
		escalateTo: readEscalation(fields.ESCALATE_TO).name ?? undefined,
		uiRequired: ui.required,
	});
	if (checked.notes.length > 0) fail(draft, 'E11', checked.notes.join(', '));
	if (standIns.length > 0) fail(draft, 'E12', standIns.join(', '));
	if (session.review) review(draft, 'compiled');
	else lock(draft, 'no_review');
}

/** What code had to write because the model did not give it, or gave what nobody said. */
function standInsOf(session: IntakeSession, fields: NonNullable<IntakeSession['ending']>['fields']): string[] {
	if (Object.keys(fields).every((name) => name === 'REQUIREMENTS_COMPLETE')) return ['all'];
	const speech = speechOf(session);
	const standIns: string[] = [];
	if (checkedSummary(fields.TASK_SUMMARY, session.originalIntent, speech).isStandIn) standIns.push('summary');
	if (projectName(fields.PROJECT_NAME, session.originalIntent, session.id).isStandIn) standIns.push('name');
	if (fields.PROLOG_FACTS === undefined) standIns.push('facts');
	return standIns;
}

/** Shows the result; it locks itself when nobody does, so that the pipeline never hangs. */
export function review(draft: Draft, cause: string): void {
	const autoLockAt = draft.now + draft.settings.reviewTimeoutMs;
	change(draft, { autoLockAt });
	if (draft.session.state !== 'REVIEW') move(draft, 'REVIEW', cause);
	emit(draft, { kind: 'review', autoLockAt });
}
