import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Stage } from '../../../../config/overseer.ts';
import { decideGate } from '../../../../core/overseer/gate.ts';
import type { SiteMode } from '../../../../core/overseer/site.ts';
import type { Trigger, WorldEvent } from '../../../../core/overseer/trigger.ts';
import { event, gateOf, type LineFlags, line, look, settingsOf, snapshotOf, T0 } from './room-fixture.ts';

/** Times are seconds after the last decision; `cursor` is how many lines that one consumed. */
interface Transcript {
	about: string;
	lines: [number, string, string, LineFlags?][];
	events?: [number, WorldEvent['kind'], string, string?][];
	cursor?: number;
	now: number;
	expect: Trigger | null;
	hold?: string;
	settings?: Record<string, unknown>;
	ownContexts?: string[];
	lastModel?: number;
	topicAt?: number;
	backoff?: number;
	stage?: Stage;
	mode?: SiteMode;
	paused?: boolean;
	present?: boolean;
	votedQuiet?: boolean;
}

const files = ['addresses', 'dares', 'bursts', 'topics', 'room'] as const;

function load(name: string): Transcript[] {
	return JSON.parse(readFileSync(new URL(`./transcripts/${name}.json`, import.meta.url), 'utf8')) as Transcript[];
}

test('OVR-2 there are at least thirty recorded situations', () => {
	expect(files.flatMap(load).length).toBeGreaterThanOrEqual(30);
});

describe.each(files)('OVR-2 OVR-3 %s', (name) => {
	test.each(load(name).map((entry) => [entry.about, entry] as const))('OVR-2 %s', (_about, entry) => {
		const snapshot = snapshotOf({
			gate: gateOf({
				messageCursor: entry.cursor ?? 0,
				lastModelAt: T0 + (entry.lastModel ?? 0) * 1_000,
				...(entry.topicAt === undefined ? {} : { topicAt: T0 + entry.topicAt * 1_000 }),
				...(entry.backoff === undefined ? {} : { backoffUntil: T0 + entry.backoff * 1_000, failures: 1 }),
			}),
			messages: entry.lines.map(([at, who, text, flags], index) => line(index + 1, at, who, text, flags)),
			events: (entry.events ?? []).map(([at, kind, text, context], index) => event(index + 1, at, kind, text, context)),
			ownContexts: entry.ownContexts ?? [],
		});
		const result = decideGate(
			look(entry.now, snapshot, {
				settings: settingsOf(entry.settings),
				stage: entry.stage ?? 'full',
				site: { mode: entry.mode ?? 'open', lightsLock: 'none', paused: entry.paused ?? false },
				votedQuiet: entry.votedQuiet ?? false,
				present: entry.present,
			}),
		);
		expect(result.wake?.trigger ?? null).toBe(entry.expect);
		expect(result.evaluated.trigger ?? null).toBe(entry.expect);
		if (entry.hold !== undefined) expect(result.evaluated.hold).toBe(entry.hold);
		expect(result.dueAt).toBeGreaterThan(T0 + entry.now * 1_000);
	});
});
