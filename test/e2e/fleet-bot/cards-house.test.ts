import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InboxItem } from '../../../core/fleet/inbox-item.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { LAPTOP, reporter } from '../../support/fleet.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { ALEX, SCHEMA } from './card-rig.ts';

let household: TestHousehold;
beforeAll(async () => {
	household = await openTestHousehold({
		secrets: () => ({ fleetTokens: { laptop: LAPTOP } }),
		change(settings) {
			// The real one is known once the house stands; settings are read anew each time.
			settings.fleet.channelId = '300000000000000001';
			settings.fleet.ownerUserIds = [ALEX];
			settings.fleet.concierge.model = 'none';
		},
	});
	household.settings.fleet.channelId = household.house.discord.channels['fleet'];
});
afterAll(() => household.stop());

const call = (method: string, path: string, body?: object) =>
	fetch(`${household.httpUrl}${path}`, {
		method,
		headers: { authorization: `Bearer ${LAPTOP}`, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});

test('FLT-13 FLT-20 a question reported over HTTP is a card, and a press on it is in the reporter’s inbox', async () => {
	const { control } = household.house.discord;
	const { say } = reporter('api', 'api-fix');
	const events = [say('started'), say('question', { question: { ref: 'ask-1', ...SCHEMA } })];
	const kept = (await (await call('POST', '/fleet/events', { source: 'script', events })).json()) as {
		sessions: { sessionId: string }[];
	};
	const inbox = `/fleet/sessions/${kept.sessions[0]?.sessionId}/inbox`;
	const card = await control.waitMessage({
		channel: 'fleet',
		after: '0',
		matches: '^<@\\d+>\napi-fix asks',
		timeoutMs: 30_000,
	});
	expect(card.pings).toEqual(['alex']);
	const pressed = await control.button({
		as: 'alex',
		message: card.id,
		button: 'v2 (migrate)',
		until: 'complete',
		timeoutMs: 15_000,
	});
	expect(pressed.message?.text).toContain('On its way to api-fix');
	const [item] = await eventually(async () => {
		const { items } = (await (await call('GET', inbox)).json()) as { items: InboxItem[] };
		return items.length > 0 && items;
	}).then((items) => items as InboxItem[]);
	expect(item).toMatchObject({ kind: 'answer', ref: 'ask-1', answer: { values: ['v2'] }, from: { whoId: ALEX } });
	await call('POST', inbox.replace('/inbox', '/ack'), { seq: item?.seq });
	const done = await control.waitMessage({ channel: 'fleet', after: '0', contains: '✓ delivered', timeoutMs: 20_000 });
	expect(done.id).toBe(card.id);
	await control.waitMessage({ channel: 'fleet', after: '0', contains: 'concierge · ', timeoutMs: 20_000 });
});
