import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance } from '../../../adapters/governance/prolog.ts';
import { intakeSettings } from '../../../config/intake.ts';
import type { Log } from '../../../core/ports.ts';
import type { PromptTexts } from '../../../prompts/render.ts';
import type { Persona } from './persona.ts';
import { personaModel } from './persona-model.ts';
import { type PlayedPersona, playPersona } from './play-persona.ts';

/** Plays personas one after the other, with the articles in force as they are shipped. */
export async function playAll(
	personas: readonly Persona[],
	{ texts, log }: { texts: PromptTexts; log: Log },
): Promise<readonly PlayedPersona[]> {
	const governance = createPrologGovernance({
		policyFiles: readPolicyFolder('config/governance'),
		log,
		now: Date.now,
	});
	try {
		await governance.start();
		const settings = intakeSettings.parse({});
		const played: PlayedPersona[] = [];
		for (const persona of personas)
			played.push(await playPersona(persona, { texts, settings, governance, model: personaModel(personas) }));
		return played;
	} finally {
		await governance.close();
	}
}
