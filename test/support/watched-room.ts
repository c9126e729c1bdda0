import { createStores, type Stores } from '../../adapters/redis/stores.ts';
import type { Settings } from '../../config/schema.ts';
import { type OverseerStatus, overseerStatus } from '../../core/overseer/status.ts';
import type { AuditRow } from '../../core/tooling/call.ts';
import type { ModelStep } from '../../demo/model/model-step.ts';
import { openTestHousehold, type TestHousehold } from './household.ts';
import { eventually, type TestRedis } from './redis.ts';

export const ROOM = 'workshop';

/** A test household whose only wake-ups are the test's own, with a view of what it keeps and what it did. */
export interface WatchedRoom extends TestHousehold {
	readonly stores: Stores<OverseerStatus>;
	/** The model's next answer. */
	think(value: unknown, step?: Partial<Extract<ModelStep, { kind: 'json' }>>): void;
	/** Resolves when the model has been asked so often since the last `fresh`. */
	asked(times: number): Promise<void>;
	/** Text of the nth prompt since the last `fresh`, from 1. */
	prompt(index: number): string;
	/** Waits for a row of the audit since the last `fresh`. */
	row(want: Partial<Pick<AuditRow, 'tool' | 'step'>>): Promise<AuditRow>;
	rows(): Promise<AuditRow[]>;
	/** Service calls that reached the house since the last `fresh`, as `service entity`. */
	calls(): string[];
	/** Waits until nothing is in flight and nothing waits. */
	idle(): Promise<void>;
	/** Puts locks, stage, votes, model and house back and begins to count anew. */
	fresh(): Promise<void>;
}

export async function openWatchedRoom(
	options: { change?: (settings: Settings) => void; redis?: TestRedis } = {},
): Promise<WatchedRoom> {
	const home = await openTestHousehold({
		...(options.redis ? { redis: options.redis } : {}),
		change(settings) {
			const { overseer } = settings;
			overseer.gate.heartbeatMs = 3_600_000;
			overseer.gate.idleHeartbeatMs = 0;
			overseer.gate.unsolicitedGapMs = 0;
			overseer.budget = { perMinute: 1_000, perHour: 10_000 };
			for (const name of Object.keys(overseer.cooldowns) as (keyof typeof overseer.cooldowns)[])
				overseer.cooldowns[name] = 0;
			options.change?.(settings);
		},
	});
	const connection = await home.redis.connect();
	const stores = createStores(connection, { statusSchema: overseerStatus, audit: home.settings.overseer.audit });
	const house = home.house.home.control;
	let callsBefore = 0;
	let since = 0;

	const rows = async () => (await stores.audit.query({ room: ROOM, limit: 500 })).filter(({ at }) => at >= since);
	const idle = async () => {
		await eventually('the room is idle', async () => {
			const { gate, messages } = await stores.rooms.read(ROOM, { messages: 400, events: 100 });
			const last = messages.findLast(({ bot }) => !bot)?.seq ?? 0;
			return !gate.inFlight && !gate.pending && !gate.later && gate.messageCursor >= last;
		});
	};

	return {
		...home,
		get httpUrl() {
			return home.httpUrl;
		},
		stores,
		think: (value, step = {}) => home.model.control.queue({ kind: 'json', value, ...step }),
		async asked(times) {
			await eventually(`the model is asked ${times} times`, () => home.model.control.requests().length >= times);
		},
		prompt(index) {
			const body = home.model.control.requests()[index - 1]?.body as { messages: { content: string }[] } | undefined;
			return (body?.messages ?? []).map(({ content }) => content).join('\n');
		},
		row: (want) =>
			eventually(`an audit row ${JSON.stringify(want)}`, async () =>
				(await rows()).find((row) => (!want.tool || row.tool === want.tool) && (!want.step || row.step === want.step)),
			),
		rows,
		calls: () =>
			house
				.calls()
				.slice(callsBefore)
				.map(({ service, entityIds }) => `${service} ${entityIds.join()}`),
		idle,
		async fresh() {
			await stores.site.setMode('open');
			await stores.site.setLightsLock('none');
			await stores.site.setPaused(false);
			await stores.overrides.set(ROOM, { stage: 'full' });
			for (const personId of Object.keys(await stores.votes.read(ROOM)))
				await stores.votes.set(ROOM, personId, undefined);
			house.reset();
			home.model.control.reset();
			// Changes of locks are events of the room; what they wake shall be over before the test speaks.
			home.model.control.always({ kind: 'json', value: { mode: 'SKIP' } });
			await eventually('the house is connected', async () => house.world().clients > 0);
			await new Promise((resolve) => setTimeout(resolve, 300));
			await idle();
			await stores.rooms.resetContext(ROOM, Date.now());
			home.model.control.reset();
			callsBefore = house.calls().length;
			since = Date.now();
		},
	};
}
