import { inject } from 'vitest';
import { discordScenarios } from '../contract/discord/discord-scenarios.ts';
import { createTwinRig, installTwin } from '../support/discord-twin.ts';

discordScenarios('discord-digital-twin', async () => {
	const installed = await installTwin(inject('dataDir'));
	if ('skipped' in installed) throw new Error(installed.skipped);
	return createTwinRig(installed.folder);
});
