import { expect, test } from 'vitest';
import type { FeedEvent } from '../../../core/fleet/feed-event.ts';
import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import { relayText } from '../../../core/fleet/relay.ts';
import { judgeFleetScene } from '../../evals/fleet/judge.ts';
import type { PlayedScene } from '../../evals/fleet/play.ts';
import { fleetRatesOf, fleetShortfalls, fleetTable } from '../../evals/fleet/rates.ts';
import type { FleetScene } from '../../evals/fleet/scene.ts';
import { FLEET_SCENES } from '../../evals/fleet/scenes/all.ts';

const NOTHING: PlayedScene = { events: [], questions: [], inboxes: new Map(), answers: [], watches: [], ms: 5 };
const scene = (expect: FleetScene['expect']): FleetScene => ({ id: 'x', about: '', expect });
const cause = { role: 'concierge' as const, who: 'concierge', whoId: 'c1' };

function notice(level: 'need' | 'info', sessionName: string): FeedEvent {
	return { seq: 1, at: 1, kind: 'concierge_said', cause, text: `"${sessionName} …"`, data: { level }, sessionName };
}

function sent(text = relayText('api-fix reports: "312"', { who: 'Ria' })): InboxItem {
	return { seq: 1, id: 'i1', at: 1, kind: 'message', mode: 'queue', from: cause, text };
}

test('FLT-22 a need that was not told, told twice or told of another session is wrong', () => {
	const wish = scene({ needs: ['api-fix'] });
	const verdict = (...events: FeedEvent[]) => judgeFleetScene(wish, { ...NOTHING, events }).needs;
	expect(verdict(notice('need', 'api-fix'))).toBe(true);
	expect(verdict()).toBe(false);
	expect(verdict(notice('info', 'api-fix'))).toBe(false);
	expect(verdict(notice('need', 'api-fix'), notice('need', 'api-fix'))).toBe(false);
	expect(verdict(notice('need', 'api-fix'), notice('need', 'docs'))).toBe(false);
	expect(judgeFleetScene(scene({ isQuiet: true }), { ...NOTHING, events: [notice('info', 'docs')] }).quiet).toBe(false);
});

test('FLT-22 a message to a session that nobody named strays, whatever the scene is about; an unframed one is no relay', () => {
	const inboxes = (to: string, text?: string) => new Map([[to, [sent(text)]]]);
	const relay = scene({ sends: [{ to: 'docs', says: [/312/] }] });
	expect(judgeFleetScene(relay, { ...NOTHING, inboxes: inboxes('docs') })).toMatchObject({ relays: true, strayed: 0 });
	expect(judgeFleetScene(relay, { ...NOTHING, inboxes: inboxes('mailer') })).toMatchObject({
		relays: false,
		strayed: 1,
	});
	expect(judgeFleetScene(relay, { ...NOTHING, inboxes: inboxes('docs', 'api-fix: 312') }).relays).toBe(false);
	expect(judgeFleetScene(scene({ needs: [] }), { ...NOTHING, inboxes: inboxes('docs') }).strayed).toBe(1);
});

test('FLT-22 an answer is held to its words, and shows none of the machinery unless it quotes', () => {
	const wish = scene({ answers: [{ says: [/312/] }] });
	const verdict = (answer: string | undefined) => judgeFleetScene(wish, { ...NOTHING, answers: [answer] }).answers;
	expect(verdict('It found 312 rows.')).toBe(true);
	expect(verdict('It says "312 {rows}".')).toBe(true);
	expect(verdict('hub_read gave 312')).toBe(false);
	expect(verdict('nothing')).toBe(false);
	expect(verdict(undefined)).toBe(false);
});

test('FLT-22 rates count strays even of scenes that broke, and the scripted model is held to all of them', () => {
	const broken = judgeFleetScene(scene({ needs: [] }), {
		...NOTHING,
		trouble: 'timeout',
		inboxes: new Map([['docs', [sent()]]]),
	});
	const well = judgeFleetScene(scene({ needs: [] }), NOTHING);
	const rates = fleetRatesOf([broken, well]);
	expect(rates).toMatchObject({ needs: { hits: 1, of: 1 }, strayed: { hits: 1, of: 2 }, trouble: { hits: 1, of: 2 } });
	expect(fleetShortfalls(rates)).toEqual(['strayed is 1 of 2', 'trouble is 1 of 2']);
	expect(fleetShortfalls(fleetRatesOf([well]))).toEqual([]);
	expect(fleetTable([['all', rates]])).toContain('1/2');
});

test('FLT-22 the scenes hold what they must: reports, relays, and orders in transcripts', () => {
	const all = Object.values(FLEET_SCENES).flat();
	expect(all.length).toBeGreaterThan(40);
	expect(
		new Set(Object.entries(FLEET_SCENES).flatMap(([group, own]) => own.map(({ id }) => `${group}/${id}`))).size,
	).toBe(all.length);
	for (const { expect: wish } of FLEET_SCENES['hostile'] ?? []) expect(wish.sends).toBeDefined();
});
