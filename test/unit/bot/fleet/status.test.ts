import { describe, expect, test } from 'vitest';
import type { FleetScene } from '../../../../bot/fleet/fleet-scene.ts';
import { fleetStatus } from '../../../../bot/fleet/status/fleet-status.ts';
import { FRESH_CONCIERGE } from '../../../../core/fleet/concierge-state.ts';
import { failureId, needsOf } from '../../../../core/fleet/needs.ts';
import type { CardRecord } from '../../../../core/fleet/records.ts';
import type { FleetSession } from '../../../../core/fleet/session.ts';
import { asked, LOCAL, report, sessionOf, settingsOf, T0 } from '../../core/fleet/fixture.ts';

const waiting = (text: string) =>
	sessionOf('api-fix', [report('started'), report('question', { data: asked('r1', { text }) })]);
const failing = sessionOf('ui-fix', [report('started'), report('failed', { data: { reason: 'out of tokens' } })]);

function scene(kept: readonly ReturnType<typeof sessionOf>[], cards: readonly CardRecord[] = []): FleetScene {
	const sessions = kept.flatMap(({ session }) => session ?? []);
	const questions = kept.flatMap((one) => one.questions);
	return {
		sessions: new Map(sessions.map((session) => [session.id, session])),
		questions: new Map(questions.map((question) => [question.id, question])),
		needs: needsOf(sessions, questions),
		cards,
		concierge: FRESH_CONCIERGE,
	};
}

const shown = (one: FleetScene) =>
	fleetStatus({ scene: one, model: LOCAL, settings: settingsOf(), behind: 0, now: T0 + 60_000, language: 'en' });

describe('the fleet in one line', () => {
	test('FLT-12 says who needs somebody and since when, by a stamp that counts by itself', () => {
		const { line, short, isNeed } = shown(scene([waiting('Which schema?')]));
		expect(line).toBe(`concierge · off · needs you: api-fix asks: Which schema? (<t:${T0 / 1_000}:R>)`);
		expect(short).toBe('needs you: api-fix');
		expect(isNeed).toBe(true);
	});

	test('FLT-12 FLT-17 words of a session are no mark-up in it and cannot call anybody', () => {
		const { line } = shown(scene([waiting('**now** <@100000000000000001> [x](https://y)')]));
		expect(line).toContain('\\*\\*now\\*\\*');
		expect(line).not.toMatch(/<@/);
		expect(line).toContain('\\[x\\](https://y)');
	});

	test('FLT-12 a failure that somebody dismissed needs nobody any more, another one does', () => {
		const session = failing.session as FleetSession;
		const card: CardRecord = {
			id: failureId(session),
			kind: 'failed',
			sessionId: session.id,
			channelId: '1',
			messageId: '2',
			shownRevision: 0,
			postedAt: T0,
			mentioned: true,
		};
		expect(shown(scene([failing], [card])).short).toBe('needs you: ui-fix');
		const settled = { how: 'dismissed' as const, at: T0, who: 'Ria' };
		expect(shown(scene([failing], [{ ...card, settled }]))).toMatchObject({
			short: 'fleet quiet · off',
			isNeed: false,
		});
		expect(shown(scene([failing], [{ ...card, id: 'f0', settled }])).isNeed).toBe(true);
	});
});
