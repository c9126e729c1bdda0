import { canonicalJson } from '../canonical-json.ts';
import type { EventOf } from '../event.ts';
import type { Finding, GovernanceVerdict } from '../governance-port.ts';
import { governanceInput } from '../handoff/governance-facts.ts';
import { guardFindings } from '../handoff/guards.ts';
import { buildHandoff } from '../handoff/handoff.ts';
import { sha256 } from '../hash.ts';
import { audit, change, type Draft, emit, fail, move } from './draft.ts';

/** Locks the result and sends it through the articles: first the plain ones, then the rule files. */
export function lock(draft: Draft, cause: string): void {
	const { finalization } = draft.session;
	if (finalization === undefined) return;
	change(draft, {
		lockCount: draft.session.lockCount + 1,
		autoLockAt: undefined,
		verdict: undefined,
		delivery: undefined,
		pending: undefined,
	});
	const packet = buildHandoff(draft.session, finalization, draft.settings, draft.now);
	change(draft, { packet });
	move(draft, 'HANDOVER', cause);
	const findings = guardFindings(draft.session, packet);
	if (findings.some(({ severity }) => severity === 'deny')) {
		refuse(draft, { outcome: 'deny', findings });
		return;
	}
	emit(draft, { kind: 'govern', input: governanceInput(packet, draft.session.questionSets.length) });
}

/** What the rule files say. Anything that is not clearly a pass is a refusal; a second verdict on one packet is ignored. */
export function takeVerdict(draft: Draft, event: EventOf<'governance'>): void {
	const { packet, verdict, state } = draft.session;
	if (state !== 'HANDOVER' || packet?.id !== event.packetId || verdict !== undefined) return;
	const found = [...guardFindings(draft.session, packet), ...event.verdict.findings];
	const merged = mergeVerdict(event.verdict, found);
	audit(draft, {
		what: 'verdict',
		packetId: packet.id,
		outcome: merged.outcome,
		articles: merged.findings.map(({ article }) => article),
		at: draft.now,
	});
	if (merged.outcome === 'deny') {
		refuse(draft, merged);
		return;
	}
	const governed = { ...packet, governance: merged };
	change(draft, { packet: governed, verdict: merged, delivery: 'waiting' });
	emit(draft, { kind: 'deliver', packet: governed });
	const hash = sha256(canonicalJson(governed));
	audit(draft, { what: 'packet', packetId: packet.id, to: packet.to, subject: packet.subject, hash, at: draft.now });
	if (packet.body.requires_escalation)
		emit(draft, { kind: 'notify_admin', code: 'escalation', detail: packet.body.ESCALATE_TO ?? '' });
}

function mergeVerdict(given: GovernanceVerdict, findings: readonly Finding[]): GovernanceVerdict {
	const worst = findings.some(({ severity }) => severity === 'deny') || given.outcome === 'deny';
	const outcome = worst ? 'deny' : findings.length > 0 || given.outcome === 'flag' ? 'flag' : 'allow';
	return { ...given, outcome, findings: [...findings] };
}

/** Nothing left. The person sees which article and why, and can answer, lock again or cancel. */
function refuse(draft: Draft, verdict: GovernanceVerdict): void {
	change(draft, { verdict, autoLockAt: undefined, delivery: undefined });
	move(draft, 'REVIEW', 'denied');
	fail(draft, 'E13', verdict.findings.map(({ article }) => article).join(', '));
	emit(draft, { kind: 'review', autoLockAt: undefined });
	const broken = verdict.findings.find(({ article }) => article === 'policy_error');
	if (broken !== undefined) emit(draft, { kind: 'notify_admin', code: 'policy_error', detail: broken.reason });
}

/** U:BA's queue has it, or could not take it. */
export function takeDelivery(draft: Draft, event: EventOf<'delivered' | 'undeliverable'>): void {
	const { packet, delivery, state } = draft.session;
	if (packet?.id !== event.packetId || state !== 'HANDOVER' || delivery === undefined) return;
	if (event.kind === 'delivered') {
		change(draft, { delivery: 'done' });
		move(draft, 'COMPLETE', 'delivered');
		emit(draft, { kind: 'done', state: 'COMPLETE' });
		return;
	}
	if (delivery === 'failed') return;
	change(draft, { delivery: 'failed' });
	fail(draft, 'E14');
	emit(draft, { kind: 'notify_admin', code: 'undeliverable', detail: packet.id });
}
