import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnvironment } from '../../config/env.ts';
import { readSettingsFile } from '../../config/load.ts';
import type { Settings } from '../../config/schema.ts';
import { createSettingsSource } from '../../config/settings-source.ts';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../demo/house.ts';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';
import { startHousehold } from '../../main.ts';
import { startTestRedis, type TestRedis, testLog } from './redis.ts';

const PASSWORD = 'only-for-tests-0123';

/** A household whose settings stand in a file and are read again while it runs, as on SIGHUP. */
export interface NamedHouse {
	readonly house: RehearsalHouse;
	readonly model: LoopbackModel;
	readonly redis: TestRedis;
	/** Writes the changed settings into the file and reads it again. */
	rewrite(change: (settings: Settings) => void): Promise<void>;
	/** A page as an admin sees it. */
	page(path: string): Promise<string>;
	/** A live feed up to and with the first event that the mark begins. */
	firstEvents(path: string, mark: string): Promise<string>;
	stop(): Promise<void>;
}

export async function openNamedHouse(change: (settings: Settings) => void): Promise<NamedHouse> {
	const redis = await startTestRedis();
	const house = await openRehearsalHouse({ ports: ANY_PORTS, env: { MAJORDOMO_DEMO_MODEL: 'scripted' } });
	const model = house.thinking.scripted;
	if (!model) throw new Error('tests think with the script');
	const folder = await mkdtemp(join(tmpdir(), 'mj-named-'));
	const path = join(folder, 'majordomo.yaml');
	const settings = structuredClone(house.settings);
	settings.redis.prefix = redis.prefix;
	const write = () => writeFile(path, JSON.stringify(settings));
	change(settings);
	await write();
	const read = readSettingsFile(path);
	if (!read.ok) throw new Error(`the settings of the test: ${JSON.stringify(read.problems)}`);
	const source = createSettingsSource({ path, initial: read.settings });
	const parsed = parseEnvironment({ ADMIN_PASSWORD: PASSWORD, INTAKE_KEYS: `test:${'A'.repeat(43)}=` });
	if (!parsed.ok) throw new Error('the test environment is not valid');
	const household = await startHousehold({
		settings: source.current,
		environment: { ...parsed.environment, ...house.secrets },
		redis: { kind: 'given', how: 'a Redis for tests', where: redis.where, stop: async () => undefined },
		log: testLog(),
	});
	await house.discord.control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 20_000 });
	const login = await fetch(`${household.httpUrl}/login`, {
		method: 'POST',
		body: new URLSearchParams({ password: PASSWORD, next: '/admin' }),
		headers: { Origin: household.httpUrl },
		redirect: 'manual',
	});
	const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';

	return {
		house,
		model,
		redis,
		async rewrite(next) {
			next(settings);
			await write();
			const reloaded = source.reload();
			if (!reloaded.ok) throw new Error(reloaded.text);
		},
		async page(at) {
			const response = await fetch(`${household.httpUrl}${at}`, { headers: { Cookie: cookie } });
			if (!response.ok) throw new Error(`${at} answers ${response.status}`);
			return response.text();
		},
		async firstEvents(at, mark) {
			const ended = AbortSignal.timeout(15_000);
			const response = await fetch(`${household.httpUrl}${at}`, { headers: { Cookie: cookie }, signal: ended });
			const decoder = new TextDecoder();
			let text = '';
			for await (const chunk of response.body ?? []) {
				text += decoder.decode(chunk, { stream: true });
				const from = text.indexOf(mark);
				if (from >= 0 && text.indexOf('\n\n', from) >= 0) break;
			}
			return text;
		},
		async stop() {
			await household.stop();
			await house.close();
			await redis.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
