import { setTimeout as sleep } from 'node:timers/promises';
import { createIntakeStores } from '../../../adapters/redis/intake/intake-stores.ts';
import { signPacket } from '../../../core/intake/packet-signature.ts';
import { wakeAt } from '../../../core/intake/wake.ts';
import { intentPacket, responsePacket } from '../cxp.ts';
import { SOAK_CALLER, type SoakHouse } from './soak-house.ts';
import { createTally, type Tally } from './tally.ts';

const ALONGSIDE = 3;
const TRIES = 12;

/** Wishes brought by a machine, each packet to any of the processes, from the wish to the finished requirements. */
export async function soakIntakes({ house, anyUrl }: SoakHouse, until: number): Promise<Tally[]> {
	const intakes = createTally('intakes, wish to packet');
	const stores = createIntakeStores(await house.redis.connect(), {
		keys: [{ id: 'test', secret: `${'A'.repeat(43)}=` }],
		settings: () => house.settings.intake,
		wakeAt,
	});
	const finished: string[] = [];

	/** As a client does: whoever gets no answer yet, or none in time, hands in the same packet again. */
	async function post(packet: object): Promise<Record<string, unknown>> {
		let said: Record<string, unknown> = {};
		for (let tries = 0; tries < TRIES; tries += 1) {
			const response = await fetch(`${anyUrl()}/cxp`, {
				method: 'POST',
				headers: { authorization: `Bearer ${SOAK_CALLER.token}` },
				body: JSON.stringify(signPacket(packet, SOAK_CALLER.key, Date.now(), crypto.randomUUID())),
			});
			said = (await response.json()) as Record<string, unknown>;
			if (typeof said['subject'] === 'string') break;
			await sleep(500);
		}
		return said;
	}

	async function bringWishes(): Promise<void> {
		for (let wish = 1; Date.now() < until; wish += 1) {
			intakes.begun += 1;
			const startedAt = performance.now();
			let said = await post(intentPacket(`I want a shop that sells mugs, kind ${wish}`));
			const id = String(said['sessionId']);
			for (let turn = 0; turn < 6 && said['subject'] === 'questions'; turn += 1)
				said = await post(responsePacket(id, `Blue mugs, by friday, for 30 euros. ${turn}`));
			if (said['subject'] !== 'requirements') intakes.lost.push(`${id}: ${JSON.stringify(said).slice(0, 300)}`);
			else {
				finished.push(id);
				intakes.tookMs.push(performance.now() - startedAt);
			}
		}
	}

	await Promise.all(Array.from({ length: ALONGSIDE }, bringWishes));
	const packets = await stores.inbox.list({ limit: 100_000 });
	for (const id of finished) {
		const found = packets.filter(({ sessionId }) => sessionId === id).length;
		if (found === 1) intakes.ended += 1;
		else (found === 0 ? intakes.lost : intakes.doubled).push(`${id}: ${found} packets`);
	}
	return [intakes];
}
