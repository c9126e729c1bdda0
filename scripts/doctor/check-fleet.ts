import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { conciergeModel } from '../../config/fleet-model.ts';
import { lacksPrice } from '../../core/fleet/budget.ts';
import { type FleetReading, judgeFleet } from '../../core/operations/judge-fleet.ts';
import { type CheckContext, type Checked, skipped } from './context.ts';

const run = promisify(execFile);

/** Who may report, where sessions may be started, and whether the agent can be run. */
export async function checkFleet(context: CheckContext): Promise<Checked> {
	const { settings, environment, variables } = context;
	const { fleet } = settings;
	if (fleet.channelId === undefined) return skipped('no fleet channel is set');
	const isWorker = environment.role !== 'bot';
	const directories = isWorker ? await Promise.all(fleet.pi.directories.map(reading)) : [];
	const price = conciergeModel(fleet.concierge, settings.model);
	const facts: FleetReading = {
		hosts: Object.keys(environment.fleetTokens),
		ownerCount: fleet.ownerUserIds.length,
		directories,
		...(directories.length === 0 ? {} : { agent: await agentOf(fleet.pi.command, variables, context.deadlineMs) }),
		...(price.id === undefined
			? {}
			: { model: { id: price.id, lacksPrice: lacksPrice(price, fleet.concierge.dailyBudgetUsd) } }),
	};
	const machines = facts.hosts.length === 1 ? '1 machine' : `${facts.hosts.length} machines`;
	const agent = facts.agent?.version === undefined ? '' : `, ${fleet.pi.command} ${facts.agent.version}`;
	return { detail: `${machines} may report${agent}`, findings: judgeFleet(facts) };
}

async function reading(path: string) {
	const found = await stat(path).catch(() => undefined);
	return { path, isThere: found?.isDirectory() === true };
}

/** Asks for the version: an agent that answers that can be started. */
async function agentOf(command: string, variables: CheckContext['variables'], timeout: number) {
	try {
		const { stdout, stderr } = await run(command, ['--version'], { timeout, env: { ...variables } });
		const version = (stdout.trim() || stderr.trim()).split('\n')[0]?.slice(0, 60);
		return { command, version: version || 'of unknown version' };
	} catch (thrown) {
		const { code, killed } = thrown as { code?: string | number; killed?: boolean };
		const reason = killed
			? 'no answer in time'
			: code === 'ENOENT'
				? 'there is no such program on PATH'
				: `it ended with ${code}`;
		return { command, reason };
	}
}
