import { type Finding, findingsOf } from './finding.ts';

const { error, warning, info } = findingsOf('fleet');

/** What stands around the fleet on this machine. */
export interface FleetReading {
	/** Names of the machines that have a token. */
	readonly hosts: readonly string[];
	readonly ownerCount: number;
	/** Configured folders for sessions, and whether they are there. */
	readonly directories: readonly { readonly path: string; readonly isThere: boolean }[];
	/** The coding agent; undefined when nothing is to be started here. */
	readonly agent?: { readonly command: string; readonly version?: string; readonly reason?: string };
	/** The concierge's model; undefined when it has none. */
	readonly model?: { readonly id: string; readonly lacksPrice: boolean };
}

/** What keeps sessions from reporting, being started, or being heard. */
export function judgeFleet({ hosts, ownerCount, directories, agent, model }: FleetReading): Finding[] {
	const gone = directories.filter(({ isThere }) => !isThere);
	return [
		...(hosts.length === 0 && directories.length === 0
			? [
					warning(
						'fleet_nobody_reports',
						'A fleet channel is set, but no machine may report and nothing can be started.',
						'Add FLEET_TOKENS=<name of the machine>:<secret of 24 characters or more> to .env, or set fleet.pi.directories.',
					),
				]
			: []),
		...(ownerCount === 0
			? [
					info(
						'fleet_no_owner',
						'No owner is named, so sessions that nobody started from Discord mention nobody when they ask.',
						'Set fleet.ownerUserIds to your Discord user id.',
					),
				]
			: []),
		...gone.map(({ path }) =>
			error(
				'fleet_directory',
				`fleet.pi.directories names ${path}, which is no folder on this machine.`,
				'Make it, or take it out of the settings.',
			),
		),
		...(agent !== undefined && agent.version === undefined
			? [
					error(
						'fleet_agent',
						`${agent.command} cannot be run: ${agent.reason ?? 'no answer'}.`,
						'npm install -g @mariozechner/pi-coding-agent, or set fleet.pi.command to its path.',
					),
				]
			: []),
		...(model?.lacksPrice
			? [
					error(
						'fleet_no_price',
						`${model.id} has no price, so the concierge cannot be kept within its budget.`,
						`Add model.prices["${model.id}"], or set fleet.concierge.dailyBudgetUsd: 0 for no limit.`,
					),
				]
			: []),
	];
}
