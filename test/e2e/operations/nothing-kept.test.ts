import { expect, test } from 'vitest';
import { parseEnvironment } from '../../../config/env.ts';
import { ANY_PORTS, openRehearsalHouse } from '../../../demo/house.ts';
import { type Household, startHousehold } from '../../../main.ts';
import { eventually, startTestRedis, testLog } from '../../support/redis.ts';

test('OPS-2 where nothing is kept, the panel says so and health is degraded; where something is, neither', {
	timeout: 120_000,
}, async () => {
	const redis = await startTestRedis();
	const house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
	const parsed = parseEnvironment({ INTAKE_KEYS: `test:${'A'.repeat(43)}=` });
	if (!parsed.ok) throw new Error('the test environment is not valid');
	const environment = { ...parsed.environment, ...house.secrets };
	const settings = { ...house.settings, redis: { ...house.settings.redis, prefix: redis.prefix } };
	let household: Household | undefined;
	const seen = async (kind: 'given' | 'ephemeral') => {
		const { where } = redis;
		household = await startHousehold({
			settings: () => settings,
			environment,
			redis: { kind, how: 'a Redis for tests', where, stop: async () => undefined },
			log: testLog(),
		});
		await house.discord.control.waitBot({ online: true, timeoutMs: 20_000 });
		const ask = () =>
			house.discord.control
				.command({ as: 'alex', channel: 'room', command: 'overseer panel', options: {}, until: 'complete' })
				.catch(() => undefined);
		// Commands are registered a moment after the login.
		let panel = await ask();
		await eventually('the panel is shown', async () => {
			panel ??= await ask();
			return panel?.message != null;
		});
		const ready = await fetch(`${household.httpUrl}/readyz`);
		const health = (await ready.json()) as { parts: { name: string; ok: boolean }[] };
		await household.stop();
		household = undefined;
		return {
			red: panel?.message?.embeds[0]?.color === 0xed4245,
			panel: panel?.message?.allText ?? '',
			status: ready.status,
			storage: health.parts.find(({ name }) => name === 'storage'),
		};
	};
	try {
		const unkept = await seen('ephemeral');
		expect(unkept.panel).toContain('NOTHING IS KEPT');
		expect(unkept).toMatchObject({ red: true, status: 200, storage: { ok: false } });
		const kept = await seen('given');
		expect(kept.panel).not.toContain('NOTHING IS KEPT');
		expect(kept).toMatchObject({ red: false, status: 200, storage: undefined });
	} finally {
		await household?.stop();
		await house.close();
		await redis.stop();
	}
});
