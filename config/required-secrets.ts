import type { ConfigProblem } from './config-error.ts';
import { type Environment, misspelt } from './env.ts';
import { conciergeModel, findUnpriced } from './fleet-model.ts';
import { roomEntityIds } from './rooms.ts';
import type { Settings } from './schema.ts';

/** Addresses that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** What file and environment lack together for this role: neither is wrong alone. */
export function findMissing(
	settings: Settings,
	environment: Environment,
	variables: Readonly<Record<string, string | undefined>>,
): ConfigProblem[] {
	const problems: ConfigProblem[] = [];
	const need = (name: string, hint: string) => {
		const near = misspelt(name, variables);
		problems.push({
			source: 'environment',
			path: name,
			got: 'missing',
			hint: near ? `${near} is set; rename it to ${name}` : hint,
		});
	};
	const speaks = environment.role !== 'worker';
	const works = environment.role !== 'bot';
	if (speaks && environment.discordToken === undefined)
		need('DISCORD_TOKEN', "the bot's token: discord.com/developers, your application, Bot, Reset Token");
	if (speaks && settings.discord.commandScope === 'guild' && settings.discord.guildId === undefined)
		problems.push({
			source: 'file',
			path: 'discord.guildId',
			got: 'missing',
			hint: "the server's id in quotes (right-click the server, Copy ID), or set discord.commandScope: global",
		});
	if (
		works &&
		settings.rooms.some((room) => roomEntityIds(room).length > 0) &&
		environment.homeAssistantToken === undefined
	)
		need(
			'HOME_ASSISTANT_TOKEN',
			'a room has Home Assistant entities: make a long-lived access token in your profile there',
		);
	const unpriced = works ? findUnpriced(settings.fleet, settings.model) : undefined;
	if (unpriced !== undefined)
		problems.push({ source: 'file', path: 'fleet.concierge.model', got: 'no price', hint: unpriced });
	const asksAnthropic = anthropicUser(settings);
	if (works && asksAnthropic !== undefined && environment.anthropicApiKey === undefined)
		need('ANTHROPIC_API_KEY', `${asksAnthropic}: make a key at console.anthropic.com, or use ollama`);
	if (!isLoopbackHost(settings.http.host) && environment.adminPassword === undefined)
		need('ADMIN_PASSWORD', 'http.host is reachable from outside: set a password, or listen on 127.0.0.1');
	problems.push(...intakeProblems(settings, environment, need));
	const rooms = new Set(settings.rooms.map((room) => room.id));
	for (const id of Object.keys(environment.roomTokens))
		if (!rooms.has(id))
			problems.push({
				source: 'environment',
				path: 'ROOM_TOKENS',
				got: `unknown room "${id}"`,
				hint: 'name a room of the settings file',
			});
	return problems;
}

/** Which setting asks Anthropic for answers; undefined: none does. */
function anthropicUser({ model, fleet }: Settings): string | undefined {
	if (model.provider === 'anthropic') return 'model.provider is anthropic';
	const { id } = conciergeModel(fleet.concierge, model);
	const isAsked = fleet.channelId !== undefined && id?.startsWith('anthropic/');
	return isAsked ? `fleet.concierge.model is ${id}` : undefined;
}

/** Conversations are only stored encrypted, and packets of machines only taken from known ones. */
function intakeProblems(
	{ intake }: Settings,
	environment: Environment,
	need: (name: string, hint: string) => void,
): ConfigProblem[] {
	if (!intake.enabled) return [];
	const problems: ConfigProblem[] = [];
	if (environment.intakeKeys.length === 0) {
		if (!intake.ephemeral)
			need(
				'INTAKE_KEYS',
				'intakes are stored encrypted only: INTAKE_KEYS=main:$(openssl rand -base64 32). Or set intake.ephemeral: true (nothing outlives a restart) or intake.enabled: false',
			);
		else if (environment.role !== 'all')
			problems.push({
				source: 'file',
				path: 'intake.ephemeral',
				got: `true with ROLE=${environment.role}`,
				hint: 'two processes cannot share a key that only one has in memory: set INTAKE_KEYS, or ROLE=all',
			});
	}
	const owners = new Set(environment.packetKeys.map(({ owner }) => owner));
	if (intake.cxp.enabled && intake.cxp.requireSignature)
		for (const caller of Object.keys(environment.cxpCallers))
			if (!owners.has(caller))
				need('PACKET_KEYS', `caller "${caller}" of CXP_CALLERS has to sign: add ${caller}:<name>:<secret>`);
	for (const { name } of intake.inbox.webhooks)
		if (!owners.has(name)) need('PACKET_KEYS', `the webhook "${name}" is signed: add ${name}:<name>:<secret>`);
	return problems;
}
