import { type Address, type Evidence, type PendingDecision, TRIGGERS, type Trigger } from './trigger.ts';
import type { Finding } from './triggers/finding.ts';

const rank = (trigger: Trigger) => TRIGGERS.indexOf(trigger);

/** Puts findings into the decision that waits, or opens a new one. The waiting one keeps its id and loses nobody. */
export function mergeFindings(
	waiting: PendingDecision | undefined,
	findings: readonly Finding[],
	newId: () => string,
): PendingDecision | undefined {
	if (findings.length === 0) return waiting;
	// A heartbeat says nothing beside a real reason, and would make an old one look fresh.
	const real = findings.filter(({ trigger }) => trigger !== 'heartbeat');
	const used = real.length > 0 ? real : waiting === undefined ? findings : [];
	if (used.length === 0) return waiting;
	const base = waiting?.trigger === 'heartbeat' ? undefined : waiting;
	const triggers = [...used.map(({ trigger }) => trigger), ...(base ? [base.trigger] : [])];
	const trigger = triggers.reduce((best, next) => (rank(next) < rank(best) ? next : best));
	return {
		id: waiting?.id ?? newId(),
		trigger,
		evidence: mergeEvidence(
			base?.evidence ?? [],
			used.map(({ evidence }) => evidence),
		),
		addresses: mergeAddresses(
			base?.addresses ?? [],
			used.flatMap(({ addresses }) => addresses ?? []),
		),
		since: Math.min(...used.map(({ since }) => since), base?.since ?? Number.POSITIVE_INFINITY),
		newestAt: Math.max(...used.map(({ newestAt }) => newestAt), base?.newestAt ?? 0),
		attempt: waiting?.attempt ?? 1,
		...highestTrace([...(base ? [base] : []), ...used]),
	};
}

/** What waits goes on in its own trace until something of a higher rank comes. */
function highestTrace(causes: readonly Pick<PendingDecision, 'trigger' | 'trace'>[]): { trace?: string } {
	const traced = causes.filter(({ trace }) => trace !== undefined);
	const [first] = traced.toSorted((a, b) => rank(a.trigger) - rank(b.trigger));
	return first?.trace === undefined ? {} : { trace: first.trace };
}

/** One entry a rule, highest first; the newer look knows at least as much, ids of both are kept. */
function mergeEvidence(old: readonly Evidence[], fresh: readonly Evidence[]): Evidence[] {
	const byRule = new Map<string, Evidence>();
	for (const entry of [...old, ...fresh]) {
		const key = entry.trigger ?? entry.note;
		const before = byRule.get(key);
		if (before === undefined) byRule.set(key, entry);
		else {
			const messageIds = union(before.messageIds, entry.messageIds);
			const eventIds = union(before.eventIds, entry.eventIds);
			byRule.set(key, {
				...entry,
				...(messageIds.length > 0 ? { messageIds } : {}),
				...(eventIds.length > 0 ? { eventIds } : {}),
			});
		}
	}
	return [...byRule.values()].sort((a, b) => (a.trigger && b.trigger ? rank(a.trigger) - rank(b.trigger) : 0));
}

/** Evidence stays small however long something waits. */
const MAX_IDS = 100;

function union(left: readonly string[] = [], right: readonly string[] = []): string[] {
	return [...new Set([...left, ...right])].slice(-MAX_IDS);
}

function mergeAddresses(old: readonly Address[], fresh: readonly Address[]): Address[] {
	const known = new Set(old.map(({ messageId }) => messageId));
	return [...old, ...fresh.filter(({ messageId }) => !known.has(messageId))].sort((a, b) => a.at - b.at);
}
