import type { InboxEntry } from '../../../core/intake/inbox.ts';
import type { IntakeSummary } from '../../../core/intake/intake-store.ts';
import type { PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { createIntakeKeys } from '../intake/intake-keys.ts';
import type { IntakeStores } from '../intake/intake-stores.ts';

/** More than any household has; the lists are read newest first. */
const MAX = 100_000;

/**
 * The person's intakes: conversation, result, what was asked of the model. Erasing needs no key; without the right
 * one an export has only what is not sealed.
 */
export function createIntakeHolder(
	redis: RedisConnection,
	stores: Pick<IntakeStores, 'work' | 'audit' | 'inbox'>,
): PersonHolder {
	const keys = createIntakeKeys(redis.prefix);
	const own = (personId: string) => stores.work.list({ requesterId: personId, limit: MAX });

	/** Packets of these intakes that still wait for delivery or whose header is kept. */
	async function packetsOf(intakes: readonly IntakeSummary[]): Promise<InboxEntry[]> {
		if (intakes.length === 0) return [];
		const ids = new Set(intakes.map(({ id }) => id));
		return (await stores.inbox.list({ limit: MAX })).filter(({ sessionId }) => ids.has(sessionId));
	}

	/** Intakes of others into which the person was let in. */
	async function shared(personId: string): Promise<string[]> {
		const found: string[] = [];
		for (const { id, requesterId } of await stores.work.list({ limit: MAX })) {
			if (requesterId === personId) continue;
			const loaded = await stores.work.load(id);
			if ('session' in loaded && JSON.stringify(loaded.session).includes(personId)) found.push(id);
		}
		return found;
	}

	return {
		name: 'intakes',
		about:
			'Your intakes: what you were asked and answered, what came of it and where it was sent. Stored sealed and deleted by themselves some time after they end.',
		async export({ id }) {
			const intakes = await own(id);
			const packets = await packetsOf(intakes);
			const whole = await Promise.all(
				intakes.map(async (summary) => ({
					summary,
					everything: await stores.work.exportAll(summary.id),
					audit: await stores.audit.query({ sessionId: summary.id, limit: 10_000 }),
					packets: packets.filter(({ sessionId }) => sessionId === summary.id),
				})),
			);
			return [...whole, ...(await shared(id)).map((intake) => ({ takesPartIn: intake }))];
		},
		async erase({ id }) {
			const intakes = await own(id);
			for (const { packetId } of await packetsOf(intakes)) {
				await redis.ask((client) => client.del(keys.packet(packetId)));
				await redis.ask((client) => client.zrem(keys.packets, packetId));
			}
			for (const intake of intakes) await stores.work.delete(intake.id);
			const left = (await shared(id)).map(
				(intake) => `this person took part in intake ${intake} of somebody else, whose it is to delete it`,
			);
			return { count: intakes.length, left };
		},
	};
}
