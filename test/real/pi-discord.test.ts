import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createFleetStores, type FleetStores } from '../../adapters/redis/fleet/fleet-stores.ts';
import type { SeenMessage } from '../../demo/discord/control/seen.ts';
import type { ModelStep } from '../../demo/model/model-step.ts';
import { openTestHousehold, type TestHousehold } from '../support/household.ts';
import { createPiHome, installPi } from '../support/real-pi.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';

const installed = await installPi(inject('dataDir'));
const WAIT_MS = 60_000;
const choices = [{ label: 'v1' }, { label: 'v2' }];
const ask = (question: string): ModelStep => ({
	kind: 'calls',
	calls: [{ name: 'ask_person', arguments: { question, choices } }],
});

describe.skipIf('skipped' in installed)('a real pi, from Discord and back', () => {
	let home: Awaited<ReturnType<typeof createPiHome>>;
	let redis: TestRedis;
	let household: TestHousehold;
	let stores: FleetStores;
	const before = process.env['PI_CODING_AGENT_DIR'];

	beforeAll(async () => {
		home = await createPiHome('command' in installed ? installed.command : 'pi');
		// The house hands its own environment on to pi.
		process.env['PI_CODING_AGENT_DIR'] = home.agent;
		redis = await startTestRedis();
		household = await openTestHousehold({ redis, secrets: () => ({ dataDir: join(home.sessions, 'data') }) });
		const { discord } = household.house;
		Object.assign(household.settings.fleet, {
			channelId: discord.channels['fleet'],
			ownerUserIds: [discord.people['alex']],
			cardAfterMs: 500,
			pi: home.settings,
		});
		// Nothing wakes the concierge by itself, so that each of its answers is to what was asked.
		Object.assign(household.settings.fleet.concierge, { coalesceMs: 600_000, heartbeat: 'off', tickMs: 1_000 });
		await household.restart();
		await eventually(
			'the commands are registered',
			async () => (await control().commands({})).some(({ command: known }) => known.name === 'session'),
			WAIT_MS,
		);
		stores = createFleetStores(await redis.connect(), {
			feed: () => household.settings.fleet.feed,
			maxInbox: () => 100,
		});
	});
	afterAll(async () => {
		await household?.stop();
		await redis?.stop();
		await home?.close();
		if (before === undefined) delete process.env['PI_CODING_AGENT_DIR'];
		else process.env['PI_CODING_AGENT_DIR'] = before;
	});

	const control = () => household.house.discord.control;
	const command = (name: string, options: Record<string, string | number> = {}) =>
		control().command({ as: 'alex', channel: 'fleet', command: name, options, until: 'complete', timeoutMs: WAIT_MS });
	const press = (message: SeenMessage | null, button: string) =>
		control().button({
			as: 'alex',
			message: message?.id ?? '',
			button,
			until: 'complete',
			timeoutMs: WAIT_MS,
		});
	const said = (contains: string, isWanted: (message: SeenMessage) => boolean = () => true) =>
		eventually(
			`the bot says "${contains}"`,
			async () =>
				(await control().messages({ channel: 'fleet', author: 'Majordomo', limit: 200 })).findLast(
					(message) => message.allText.includes(contains) && isWanted(message),
				),
			WAIT_MS,
		);
	const cardOf = (question: string) => said(question, ({ controls }) => controls.some(({ label }) => label === 'v2'));
	const becomes = (message: SeenMessage, contains: string) =>
		eventually(
			`the message says "${contains}"`,
			async () => (await control().messageById({ message: message.id })).allText.includes(contains),
			WAIT_MS,
		);
	const session = async () => {
		const [found] = await stores.sessions.list(5);
		return found;
	};
	const state = (wanted: string) =>
		eventually(`it is ${wanted}`, async () => (await session())?.state === wanted, WAIT_MS);
	const askedOfPi = () => JSON.stringify(home.model.control.requests().map(({ body }) => body));

	test('FLT-3 FLT-13 FLT-14 FLT-15 start, question, press, relay, abort, cost, crash in a question, and on by its file', async () => {
		home.model.control.queue(ask('Which schema?'), { kind: 'text', text: 'v2 it is.', outputTokens: 2_000 });
		const started = await command('session start', { name: 'api-fix', directory: home.work, task: 'Migrate.' });
		expect(started.message?.allText).toContain('api-fix');
		const threadId = /<#(\d+)>/.exec(started.message?.allText ?? '')?.[1] ?? '';
		expect(threadId).not.toBe('');

		const card = await cardOf('Which schema?');
		expect(card.pings).toEqual(['alex']);
		await press(card, 'v2');
		await state('finished');
		await becomes(card, 'delivered');
		expect(askedOfPi()).toContain('The person answered: v2');
		expect(await session()).toMatchObject({ summary: 'v2 it is.', source: 'pi' });

		// A person has the concierge relay something: it comes in after the run, framed as a relay.
		const concierge = household.model.control;
		concierge.always({ kind: 'json', value: { say: '', calls: [] } });
		await command('concierge on');
		await eventually('it was greeted', async () => (await stores.concierge.read()).state.lastDigestAt > 0, WAIT_MS);
		const relay = { tool: 'hub_send', args: { to: 'api-fix', text: 'The flaky test is test_login.' } };
		concierge.queue({ kind: 'json', value: { say: '', calls: [relay] } });
		concierge.queue({ kind: 'json', value: { say: 'I told api-fix.', calls: [] } });
		home.model.control.queue({ kind: 'text', text: 'Noted, test_login.' });
		await command('ask', { question: 'tell api-fix which test is flaky' });
		await eventually('pi took it', async () => (await session())?.summary === 'Noted, test_login.', WAIT_MS);
		await said('I told api-fix.');
		expect(askedOfPi()).toContain('not from the person you work for');
		await command('concierge off');

		// A turn that hangs is aborted; the session stays.
		home.model.control.queue({ kind: 'hang' });
		await control().message({ as: 'alex', channel: threadId, text: 'rename everything' });
		await state('working');
		const which = await command('session stop', { session: 'api-fix' });
		await press(which.message, 'Abort its turn');
		await state('idle');
		home.model.control.release();

		const shown = await command('session show', { session: 'api-fix', transcript: 20 });
		expect(shown.message?.allText).toMatch(/\$0\.0[1-9]/);
		expect((await session())?.cost.totalUsd).toBeGreaterThan(0.01);

		// pi is killed while it asks: the question is lost, on its card too, and the session goes on by its file.
		home.model.control.queue(ask('Delete the old tables?'));
		await control().message({ as: 'alex', channel: threadId, text: 'finish the migration' });
		const second = await cardOf('Delete the old tables?');
		const [pid] = await piProcesses(home.work);
		expect(pid).toBeGreaterThan(0);
		process.kill(pid as number, 'SIGKILL');
		await becomes(second, 'lost');
		await state('idle');
		const [next] = await eventually('pi runs again', async () => {
			const found = await piProcesses(home.work);
			return found.length === 1 && found[0] !== pid ? found : undefined;
		});
		home.model.control.queue({ kind: 'text', text: 'Still here.' });
		await control().message({ as: 'alex', channel: threadId, text: 'are you there?' });
		await eventually('it answers', async () => (await session())?.summary === 'Still here.', WAIT_MS);
		expect(askedOfPi().match(/are you there/g)?.length).toBe(1);
		expect(JSON.stringify(home.model.control.requests().at(-1)?.body)).toContain('v2 it is.');

		await household.stop();
		expect(await piProcesses(home.work)).toEqual([]);
		expect(next).not.toBe(pid);
	}, 600_000);
});

/** Processes that work in a folder. */
async function piProcesses(folder: string): Promise<number[]> {
	const found: number[] = [];
	for (const entry of await readdir('/proc')) {
		if (!/^\d+$/.test(entry)) continue;
		if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) === folder) found.push(Number(entry));
	}
	return found;
}
