import { z } from 'zod';
import { OPEN_SITE, type SitePolicy } from '../../../core/overseer/site.ts';
import type { SiteStore } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';

/** KEYS policy; ARGV field, value, topic. */
const SET = createScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return 1
`);

const mode = z.enum(['open', 'admin', 'lockdown']);
const lightsLock = z.enum(['none', 'on', 'off']);
const paused = z.enum(['yes', 'no']);

/** Site policy. What cannot be read counts as the strictest: an admin meant to restrict something. */
export function createSiteStore(redis: RedisConnection, stored: Stored): SiteStore {
	const key = redis.keys.site();
	const topic = redis.keys.topic('site-changed');

	function field<T extends string>(
		schema: z.ZodType<T>,
		text: string | null | undefined,
		unset: T,
		strictest: T,
		name: string,
	): T {
		if (text === null || text === undefined) return unset;
		const value = schema.safeParse(text);
		if (value.success) return value.data;
		stored.report(`${key} ${name}`, 'unknown value');
		return strictest;
	}

	async function read(): Promise<SitePolicy> {
		const [modeText, lockText, pausedText] = await redis.ask((client) =>
			client.hmget(key, 'mode', 'lightsLock', 'paused'),
		);
		return {
			mode: field(mode, modeText, OPEN_SITE.mode, 'lockdown', 'mode'),
			lightsLock: field(lightsLock, lockText, OPEN_SITE.lightsLock, 'on', 'lightsLock'),
			paused: field(paused, pausedText, 'no', 'yes', 'paused') === 'yes',
		};
	}

	async function set(name: string, value: string): Promise<void> {
		await redis.run(SET, [key], [name, value, topic]);
	}

	return {
		read,
		setMode: (value) => set('mode', value),
		setLightsLock: (value) => set('lightsLock', value),
		setPaused: (value) => set('paused', value ? 'yes' : 'no'),
		onChange(listener) {
			const tell = () => {
				read().then(listener, (error) =>
					redis.log.warn({ error: String(error) }, 'a changed site policy could not be read'),
				);
			};
			return redis.topics.listen(topic, tell, tell);
		},
	};
}
