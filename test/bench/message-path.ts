import { openTestHousehold } from '../support/household.ts';
import { startTestRedis } from '../support/redis.ts';
import { startBareBot } from './bare-bot.ts';
import { row, spreadOf } from './figures.ts';

const WARM_UP = 10;

/**
 * From a person's message to the model's request, and from there to the frame that Home Assistant gets: the household and a
 * bare bot in turn, on the same loopback servers, in one process. Both switch a real (simulated) lamp.
 */
export async function benchMessagePath(count: number): Promise<string[]> {
	const now = () => performance.timeOrigin + performance.now();
	const redis = await startTestRedis();
	const home = await openTestHousehold({
		redis,
		now,
		bots: [{ name: 'Bare' }],
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = 3_600_000;
			overseer.cooldowns = { ...overseer.cooldowns, lightMs: 0, chatMs: 0 };
			overseer.budget = { perMinute: 100_000, perHour: 100_000 };
		},
	});
	const { discord, home: world } = home.house;
	const bare = discord.bots['Bare'];
	if (!bare) throw new Error('the second bot is missing');
	const stopBare = await startBareBot(home.house, bare.token, discord.channels['fleet'] ?? '');
	const figures = {
		ours: { model: [] as number[], frame: [] as number[] },
		bare: { model: [] as number[], frame: [] as number[] },
	};

	for (let turn = 0; turn < count + WARM_UP; turn += 1) {
		for (const who of ['ours', 'bare'] as const) {
			const state = turn % 2 === 0 ? 'on' : 'off';
			const entity = who === 'ours' ? 'light.bench' : 'light.corner';
			home.model.control.queue({
				kind: 'json',
				value:
					who === 'ours'
						? {
								mode: 'ACTION+CHAT',
								chat: `Turn ${turn}, as you like it.`,
								calls: [{ tool: 'ha_set_entity', args: { entity_id: 'bench', state } }],
							}
						: { entity, state, say: `Turn ${turn}, as you like it.` },
			});
			const calls = world.control.calls().length;
			const before = home.model.control.requests().at(-1)?.id ?? 0;
			const channel = who === 'ours' ? 'room' : 'fleet';
			const sentAt = now();
			const asked = await discord.control.message({ as: 'sam', channel, text: 'overseer, the lamp please' });
			await discord.control.waitMessage({
				channel,
				after: asked.id,
				author: who === 'ours' ? 'Majordomo' : 'Bare',
				timeoutMs: 20_000,
			});
			const request = home.model.control.requests().find(({ id }) => id > before);
			const call = world.control.calls()[calls];
			if (!request || !call) throw new Error(`turn ${turn} of ${who} left no trace`);
			if (turn < WARM_UP) continue;
			figures[who].model.push(request.at - sentAt);
			figures[who].frame.push(call.at - request.at);
		}
	}
	await stopBare();
	await home.stop();
	await redis.stop();
	return [
		row('message → model request', spreadOf(figures.ours.model), spreadOf(figures.bare.model)),
		row('model request → Home Assistant', spreadOf(figures.ours.frame), spreadOf(figures.bare.frame)),
	];
}
