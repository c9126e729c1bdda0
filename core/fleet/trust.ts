import type { DiscordSettings } from '../../config/discord.ts';
import type { FleetSettings } from '../../config/fleet.ts';
import { canDo, type Person } from '../access/permissions.ts';
import type { FleetSession } from './session.ts';

/** What people can do with the fleet, and who may. */
const rights = {
	/** Lists, log, transcripts, questions to the concierge. */
	look: 'anyone',
	ask: 'anyone',
	/** Answers, messages, mutes: whoever the session belongs to, and operators. */
	answer: 'owner',
	message: 'owner',
	mute: 'owner',
	stop: 'owner',
	start: 'operator',
	/** On, off, remove. */
	control: 'operator',
} as const;

export type FleetAction = keyof typeof rights;

/**
 * Whether a person may do something. Operators are the configured roles and owners of the fleet, and whoever may administer
 * the bot. Only people are asked about: sessions, hosts and the concierge have no way to any of this.
 */
export function mayFleet(
	action: FleetAction,
	person: Person,
	session: Pick<FleetSession, 'ownerId'> | undefined,
	discord: DiscordSettings,
	fleet: Pick<FleetSettings, 'operatorRoleIds' | 'ownerUserIds'>,
): boolean {
	if (!/^\d{17,20}$/.test(person.id) || !Object.hasOwn(rights, action)) return false;
	const level = rights[action];
	if (level === 'anyone') return true;
	if (fleet.ownerUserIds.includes(person.id)) return true;
	if (person.roleIds.some((id) => fleet.operatorRoleIds.includes(id))) return true;
	if (canDo('overseer.control', person, discord).allowed) return true;
	return level === 'owner' && session?.ownerId === person.id;
}

/** A reporter's token stands for one host: sessions of others do not exist for it. */
export function mayHostSee(host: string, session: Pick<FleetSession, 'host'>): boolean {
	return session.host === host;
}

/** Who is mentioned when a session needs somebody: its owner, else the owners of the fleet. Nobody else, whatever a text says. */
export function mentionsFor(
	session: Pick<FleetSession, 'ownerId'> | undefined,
	fleet: Pick<FleetSettings, 'ownerUserIds'>,
): readonly string[] {
	return session?.ownerId === undefined ? fleet.ownerUserIds : [session.ownerId];
}
