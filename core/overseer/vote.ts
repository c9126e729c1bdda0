import type { Vote } from './stores.ts';

export interface VoteResult {
	readonly yes: number;
	readonly no: number;
	/** It may only answer people who address it. */
	readonly quiet: boolean;
}

/**
 * Everybody active counts as yes until they say no; votes of people who are away do not count. It acts on its own while yes
 * outnumbers no; a tie, an empty room included, goes by the setting.
 */
export function decideVote(input: {
	readonly activeIds: readonly string[];
	readonly votes: Readonly<Record<string, Vote>>;
	readonly tie: 'on' | 'off';
}): VoteResult {
	const voters = [...new Set(input.activeIds)];
	const no = voters.filter((id) => Object.hasOwn(input.votes, id) && input.votes[id] === 'no').length;
	const yes = voters.length - no;
	return { yes, no, quiet: no > yes || (no === yes && input.tie === 'off') };
}
