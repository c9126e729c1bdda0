import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectedHome, openConnectedHome } from './connected-home.ts';
import { describeDevices } from './device-scenarios.ts';
import type { HomeRig } from './home-rig.ts';
import { describeOutages } from './outage-scenarios.ts';
import type { Scenario } from './scenario.ts';

/** What every Home must do, whatever Home Assistant is behind it. */
export function homeContract(name: string, makeRig: () => Promise<HomeRig>): void {
	describe(`home contract: ${name}`, () => {
		let rig: HomeRig | undefined;
		let opened: ConnectedHome[] = [];
		const unhandled: unknown[] = [];
		const onUnhandled = (reason: unknown) => unhandled.push(reason);

		beforeAll(async () => {
			process.on('unhandledRejection', onUnhandled);
			rig = await makeRig();
		}, 300_000);
		afterEach(async () => {
			await Promise.all(opened.map((home) => home.close()));
			opened = [];
		});
		afterAll(async () => {
			await rig?.close();
			process.off('unhandledRejection', onUnhandled);
		});

		const scenario: Scenario = {
			rig: () => {
				if (!rig) throw new Error('the rig did not start');
				return rig;
			},
			async open(timing) {
				const connected = await openConnectedHome(scenario.rig(), timing);
				opened.push(connected);
				connected.home.start();
				await connected.reach('ready');
				return connected;
			},
		};

		describeDevices(scenario);
		describeOutages(scenario);

		test('H01 nothing above left a rejection unhandled, and no log line holds the token', async () => {
			const connected = await scenario.open();
			connected.line.cut();
			await connected.reach('lost');
			await connected.reach('ready');
			expect(unhandled).toEqual([]);
			expect(JSON.stringify(connected.logged)).not.toContain(scenario.rig().token);
			expect(JSON.stringify(connected.home.status())).not.toContain(scenario.rig().token);
		});
	});
}
