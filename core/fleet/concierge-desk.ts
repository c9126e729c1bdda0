import type { HouseLanguage } from '../../config/language.ts';
import type { AskResult } from './concierge-command.ts';
import type { PendingAsk } from './concierge-state.ts';
import type { Presser } from './settle-question.ts';

/** What people can do with the concierge. Rights are asked for before. Rejects with `RedisUnavailable`. */
export interface ConciergeDesk {
	/** False: it is on already. */
	on(by: Presser): Promise<boolean>;
	/** False: it is off already. Who waits for an answer is told. */
	off(by: Presser): Promise<boolean>;
	/** Off, and its memory is gone. */
	remove(by: Presser): Promise<void>;
	/** The answer comes over the outbox. */
	ask(ask: PendingAsk): Promise<AskResult['kind']>;
	/** The fleet as it stands, told by code: for when it is off. */
	plainFleet(language: HouseLanguage): Promise<string>;
}
