import type { PolicyProblem } from './policy-report.ts';

/** `file:line: kind: message`, one problem a line. */
export function describePolicyProblems(problems: readonly PolicyProblem[]): string {
	return problems.map(({ file, line, kind, message }) => `${file}:${line}: ${kind}: ${message}`).join('\n');
}

/** Policy files that cannot be used; the message names each file, line and cause. Stops start-up. */
export class PolicyError extends Error {
	readonly code = 'policy_broken';
	readonly problems: readonly PolicyProblem[];

	constructor(problems: readonly PolicyProblem[]) {
		super(`The policy files cannot be used:\n${describePolicyProblems(problems)}`);
		this.name = 'PolicyError';
		this.problems = problems;
	}
}
