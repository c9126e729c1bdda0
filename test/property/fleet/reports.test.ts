import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionReport } from '../../../core/fleet/report.ts';
import { runningCall } from '../../../core/fleet/running-call.ts';
import { markStale } from '../../../core/fleet/stale.ts';
import { asked, type Kept, nothing, play, report, settingsOf } from '../../unit/core/fleet/fixture.ts';

const kinds = [
	'started',
	'working',
	'idle',
	'finished',
	'failed',
	'aborted',
	'text',
	'summary',
	'cost',
	'ended',
	'alive',
] as const;

/** What may run; nothing at all is among it. */
const RUNNING = ['', 'Bash: npm test', 'Bash: make', 'Read: a.ts'];

/** A counted stream of one session, in which questions are asked and closed. */
const stream = fc
	.array(
		fc.oneof(
			{ weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), text: fc.string(), usd: fc.nat(50) }) },
			{
				weight: 2,
				arbitrary: fc.record({ kind: fc.constantFrom('text' as const, 'alive' as const), running: fc.nat(3) }),
			},
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('question' as const), ref: fc.nat(3) }) },
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('question_closed' as const), ref: fc.nat(3) }) },
		),
		{ minLength: 1, maxLength: 25 },
	)
	.map((steps) => {
		const used = new Map<number, number>();
		return steps.map((step, index): SessionReport => {
			const order = { n: index + 1, at: 1_000 + index };
			if ('running' in step) return report(step.kind, { ...order, data: { running: RUNNING[step.running] ?? '' } });
			if (!('ref' in step)) return report(step.kind, { ...order, data: { text: step.text, totalUsd: step.usd } });
			// An agent never uses the id of a question for another one.
			const turn = used.get(step.ref) ?? 0;
			const ref = `r${step.ref}-${turn}`;
			if (step.kind === 'question') return report('question', { ...order, data: asked(ref) });
			used.set(step.ref, turn + 1);
			return report('question_closed', { ...order, data: { ref } });
		});
	});

/** What must not depend on the way the reports took. Our own clock stands still in these tests. */
function essence({ session, questions }: Kept) {
	const { startedAt: _, stateAt: __, order: ___, closings: ____, cost, ...rest } = session!;
	const open = questions.filter(({ state }) => state === 'open').map(({ id }) => id);
	return { ...rest, totalUsd: cost.totalUsd, open: open.sort() };
}

test('FLT-4 doubled and reordered reports end in the same session with the same open questions', () => {
	fc.assert(
		fc.property(
			stream.chain((reports) =>
				fc.tuple(
					fc.constant(reports),
					fc.shuffledSubarray([...reports, ...reports], { minLength: reports.length * 2 }),
				),
			),
			([reports, shuffled]) => {
				const straight = reports.reduce((kept, next) => play(kept, [next]), nothing());
				const crooked = shuffled.reduce((kept, next) => play(kept, [next]), nothing());
				expect(essence(crooked)).toEqual(essence(straight));
			},
		),
		{ numRuns: 400 },
	);
});

test('FLT-4 a batch gives what its reports give one by one', () => {
	fc.assert(
		fc.property(stream, fc.nat(25), (reports, cut) => {
			const one = reports.reduce((kept, next) => play(kept, [next]), nothing());
			const many = play(play(nothing(), reports.slice(0, cut)), reports.slice(cut));
			expect(essence(many)).toEqual(essence(one));
			expect(many.events.map(({ kind, text }) => [kind, text])).toEqual(
				one.events.map(({ kind, text }) => [kind, text]),
			);
		}),
		{ numRuns: 200 },
	);
});

test('FLT-1 FLT-13 a session waits exactly while a question of it holds it up, and an ended one never does', () => {
	fc.assert(
		fc.property(stream, (reports) => {
			let kept = nothing();
			for (const next of reports) {
				kept = play(kept, [next]);
				const { session, questions } = kept;
				const open = questions.some(({ state }) => state === 'open');
				expect(session!.state === 'waiting').toBe(open && session!.endedAt === undefined);
				if (session!.endedAt !== undefined) expect(open).toBe(false);
			}
		}),
		{ numRuns: 200 },
	);
});

test('FLT-4 a silent session is marked at exactly one moment, and one that runs a command never before the longer time', () => {
	fc.assert(
		fc.property(stream, fc.integer({ min: 0, max: 9_000_000 }), (reports, silentMs) => {
			const settings = settingsOf({ staleAfterMs: 600_000, staleRunningAfterMs: 7_200_000 });
			const { session } = reports.reduce((kept, next) => play(kept, [next]), nothing());
			const runs = runningCall(session!) !== undefined;
			const limit = runs ? settings.staleRunningAfterMs : settings.staleAfterMs;
			const now = session!.reportedAt + silentMs;
			const noted = markStale(session!, settings, now);
			const isStale = noted?.session.staleSince !== undefined;
			expect(isStale).toBe(session!.endedAt === undefined && silentMs >= limit);
			// Noting it changes nothing of what can follow.
			const after = noted === undefined ? undefined : markStale(noted.session, settings, now);
			expect(after).toBeUndefined();
			if (noted !== undefined && !isStale) {
				expect(runs).toBe(true);
				const late = markStale(noted.session, settings, session!.reportedAt + settings.staleRunningAfterMs);
				expect(late?.session.staleSince).toBeDefined();
			}
		}),
		{ numRuns: 300 },
	);
});
