import { setTimeout as sleep } from 'node:timers/promises';
import { createFleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { reporter } from '../fleet.ts';
import { SOAK_HOST, SOAK_TOKEN, type SoakHouse } from './soak-house.ts';
import { createTally, type Tally } from './tally.ts';

const SESSIONS = 6;
const headers = { authorization: `Bearer ${SOAK_TOKEN}`, 'content-type': 'application/json' };

/** Sessions that report to any of the processes, some reports twice and to two of them at once, and messages into sessions. */
export async function soakFleet({ house, anyUrl }: SoakHouse, until: number): Promise<Tally[]> {
	const reports = createTally('reports of sessions');
	const items = createTally('messages into sessions');
	const stores = createFleetStores(await house.redis.connect(), {
		feed: () => ({ maxEvents: 1_000_000, maxAgeMs: 86_400_000 }),
		maxInbox: () => 1_000,
	});
	const runs = new Map<string, string[]>();

	async function bring(events: readonly object[]): Promise<void> {
		const response = await fetch(`${anyUrl()}/fleet/events`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ source: 'script', events }),
		});
		if (!response.ok) throw new Error(`reports refused: ${response.status} ${await response.text()}`);
	}

	async function report(name: string): Promise<void> {
		const say = reporter(name);
		const id = sessionId('script', SOAK_HOST, name);
		const marks: string[] = [];
		runs.set(id, marks);
		await bring([say.say('started')]);
		for (let run = 1; Date.now() < until; run += 1) {
			const mark = `${name}-run-${run}.`;
			const events = [say.say('working'), say.say('text', { text: 'on it' }), say.say('finished', { text: mark })];
			reports.begun += 1;
			marks.push(mark);
			const startedAt = performance.now();
			// A reporter that heard no answer brings the same again, and both may arrive.
			await Promise.all(Math.random() < 0.3 ? [bring(events), bring(events)] : [bring(events)]);
			reports.tookMs.push(performance.now() - startedAt);
			if (run % 4 === 0) await message(id, `${name}-${run}`);
			await sleep(Math.random() * 800);
		}
	}

	/** A message put into the session, fetched and acknowledged through different processes. */
	async function message(id: string, itemId: string): Promise<void> {
		items.begun += 1;
		const startedAt = performance.now();
		const from = { role: 'person', who: 'Sam', whoId: '100000000000000009' } as const;
		await stores.inbox.put(id, { id: itemId, at: Date.now(), kind: 'message', from, mode: 'queue', text: itemId });
		const response = await fetch(`${anyUrl()}/fleet/sessions/${id}/inbox?wait=20000`, { headers });
		const { items: found } = (await response.json()) as { items: { id: string; seq: number }[] };
		const [first, ...more] = found;
		if (first?.id !== itemId) items.lost.push(`${itemId}: ${JSON.stringify(found)}`);
		else if (more.length > 0) items.doubled.push(`${itemId}: ${JSON.stringify(found)}`);
		else {
			items.ended += 1;
			items.tookMs.push(performance.now() - startedAt);
		}
		for (const { seq } of found)
			await fetch(`${anyUrl()}/fleet/sessions/${id}/ack`, { method: 'POST', headers, body: JSON.stringify({ seq }) });
	}

	await Promise.all(Array.from({ length: SESSIONS }, (_, index) => report(`soak${index}`)));
	const told = new Map<string, number>();
	for (let after = 0; ; ) {
		const { events } = await stores.feed.read(after, 1_000);
		for (const { sessionId: id, text, kind } of events) {
			const mark = kind === 'finished' ? runs.get(id ?? '')?.find((each) => text.includes(each)) : undefined;
			if (mark !== undefined) told.set(mark, (told.get(mark) ?? 0) + 1);
		}
		const last = events.at(-1)?.seq;
		if (last === undefined) break;
		after = last;
	}
	for (const mark of [...runs.values()].flat()) {
		const found = told.get(mark) ?? 0;
		if (found === 1) reports.ended += 1;
		else (found === 0 ? reports.lost : reports.doubled).push(`${mark}: ${found}`);
	}
	return [reports, items];
}
