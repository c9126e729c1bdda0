import { nearestName } from '../../config/nearest-name.ts';
import { type Finding, findingsOf } from './finding.ts';

/** An entity of the settings and where it stands there. */
export interface WantedEntity {
	readonly roomId: string;
	readonly entityId: string;
}

export interface HomeFacts {
	readonly url: string;
	/** `ready`, or why not. */
	readonly connection: 'ready' | 'auth_failed' | 'unreachable' | 'no_token';
	/** What the connection said, without secrets. */
	readonly reason?: string;
	/** States by id, of the wanted entities at least. */
	readonly states: ReadonlyMap<string, string>;
	/** Every id that Home Assistant has, where it could be asked. */
	readonly knownIds: readonly string[];
}

const { error, warning } = findingsOf('home');

/** Reachable, and every configured entity there and alive. */
export function judgeHome(facts: HomeFacts, wanted: readonly WantedEntity[]): Finding[] {
	if (facts.connection === 'no_token')
		return [
			error(
				'home_token_missing',
				'HOME_ASSISTANT_TOKEN is not set, and rooms have entities.',
				`${facts.url}/profile/security, "Long-lived access tokens", Create Token; put it into .env as HOME_ASSISTANT_TOKEN.`,
			),
		];
	if (facts.connection === 'auth_failed')
		return [
			error(
				'home_token',
				'Home Assistant refuses HOME_ASSISTANT_TOKEN: it was revoked, mistyped, or is of another installation.',
				`${facts.url}/profile/security, "Long-lived access tokens", Create Token; put it into .env as HOME_ASSISTANT_TOKEN. If that does not help, Home Assistant may have banned this machine's address (ip_bans.yaml).`,
			),
		];
	if (facts.connection === 'unreachable')
		return [
			error(
				'home_unreachable',
				`Home Assistant does not answer at ${facts.url}${facts.reason ? ` (${facts.reason})` : ''}.`,
				'Start it, or correct home.url: the base address as a browser on this machine opens it, with the port, without /api. In a container 127.0.0.1 is the container itself.',
			),
		];
	return wanted.flatMap((one) => entityFindings(one, facts));
}

function entityFindings({ roomId, entityId }: WantedEntity, { states, knownIds }: HomeFacts): Finding[] {
	const state = states.get(entityId);
	if (state === undefined) {
		const domain = entityId.slice(0, entityId.indexOf('.') + 1);
		const near = nearestName(
			entityId,
			knownIds.filter((id) => id.startsWith(domain)),
		);
		return [
			error(
				'entity_missing',
				`Room ${roomId}: ${entityId} does not exist in Home Assistant.`,
				near === undefined
					? `Settings, Devices & services, Entities: look its id up and correct rooms in the settings file, or take it out.`
					: `Did you mean ${near}? Correct it under rooms in the settings file.`,
			),
		];
	}
	if (state === 'unavailable')
		return [
			warning(
				'entity_unavailable',
				`Room ${roomId}: ${entityId} is unavailable: Home Assistant knows it and has lost the device.`,
				'Look at the device (power, network, battery) and its integration in Home Assistant; its tools are blocked until it is back.',
			),
		];
	return [];
}
