import * as util from 'node:util';
import type { Settings } from '../../config/schema.ts';
import { SetupStopped } from './asker.ts';

/** What is there already: setup offers it as defaults. */
export interface Present {
	/** Undefined when there is no settings file. */
	readonly settings?: Settings;
	readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Variables of an .env text; an empty one counts as not set. Throws SetupStopped where this Node cannot read one. */
export function variablesOf(text: string | undefined): Record<string, string | undefined> {
	if (text === undefined) return {};
	// Node 20.12 brought the parser; older ones of the supported range lack it.
	if (typeof util.parseEnv !== 'function')
		throw new SetupStopped('unusable_settings', `Node ${process.version} cannot read .env; use 20.12 or newer.`);
	return Object.fromEntries(Object.entries(util.parseEnv(text)).filter(([, value]) => value !== ''));
}
