import { type Settings, settingsSchema } from '../config/schema.ts';

/** Addresses of the rehearsal house, once its servers run. */
export interface HouseAddresses {
	readonly discord: {
		readonly restUrl: string;
		readonly guildId: string;
		readonly channels: Readonly<Record<string, string>>;
		readonly roles: Readonly<Record<string, string>>;
		readonly people: Readonly<Record<string, string>>;
	};
	readonly homeUrl: string;
	/** What it thinks with: the scripted model, or a real one found on this machine. */
	readonly model: Partial<Settings['model']>;
	readonly httpPort: number;
	/** With it the house keeps a fleet. */
	readonly fleet?: FleetRehearsal;
}

/** What `/session start` needs on this machine. */
export interface FleetRehearsal {
	/** Command that stands for pi. */
	readonly piCommand: string;
	/** Folders in which sessions may be started. */
	readonly directories: readonly string[];
}

const ROVERS = [1, 2, 3];

/** The configuration of the rehearsal house: what a person would write in majordomo.yaml for the same room. */
export function rehearsalSettings(house: HouseAddresses): Settings {
	const { channels, roles } = house.discord;
	return settingsSchema.parse({
		discord: {
			guildId: house.discord.guildId,
			adminRoleIds: [roles['Admin']],
			adminChannelId: channels['admin'],
			restUrl: house.discord.restUrl,
		},
		rooms: [
			{
				id: 'workshop',
				title: 'Workshop',
				channelId: channels['room'],
				lights: [
					{ entityId: 'light.shelf', label: 'shelf' },
					{ entityId: 'light.bench', label: 'bench' },
					{ entityId: 'light.corner', label: 'corner' },
					{ entityId: 'light.color', label: 'color', show: 'color' },
					{ entityId: 'light.aux1', label: 'aux1' },
					{ entityId: 'switch.aux2', label: 'aux2' },
				],
				lift: { driver: 'cover', entityId: 'cover.lift', travelMs: 12_000 },
				neato: { driver: 'vacuum', entityId: 'vacuum.neato', clearErrorsEntityId: 'button.neato_clear_errors' },
				rovers: ROVERS.map((n) => ({
					id: `rover${n}`,
					drivingEntityId: `binary_sensor.rover${n}_driving`,
					driverEntityId: `sensor.rover${n}_driver`,
					dockedEntityId: `binary_sensor.rover${n}_docked`,
					chargingEntityId: `binary_sensor.rover${n}_charging`,
					hazardEntityId: `binary_sensor.rover${n}_hazard`,
				})),
				scripts: [{ entityId: 'script.movie_time', label: 'movie time' }],
				lightsLockButtonEntityId: 'button.lights_lock',
				presenceEntityIds: ['binary_sensor.room_presence'],
			},
		],
		overseer: { stage: 'full' },
		intake: {
			channels: channels['intake'] === undefined ? [] : [{ channelId: channels['intake'], only: true }],
			retention: { allowKeep: true },
		},
		...(house.fleet === undefined ? {} : { fleet: fleetOf(house, house.fleet) }),
		model: house.model,
		home: { url: house.homeUrl },
		http: { port: house.httpPort, queuesReadOnly: true },
	});
}

/** Quicker than in life, so that nobody has to wait for the next look. */
function fleetOf({ discord, model }: HouseAddresses, { piCommand, directories }: FleetRehearsal): object {
	const alex = discord.people['alex'];
	// A model whose price is not known cannot be held to a budget.
	const isPriced = model.provider === 'ollama' || model.prices !== undefined;
	return {
		channelId: discord.channels['fleet'],
		ownerUserIds: alex === undefined ? [] : [alex],
		cardAfterMs: 10_000,
		pi: { command: piCommand, directories },
		concierge: {
			coalesceMs: 2_000,
			tickMs: 5_000,
			retryMs: 15_000,
			...(isPriced ? {} : { dailyBudgetUsd: 0 }),
		},
	};
}
