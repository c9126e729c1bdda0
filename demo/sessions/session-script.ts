import type { ReportedQuestion } from '../../core/fleet/report.ts';

/** What a run is about: the words that began it and whose they are. */
export interface Task {
	readonly text: string;
	readonly from: 'script' | 'person' | 'concierge';
	readonly who: string;
}

/** How a run ended. */
export type RunEnd =
	| { readonly kind: 'finished'; readonly text: string }
	| { readonly kind: 'failed'; readonly reason: string };

/** What a scripted agent can do while it runs. Everything that waits ends with `TurnOver` when the run is broken off. */
export interface Hands {
	/** Lets time pass, in steps of the demo's pace. */
	rest(steps: number): Promise<void>;
	/** Words of its own, for the transcript. */
	think(text: string): void;
	/** A tool it used, for the transcript. */
	use(line: string): void;
	/** Words meant for people. */
	tell(text: string): void;
	summarise(text: string): void;
	spend(usd: number): void;
	/** Waits for a person's answer, however long, and gives its words. */
	ask(question: Omit<ReportedQuestion, 'ref'>): Promise<string>;
	/** A message that came meanwhile, if one did; it does not begin a run of its own then. */
	heard(): Task | undefined;
}

/** A coding agent as the demo plays it. */
export interface SessionScript {
	readonly name: string;
	readonly directory: string;
	readonly model: string;
	readonly opening: string;
	/** It begins again by itself so many steps after a run that went well. */
	readonly again?: { readonly afterSteps: number; readonly task: string };
	run(task: Task, hands: Hands): Promise<RunEnd>;
}

/** The run was broken off: by a person's interrupt or abort, or with the session. */
export class TurnOver extends Error {
	readonly code = 'turn_over';
}

/** Words of a message in quotes, without the frame that a relay has. */
export function quoteOf({ text }: Task): string {
	const words = text.split('\n\n').at(-1)?.trim() ?? text;
	return `"${words.replaceAll('"', "'")}"`;
}

/** Who sent it, as an agent would say it. */
export function senderOf({ from, who }: Task): string {
	return from === 'concierge' ? 'the concierge' : who;
}
