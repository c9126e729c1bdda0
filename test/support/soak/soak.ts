import { soakAsks } from './asks.ts';
import { soakFleet } from './fleet.ts';
import { soakIntakes } from './intakes.ts';
import { soakRooms } from './rooms.ts';
import { openSoakHouse } from './soak-house.ts';
import type { Tally } from './tally.ts';

export interface SoakResult {
	readonly tallies: readonly Tally[];
	/** Bytes of Redis at a quarter of the time and at the end. */
	readonly memory: readonly [number, number];
	/** Lines that reached both bots and that one of the two left to the other. */
	readonly leftToTheOther: number;
	/** Failures that the processes logged, without those of connections. */
	readonly complaints: readonly string[];
}

/** Mixed load on two bot and three worker processes for so long; every piece of work is accounted for at its end. */
export async function soak(forMs: number): Promise<SoakResult> {
	const soaked = await openSoakHouse();
	try {
		const { house, bots, workers } = soaked;
		const until = Date.now() + forMs;
		const admin = await house.redis.connect();
		const bytes = async () => Number(/used_memory:(\d+)/.exec(await admin.handlers.info('memory'))?.[1]);
		const early = new Promise<number>((resolve) => {
			setTimeout(() => void bytes().then(resolve), forMs / 4).unref();
		});
		const works = [soakRooms, soakIntakes, soakFleet, soakAsks];
		const tallies = (await Promise.all(works.map((work) => work(soaked, until)))).flat();
		const pages = await Promise.all(bots.map(async (bot) => (await fetch(`${bot.httpUrl()}/metrics`)).text()));
		const leftToTheOther = pages.reduce((sum, page) => sum + claimed(page), 0);
		const complaints = [...bots, ...workers].flatMap(({ child }) =>
			child
				.stderr()
				.split('\n')
				.filter((line) => line.startsWith('error ')),
		);
		return { tallies, memory: [await early, await bytes()], leftToTheOther, complaints };
	} finally {
		await soaked.close();
	}
}

/** Messages that a bot found taken by another process. */
function claimed(page: string): number {
	return Number(/^\S*discord_messages_total\{[^}]*outcome="claimed"[^}]*\} (\d+)/m.exec(page)?.[1] ?? 0);
}
