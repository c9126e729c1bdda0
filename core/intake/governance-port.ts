import { z } from 'zod';

export const finding = z.strictObject({
	/** Name of the article, such as `rounds_within_limit`. */
	article: z.string(),
	severity: z.enum(['flag', 'deny']),
	/** One sentence for a person. */
	reason: z.string(),
	/** `guard`: plain code; `policy`: a rule file. */
	origin: z.enum(['guard', 'policy']),
});
export type Finding = z.infer<typeof finding>;

export const governanceVerdict = z.strictObject({
	outcome: z.enum(['allow', 'flag', 'deny']),
	findings: z.array(finding),
	/** Hash of the rule files that were asked; absent when no policy was reached. */
	policyHash: z.string().optional(),
});
export type GovernanceVerdict = z.infer<typeof governanceVerdict>;

/** All texts are canonical Prolog facts written by us; nothing in them is model text. */
export interface GovernanceInput {
	readonly packetId: string;
	/** The requirements, one fact a line. */
	readonly facts: string;
	/** Facts about the packet: `packet_to/1`, `round_count/1`, `dimension_status/2`, `fact_evidence/2`, …; see `governance-facts.ts`. */
	readonly metadata: string;
}

export interface Governance {
	/**
	 * Asks the rule files. Never rejects: time-out, engine failure or a verdict that is not well formed comes back as
	 * `deny` with the finding `policy_error`.
	 */
	evaluate(input: GovernanceInput, signal?: AbortSignal): Promise<GovernanceVerdict>;
}
