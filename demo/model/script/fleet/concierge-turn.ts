import type { HubCall } from './fleet-facts.ts';

/** What the scripted concierge answers: the shape every model answers in. */
export interface ConciergeTurn {
	readonly say: string;
	readonly calls: readonly HubCall[];
}

export const SILENCE: ConciergeTurn = { say: '', calls: [] };

export function say(text: string): ConciergeTurn {
	return { say: text, calls: [] };
}

export function call(tool: string, args: Readonly<Record<string, unknown>>): ConciergeTurn {
	return { say: '', calls: [{ tool, args }] };
}

/** At most so many characters, cut at a word. */
export function short(text: string, max: number): string {
	if (text.length <= max) return text;
	return `${text.slice(0, max - 1).replace(/\s+\S*$/, '')}…`;
}
