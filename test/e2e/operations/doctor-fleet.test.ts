import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '../../../config/schema.ts';
import { type DoctorRig, openDoctorRig } from './doctor-rig.ts';

const OWNER = '100000000000000001';
const FLEET_TOKENS = 'laptop:token-of-the-laptop-0123456789';

describe('the doctor and the fleet', () => {
	let rig: DoctorRig;
	beforeAll(async () => {
		rig = await openDoctorRig();
	});
	beforeEach(() => rig.discord.control.reset({}));
	afterAll(() => rig.close());

	const examine = (
		change: (fleet: Settings['fleet']) => void = () => undefined,
		variables: object = { FLEET_TOKENS },
	) =>
		rig.examine(
			(settings) => {
				settings.fleet.channelId = rig.discord.channels['fleet'];
				settings.fleet.ownerUserIds = [OWNER];
				change(settings.fleet);
			},
			{ variables: { ...variables } },
		);
	const agent = async (name: string, script: string) => {
		const path = join(rig.dir, name);
		await writeFile(path, `#!/bin/sh\n${script}\n`);
		await chmod(path, 0o755);
		return path;
	};

	test('OPS-3 without a fleet channel nothing is looked at; with one and a token all is well', async () => {
		const off = await rig.examine();
		expect(off.areas.find(({ area }) => area === 'fleet')).toMatchObject({ skipped: true, findings: [] });
		const on = await examine();
		expect(on.troubles).toEqual([]);
		expect(on.areas.find(({ area }) => area === 'fleet')?.detail).toBe('1 machine may report');
	});

	test('OPS-3 nobody may report, and nobody is mentioned: each with its line', async () => {
		const { troubles, finding } = await examine((fleet) => {
			fleet.ownerUserIds = [];
		}, {});
		expect(troubles).toEqual(['warning fleet_nobody_reports']);
		expect(finding('fleet_nobody_reports').fix).toContain('FLEET_TOKENS=');
		expect(finding('fleet_no_owner').fix).toContain('fleet.ownerUserIds');
	});

	test('OPS-3 FLT-3 an agent that is not installed, or breaks, and a folder that is gone', async () => {
		const missing = await examine((fleet) => {
			fleet.pi.directories = [join(rig.dir, 'nowhere')];
			fleet.pi.command = 'no-such-agent';
		});
		expect([...missing.troubles].sort()).toEqual(['error fleet_agent', 'error fleet_directory']);
		expect(missing.finding('fleet_agent').what).toContain('no such program on PATH');
		expect(missing.finding('fleet_agent').fix).toContain('npm install -g');
		const folder = join(rig.dir, 'projects');
		await mkdir(folder, { recursive: true });
		const breaks = await agent('breaks', 'exit 3');
		const broken = await examine((fleet) => {
			fleet.pi.directories = [folder];
			fleet.pi.command = breaks;
		});
		expect(broken.finding('fleet_agent').what).toContain('it ended with 3');
		const works = await agent('works', 'echo 0.73.1');
		const well = await examine((fleet) => {
			fleet.pi.directories = [folder];
			fleet.pi.command = works;
		});
		expect(well.troubles).toEqual([]);
		expect(well.areas.find(({ area }) => area === 'fleet')?.detail).toContain('0.73.1');
	});

	test('OPS-3 FLT-15 the fleet channel is looked at like the others: what is lacking there is named', async () => {
		await rig.discord.control.channelPermissions({
			channel: 'fleet',
			target: 'Majordomo',
			deny: ['CreatePublicThreads', 'SendMessagesInThreads'],
		});
		const { finding } = await examine();
		expect(finding('channel_permissions').what).toContain(
			'(fleet) I lack: Send Messages in Threads, Create Public Threads',
		);
	});
});
