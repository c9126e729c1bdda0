import { type HandoffPacket, handoffPacket } from '../../core/intake/handoff-packet.ts';

/** A whole packet as the machine makes it. */
export function handoffFor(
	change: { id?: string; sessionId?: string; body?: Partial<HandoffPacket['body']> } = {},
): HandoffPacket {
	const evidence = { turnId: 't1', messageId: 'm1', quote: 'mugs' };
	return handoffPacket.parse({
		schema_version: 1,
		id: change.id ?? 'p1',
		label: '[Cx>BA:48:01]',
		from: 'U:Cx',
		to: 'U:BA',
		subject: 'requirements',
		sessionId: change.sessionId ?? 's1',
		at: 1_700_000_000_000,
		body: {
			TASK_SUMMARY: 'A shop that sells mugs.',
			PROJECT_NAME: 'mug_shop',
			PROLOG_FACTS: 'has_feature(mugs).',
			UI_REQUIREMENTS: false,
			CONVERSATION_HISTORY: [{ role: 'user', content: 'a shop for mugs' }],
			ESCALATE_TO: null,
			display_name: 'Mug shop',
			facts_hash: 'f',
			intent_hash: 'i',
			requirements: [
				{ id: 'R1', text: 'Feature: mugs', dimension: 'D1', fact: 'has_feature(mugs).', evidence: [evidence] },
			],
			excluded_facts: [],
			not_used: [],
			dimensions: { D1: 'answered', D2: 'open', D3: 'asked', D4: 'deferred', D5: 'answered', D6: 'open', D7: 'open' },
			missing_info: [],
			trigger: 'complete',
			cause: 'signal',
			round_count: 3,
			stand_ins: [],
			requires_escalation: false,
			...change.body,
		},
		governance: { outcome: 'allow', findings: [] },
	});
}
