import { expect, test } from 'vitest';
import { decideVote } from '../../../../core/overseer/vote.ts';

test.each([
	['everybody counts as yes', ['a', 'b'], {}, 'off', { yes: 2, no: 0, quiet: false }],
	['one no of three', ['a', 'b', 'c'], { a: 'no' }, 'off', { yes: 2, no: 1, quiet: false }],
	['more no than yes', ['a', 'b', 'c'], { a: 'no', b: 'no', c: 'yes' }, 'on', { yes: 1, no: 2, quiet: true }],
	['a tie, on', ['a', 'b'], { a: 'no' }, 'on', { yes: 1, no: 1, quiet: false }],
	['a tie, off', ['a', 'b'], { a: 'no' }, 'off', { yes: 1, no: 1, quiet: true }],
	['votes of people who are away do not count', ['a'], { b: 'no', c: 'no' }, 'off', { yes: 1, no: 0, quiet: false }],
	['nobody there, on', [], { b: 'no' }, 'on', { yes: 0, no: 0, quiet: false }],
	['nobody there, off', [], {}, 'off', { yes: 0, no: 0, quiet: true }],
	['one person counts once', ['a', 'a', 'b'], { a: 'no' }, 'on', { yes: 1, no: 1, quiet: false }],
	['ids that objects know by themselves are ids', ['constructor'], {}, 'off', { yes: 1, no: 0, quiet: false }],
] as const)('OVR-30 %s', (_about, activeIds, votes, tie, wanted) => {
	expect(decideVote({ activeIds, votes, tie })).toEqual(wanted);
});
