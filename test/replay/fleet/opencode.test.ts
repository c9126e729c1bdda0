import { expect, test } from 'vitest';
import {
	FRESH_OPENCODE,
	mapOpencodeEvent,
	opencodeEvent,
} from '../../../adapters/fleet/opencode/map-opencode-event.ts';
import type { QueuedReport } from '../../../adapters/fleet/report-queue.ts';
import { sessionReport } from '../../../core/fleet/report.ts';
import { recorded } from './replay.ts';

test('FLT-3 the events of an opencode session become transitions', () => {
	const reports: QueuedReport[] = [];
	let state = FRESH_OPENCODE;
	for (const line of recorded('opencode')) {
		const mapped = mapOpencodeEvent(state, opencodeEvent.parse(line));
		state = mapped.state;
		reports.push(...mapped.reports);
	}
	expect(reports.map(({ kind }) => kind)).toEqual([
		...['started', 'idle', 'working', 'question', 'question_closed', 'question', 'question_closed'],
		...['cost', 'text', 'finished', 'working', 'aborted', 'working', 'failed'],
	]);
	expect(reports[3]?.data.question).toMatchObject({ ref: 'per_1', kind: 'permission', context: 'echo hi there' });
	expect(reports[5]?.data.question).toMatchObject({ ref: 'que_1#0', kind: 'choice', text: 'Which schema?' });
	expect(reports[9]?.data).toEqual({ text: 'The shop is fixed.', totalUsd: 0.02 });
	expect(reports.at(-1)?.data).toMatchObject({ reason: 'no credit' });
	for (const [index, { kind, data }] of reports.entries()) {
		const report = { eventId: `e${index}`, at: 1, session: { nativeId: 'x' }, kind, data };
		expect(sessionReport.safeParse(report).success).toBe(true);
	}
});
