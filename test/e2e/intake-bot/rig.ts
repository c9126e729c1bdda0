import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { createMemoryIntake, type MemoryIntake } from '../../support/fakes/memory-intake.ts';
import { intakeReady, linkedThread, type Walk, walkIn } from './walk.ts';

export interface IntakeRig {
	readonly house: BotHouse;
	readonly intake: MemoryIntake;
	readonly control: BotHouse['control'];
	/** Starts an intake by command and goes into its thread. */
	begin(intent?: string, as?: string): Promise<Walk>;
	/** Another process on the same stores. */
	secondBot(): Promise<{ stop(): Promise<void> }>;
	/** Ends the running bot and starts a new one. */
	restart(): Promise<void>;
	close(): Promise<void>;
}

export const WISH = 'I want a shop for mugs. It rains today.';

/** The real bot on the loopback Discord, the real machine of the intake behind its ports. */
export async function openIntakeRig(
	options: {
		house?: BotHouseOptions;
		intake?: Parameters<typeof createMemoryIntake>[0];
		/** Every message in the channel `intake` starts one. */
		only?: boolean;
	} = {},
): Promise<IntakeRig> {
	const intake = createMemoryIntake(options.intake);
	const house = await createBotHouse({ ...options.house, deps: { intake: intake.ports, ...options.house?.deps } });
	const channelId = house.discord.channels['intake'] ?? '';
	house.change({ intake: { ...intake.settings, channels: [{ channelId, only: options.only ?? true }] } });
	let bot = house.newBot();
	await bot.start();
	await intakeReady(house.control);
	return {
		house,
		intake,
		control: house.control,
		async begin(intent = WISH, as = 'alex') {
			const started = await house.control.command({
				as,
				channel: 'intake',
				command: 'intake start',
				options: { intent },
				until: 'complete',
				timeoutMs: 10_000,
			});
			return walkIn(house.control, linkedThread(started.message?.text ?? ''), as);
		},
		async secondBot() {
			const second = house.newBot();
			await second.start();
			return second;
		},
		async restart() {
			await bot.stop();
			bot = house.newBot();
			await bot.start();
			await house.control.waitBot({ bot: 'Majordomo', online: true });
		},
		async close() {
			intake.stop();
			await house.close();
		},
	};
}
