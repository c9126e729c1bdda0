import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IntakeStores } from '../../../adapters/redis/intake/intake-stores.ts';
import { runInboxCommand } from '../../../scripts/inbox-command.ts';
import { handoffFor } from '../../support/handoff.ts';
import { storesFor } from '../../support/intake.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let inbox: IntakeStores['inbox'];
beforeAll(async () => {
	server = await startTestRedis();
	({ inbox } = storesFor(await server.connect()));
});
afterAll(() => server.stop());

const run = async (...args: string[]) => {
	const lines: string[] = [];
	const code = await runInboxCommand(args, { inbox, now: Date.now, say: (line) => lines.push(line) });
	return { code, text: lines.join('\n') };
};

describe('npm run ba-inbox', () => {
	test('INT-22 lists what is there, shows it and brings it again', async () => {
		expect(await run('list')).toEqual({ code: 0, text: 'no packets' });
		await inbox.put(handoffFor(), ['desk', 'disk'], Date.now());
		await inbox.settle('p1', 'disk', { state: 'delivered' }, Date.now());
		expect((await run('replay', 'p1')).code).toBe(1);
		await inbox.settle('p1', 'desk', { state: 'dead', problem: 'it answered 500' }, Date.now());
		expect((await run('list', 'dead')).text).toMatch(
			/p1 {2}mug_shop[\s\S]*desk +dead +1 try: it answered 500[\s\S]*disk +delivered/,
		);
		expect(JSON.parse((await run('show', 'p1')).text)).toMatchObject({ id: 'p1', to: 'U:BA' });
		expect(await run('replay', 'p1')).toEqual({ code: 0, text: 'desk: it will be brought again' });
		expect((await inbox.entry('p1'))?.deliveries.map(({ state }) => state)).toEqual(['waiting', 'delivered']);
		await inbox.settle('p1', 'desk', { state: 'delivered' }, Date.now());
		expect(await run('show', 'p1')).toMatchObject({ code: 1 });
		expect(await run('replay', 'p1', 'desk')).toMatchObject({ code: 1 });
	});

	test('INT-22 what it does not understand it explains', async () => {
		for (const args of [[], ['list', 'alive'], ['replay'], ['burn', 'p1']]) {
			const { code, text } = await run(...args);
			expect([code, text.includes('ba-inbox replay')], args.join(' ')).toEqual([2, true]);
		}
		expect(await run('show', 'p9')).toEqual({ code: 1, text: 'there is no packet p9' });
	});
});
