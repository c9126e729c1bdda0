import { setTimeout as sleep } from 'node:timers/promises';
import { createHomeAssistant } from '../../adapters/home/home-assistant.ts';
import { HomeError } from '../../adapters/home/home-error.ts';
import { createLog } from '../../adapters/observe/log.ts';
import { readHomeEntities } from '../../adapters/operations/home-rest.ts';
import { roomEntityIds } from '../../config/rooms.ts';
import { type HomeFacts, judgeHome, type WantedEntity } from '../../core/operations/judge-home.ts';
import { type CheckContext, type Checked, skipped } from './context.ts';

/** Reachable over the same WebSocket as the house uses, with every configured entity. */
export async function checkHome(context: CheckContext): Promise<Checked> {
	const { settings, environment } = context;
	const wanted = settings.rooms.flatMap((room) =>
		roomEntityIds(room).map((entityId) => ({ roomId: room.id, entityId })),
	);
	if (environment.role === 'bot') return skipped('the bot process does not speak to Home Assistant');
	if (wanted.length === 0) return skipped('no room has an entity');
	const facts = await gather(context, wanted);
	const detail =
		facts.connection === 'ready'
			? `${facts.url}, ${wanted.filter(({ entityId }) => facts.states.has(entityId)).length} of ${wanted.length} entities there`
			: `${facts.url}: ${facts.connection}`;
	return { detail, findings: judgeHome(facts, wanted) };
}

async function gather(context: CheckContext, wanted: readonly WantedEntity[]): Promise<HomeFacts> {
	const { settings, environment, deadlineMs, now } = context;
	const url = settings.home.url.replace(/\/+$/, '');
	const token = environment.homeAssistantToken;
	const nothing = { url, states: new Map(), knownIds: [] };
	if (token === undefined) return { ...nothing, connection: 'no_token' };
	const listed = readHomeEntities({ url, token, signal: AbortSignal.timeout(deadlineMs), now });
	try {
		const home = createHomeAssistant({
			url,
			token,
			entityIds: wanted.map(({ entityId }) => entityId),
			log: createLog({ level: 'silent' }),
			now,
			timing: { connectTimeoutMs: deadlineMs, startGraceMs: deadlineMs },
		});
		try {
			home.start();
			const end = performance.now() + deadlineMs;
			let status = home.status();
			while (status.phase === 'connecting' && !status.lastError && performance.now() < end) {
				await sleep(25);
				status = home.status();
			}
			const rest = await listed;
			if (rest.kind === 'ok' && rest.clock) context.noteClock({ source: 'Home Assistant', ...rest.clock });
			if (status.phase === 'auth_failed') return { ...nothing, connection: 'auth_failed' };
			if (status.phase !== 'ready')
				return { ...nothing, connection: 'unreachable', reason: status.lastError?.message ?? 'no answer in time' };
			return {
				url,
				connection: 'ready',
				states: new Map([...home.states()].map(([id, { state }]) => [id, state])),
				knownIds: rest.kind === 'ok' ? rest.entities.map(({ entityId }) => entityId) : [],
			};
		} finally {
			await home.stop();
		}
	} catch (thrown) {
		if (!(thrown instanceof HomeError)) throw thrown;
		return { ...nothing, connection: 'unreachable', reason: thrown.message };
	}
}
