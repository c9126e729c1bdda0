import { oneLine } from '../../chat/sanitise.ts';

export interface Escalation {
	/** As given, one line; null when nothing was given. It never changes where the packet goes. */
	readonly name: string | null;
	/** It names a person rather than a stage of the pipeline: somebody has to look. */
	readonly isHuman: boolean;
}

const STAGE = /^U:[A-Za-z]{2,12}$/;
const NOBODY = /^(?:none|no|n\/a|null|nobody|no one|nein|niemand|keiner|non|personne|aucun|nadie|ninguno|无|没有|-)?$/i;

export function readEscalation(given: string | undefined): Escalation {
	const name = oneLine(given ?? '', 100);
	if (NOBODY.test(name)) return { name: null, isHuman: false };
	return { name, isHuman: !STAGE.test(name) };
}
