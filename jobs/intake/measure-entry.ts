import type { AuditEntry } from '../../core/intake/effect.ts';
import type { Metrics } from '../../core/ports.ts';

/** Counts what a row of the trail tells. */
export function measureEntry(metrics: Metrics, entry: AuditEntry): void {
	switch (entry.what) {
		case 'finalized':
			metrics.observe('intake_rounds', entry.roundCount);
			metrics.count('intake_finalizations_total', { trigger: entry.trigger, cause: entry.cause });
			metrics.count('intake_facts_total', { verdict: 'kept' }, entry.kept.length);
			metrics.count('intake_facts_total', { verdict: 'excluded' }, entry.excluded.length);
			break;
		case 'verdict':
			metrics.count('intake_verdicts_total', { outcome: entry.outcome });
			break;
		case 'reply':
			metrics.count('intake_replies_noted_total', { note: entry.note });
			break;
		case 'answer_edited':
			metrics.count('intake_edits_total');
			break;
	}
}
