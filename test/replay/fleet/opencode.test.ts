import { expect, test } from 'vitest';
import {
	FRESH_OPENCODE,
	mapOpencodeEvent,
	opencodeEvent,
	sessionOf,
} from '../../../adapters/fleet/opencode/map-opencode-event.ts';
import type { QueuedReport } from '../../../adapters/fleet/report-queue.ts';
import { sessionReport } from '../../../core/fleet/report.ts';
import { recorded } from './replay.ts';

/* Recorded with opencode 1.18.33 as a server, its model a stand-in on the same machine. */
test('FLT-3 the recorded events of an opencode session become transitions', () => {
	const reports: QueuedReport[] = [];
	const titles = new Set<string>();
	let state = FRESH_OPENCODE;
	for (const line of recorded('opencode')) {
		const event = opencodeEvent.parse(line);
		if (sessionOf(event.properties) === undefined) continue;
		const mapped = mapOpencodeEvent(state, event);
		state = mapped.state;
		if (mapped.title !== undefined) titles.add(mapped.title);
		reports.push(...mapped.reports);
	}
	const told = reports.filter(({ kind }) => kind !== 'cost');
	expect(told.map(({ kind, data }) => (kind === 'text' ? `${data.role}: ${data.text}` : kind))).toEqual([
		...['started', 'idle'],
		...['person: Run the check.', 'working', 'question', 'question_closed', 'agent: The check is done.', 'finished'],
		...['person: Migrate the tables.', 'working', 'question', 'question_closed', 'agent: v2 it is.', 'finished'],
		...['person: Take your time.', 'working', 'aborted'],
		...['person: And now fail.', 'working', 'failed'],
	]);
	const asked = told.flatMap(({ data }) => data.question ?? []);
	expect(asked[0]).toMatchObject({ kind: 'permission', text: 'May it use bash?', context: 'echo hi there' });
	expect(asked[1]).toMatchObject({
		kind: 'choice',
		text: 'Which schema?',
		choices: [{ label: 'v1' }, { label: 'v2' }],
	});
	const refs = told.flatMap(({ kind, data }) => (kind === 'question_closed' ? [`${data.ref} ${data.how}`] : []));
	expect(refs).toEqual(asked.map(({ ref }) => `${ref} answered`));
	// The name that opencode gives at first is none.
	expect([...titles]).toEqual(['Fix the shop']);
	expect(told.filter(({ kind }) => kind === 'finished').at(-1)?.data).toEqual({
		text: 'v2 it is.',
		totalUsd: 0.005182,
	});
	expect(told.at(-1)?.data).toMatchObject({ reason: 'invalid x-api-key' });
	for (const [index, { kind, data }] of reports.entries()) {
		const report = { eventId: `e${index}`, at: 1, session: { nativeId: 'x' }, kind, data };
		expect(sessionReport.safeParse(report).success).toBe(true);
	}
});

test('FLT-3 a retry of opencode is no failure, and a session that was deleted has ended', () => {
	const kinds = (type: string, properties: object, state = FRESH_OPENCODE) =>
		mapOpencodeEvent(state, { type, properties: { sessionID: 's', ...properties } }).reports.map(({ kind }) => kind);
	const working = { ...FRESH_OPENCODE, isWorking: true };
	const retry = { status: { type: 'retry', attempt: 1, message: 'overloaded', next: 2 } };
	expect(kinds('session.status', retry, working)).toEqual([]);
	expect(kinds('session.deleted', {})).toEqual(['ended']);
});
