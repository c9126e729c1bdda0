import type { Client } from 'discord.js';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics, Random } from '../../core/ports.ts';
import type { BotSettings } from '../deps.ts';
import type { EditPace } from '../edit-pace.ts';
import type { FleetPorts } from './fleet-ports.ts';

/** What every part of the fleet's surface may use. */
export interface FleetDeps {
	readonly ports: FleetPorts;
	readonly client: () => Client | undefined;
	readonly settings: () => BotSettings;
	readonly claims: MessageClaims;
	/** The way of every edit of a message. */
	readonly edits: EditPace;
	/** Whether messages of people arrive with their text. */
	readonly noteContent: (hasContent: boolean) => void;
	readonly onWarning: (key: string, text: string) => void;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
	readonly metrics: Metrics;
}
