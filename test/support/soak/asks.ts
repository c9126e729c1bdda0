import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakHouse } from './soak-house.ts';
import { createTally, type Tally } from './tally.ts';

/** People who ask the concierge, which is also woken by the sessions meanwhile, one after the other; each question has one reply. */
export async function soakAsks({ house }: SoakHouse, until: number): Promise<Tally[]> {
	const { control } = house.discord;
	const asks = createTally('questions to the concierge');
	const ids: string[] = [];
	const repliesTo = async (id: string) =>
		(await control.messages({ channel: 'fleet', author: 'Majordomo', limit: 100_000 })).filter(
			({ replyTo }) => replyTo?.id === id,
		).length;
	await control.command({
		as: 'alex',
		channel: 'fleet',
		command: 'concierge on',
		until: 'complete',
		timeoutMs: 20_000,
	});
	for (let ask = 1; Date.now() < until; ask += 1) {
		asks.begun += 1;
		const startedAt = performance.now();
		const { id } = await control.message({
			as: 'sam',
			channel: 'fleet',
			text: `? what is soak${ask % 6} doing, number ${ask}`,
		});
		ids.push(id);
		const end = Date.now() + 90_000;
		while (Date.now() < end && (await repliesTo(id)) === 0) await sleep(50);
		asks.tookMs.push(performance.now() - startedAt);
		await sleep(1_000);
	}
	await sleep(3_000);
	for (const id of ids) {
		const found = await repliesTo(id);
		if (found === 1) asks.ended += 1;
		else (found === 0 ? asks.lost : asks.doubled).push(`${id}: ${found}`);
	}
	return [asks];
}
