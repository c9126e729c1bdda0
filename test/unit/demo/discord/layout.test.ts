import { expect, test } from 'vitest';
import { createLoopbackDiscord } from '../../../../demo/discord/server.ts';

test('OPS-1 the people of the rehearsal house are the same people after a restart', async () => {
	const first = await createLoopbackDiscord({});
	await first.close();
	const second = await createLoopbackDiscord({});
	await second.close();
	const ids = ({ people }: typeof first) => ['alex', 'sam', 'casey'].map((name) => people[name]);
	expect(ids(second)).toEqual(ids(first));
	expect(new Set(ids(second)).size).toBe(3);
	expect(second.guildId).not.toBe(first.guildId);
});
