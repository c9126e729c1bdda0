import { Queue } from 'bullmq';
import { readKeys } from '../../../adapters/redis/backup/read-keys.ts';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { everyKey } from '../../../adapters/redis/every-key.ts';
import { createStores } from '../../../adapters/redis/stores.ts';
import { overseerStatus } from '../../../core/overseer/status.ts';
import { queuePrefix } from '../../../jobs/queues.ts';

export const ALEX = { id: '710000000000000001', name: 'Alexandra' };
export const SAM = { id: '710000000000000002', name: 'Samuel' };

let lines = 0;
const line = (author: { id: string; name: string }, text: string, more: object = {}) => {
	lines += 1;
	const id = `8200000000000${String(lines).padStart(5, '0')}`;
	return { id, room: 'lab', author, bot: false, text, at: 1_000 + lines, mentions: [], source: 'discord', ...more };
};

/** A Redis with something of every kind in it, as a household leaves it behind. */
export async function stockStore(redis: RedisConnection) {
	const stores = createStores(redis, { statusSchema: overseerStatus, audit: { maxRows: 1_000, retainMs: 9e9 } });
	const said = [
		line(ALEX, 'the secret word is marzipan'),
		line(SAM, 'hello @Alexandra, and good evening', { mentions: [ALEX.id] }),
		line(ALEX, 'overseer, the lamp please'),
		line({ id: 'overseer', name: 'Overseer' }, 'Very well, Alexandra.', { bot: true, source: 'overseer' }),
		line(SAM, 'nothing to do with anybody'),
	];
	for (const message of said) {
		await stores.rooms.addMessage(message);
		await stores.bus.publish(message);
		await stores.messageClaims.markHandled('630000000000000001', message.id);
	}
	const snapshot = await stores.rooms.read('lab', { messages: 10, events: 10 });
	const pending = {
		id: 'decision-1',
		trigger: 'direct_address' as const,
		evidence: [{ note: 'Alexandra called', messageIds: [said[2]?.id ?? ''] }],
		addresses: [{ messageId: said[2]?.id ?? '', authorId: ALEX.id, authorName: ALEX.name, at: 1_003 }],
		since: 1_003,
		attempt: 1,
	};
	await stores.rooms.commit('lab', snapshot.version, { ...snapshot.gate, pending }, 2_000);
	await stores.votes.set('lab', ALEX.id, 'no');
	await stores.votes.set('lab', SAM.id, 'yes');
	await stores.memory.write('lab', 1, 'Alexandra likes warm light');
	await stores.memory.write('lab', 2, 'the shelf lamp flickers');
	await stores.journal.keepNote('decision-1', 'prompt', [
		{ role: 'user', content: 'Alexandra: the secret word is marzipan' },
	]);
	await stores.journal.keepNote('decision-2', 'prompt', [{ role: 'user', content: 'Samuel: hello' }]);
	const row = { room: 'lab', decisionId: 'decision-1', callId: 'c1', tool: 'ha_set_entity', trigger: 'direct_address' };
	await stores.audit.append({ ...row, id: 'r1', at: 1, step: 'proposed', cause: ALEX.id, args: { for: 'Alexandra' } });
	await stores.audit.append({
		...row,
		id: 'r2',
		at: 2,
		step: 'confirmed',
		cause: ALEX.id,
		summary: 'the shelf lamp is off',
	});
	await stores.audit.append({ ...row, id: 'r3', at: 3, step: 'confirmed', cause: SAM.id, callId: 'c2' });
	await stores.claims.claim('c1', 1_000);
	await stores.keepsakes.set('panel:lab', JSON.stringify({ channelId: '1', messageId: '2' }));
	await stores.leases.hold('bucket:1', 60_000);
	const queue = new Queue('tool-run', { connection: redis.handlers, prefix: queuePrefix(redis.prefix, 'tool-run') });
	const job = {
		roomId: 'lab',
		decisionId: 'decision-1',
		callId: 'c1',
		tool: 'lift_up',
		argsJson: '{}',
		cause: ALEX.id,
	};
	await queue.add('tool-run', job, { jobId: 'x-1' });
	await queue.add('tool-run', { ...job, cause: SAM.id }, { jobId: 'x-2', delay: 3_600_000 });
	return { stores, queue, said };
}

/** Everything under the prefix except leases, by key, with the prefix taken out, for comparison. */
export async function wholeStore(redis: RedisConnection): Promise<Record<string, unknown>> {
	const keys = (await everyKey(redis)).filter((key) => !key.includes(':lease:'));
	const read = (await Promise.all(keys.map((key) => readKeys(redis, [key], 0)))).flat();
	return Object.fromEntries(
		read.map(({ key, value, until }) => [
			key.replace(`{${redis.prefix}:`, '{'),
			{ value: sorted(value), ends: until !== undefined },
		]),
	);
}

/** Sets and hashes have no order of their own. */
function sorted(value: Awaited<ReturnType<typeof readKeys>>[number]['value']): unknown {
	if (value.type === 'set') return { ...value, members: value.members.map(String).sort() };
	if (value.type === 'hash') return { ...value, fields: value.fields.map((pair) => JSON.stringify(pair)).sort() };
	return value;
}
