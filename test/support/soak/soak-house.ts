import type { ModelScript } from '../../../demo/model/model-script.ts';
import { isOverseerPrompt } from '../../../demo/model/script/overseer-facts.ts';
import { createScript } from '../../../demo/model/script/script.ts';
import { KILL_ROOMS, killRooms } from '../kill-rounds.ts';
import { type HouseProcess, openProcessHouse, type ProcessHouse } from '../process-house.ts';

export const SOAK_HOST = 'laptop';
export const SOAK_TOKEN = 'laptop-token-0123456789';
export const SOAK_CALLER = { token: 'the-token-of-the-shop', key: { id: 'k1', secret: 'the-secret-of-the-shop' } };

export interface SoakHouse {
	readonly house: ProcessHouse;
	readonly bots: readonly HouseProcess[];
	readonly workers: readonly HouseProcess[];
	/** Address of any of the processes. */
	anyUrl(): string;
	close(): Promise<void>;
}

/** Acts on a numbered request once and keeps silent about everything else; intakes and fleet are answered by the demo's rules. */
function soakScript(): ModelScript {
	const rest = createScript();
	const answered = new Set<string>();
	return (prompt) => {
		if (!isOverseerPrompt(prompt)) return rest(prompt);
		const asks = prompt.messages.flatMap(({ content }) => [...content.matchAll(/(?:task (\S+) (on|off)|say) #(\d+)/g)]);
		const [, entity, state, number = ''] = asks.at(-1) ?? [];
		if (number === '' || answered.has(number)) return { text: JSON.stringify({ mode: 'SKIP' }) };
		answered.add(number);
		const calls = entity === undefined ? [] : [{ tool: 'ha_set_entity', args: { entity_id: entity, state } }];
		return { text: JSON.stringify({ mode: 'ACTION+CHAT', chat: `So be it, number #${number}.`, calls }) };
	};
}

/** Two bot processes under one token and three worker processes, all on one Redis. */
export async function openSoakHouse(): Promise<SoakHouse> {
	const house = await openProcessHouse({
		script: soakScript(),
		channels: [...KILL_ROOMS.map((_, index) => `kill${index}`), 'fleet'],
		secrets: {
			FLEET_TOKENS: `${SOAK_HOST}:${SOAK_TOKEN}`,
			CXP_CALLERS: `shop:${SOAK_CALLER.token}`,
			PACKET_KEYS: `shop:${SOAK_CALLER.key.id}:${SOAK_CALLER.key.secret}`,
		},
		change(settings, channelOf) {
			killRooms(settings, channelOf, 'cover');
			settings.fleet.channelId = channelOf('fleet');
			settings.fleet.concierge.coalesceMs = 1_000;
			settings.fleet.concierge.tickMs = 2_000;
			settings.fleet.concierge.wakesPerHour = 600;
			settings.intake.cxp.packetsPerMinute = 10_000;
			settings.intake.cxp.answerWaitMs = 10_000;
		},
	});
	house.model.control.always({ kind: 'script', delayMs: 120 });
	const load = (role: 'bot' | 'worker', count: number) =>
		Promise.all(Array.from({ length: count }, () => house.load(role)));
	const bots = await load('bot', 2);
	const workers = await load('worker', 3);
	const all = [...bots, ...workers];
	await Promise.all(all.map((each) => each.open()));
	await house.discord.control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 60_000 });
	return {
		house,
		bots,
		workers,
		anyUrl: () => all[Math.floor(Math.random() * all.length)]?.httpUrl() ?? '',
		close: () => house.close(),
	};
}
