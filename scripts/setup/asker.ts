/** A choice as it is offered. In answers from a file the value or the name stands for it. */
export interface Option {
	readonly value: string;
	/** What a person reads. */
	readonly label: string;
	/** Short name that may be given instead of the value, e.g. a channel's. */
	readonly name?: string;
}

interface Question {
	/** Key in a file of answers and in the draft that a later run goes on from. */
	readonly key: string;
	readonly ask: string;
}

/** Why an answer does not do, in a sentence that says how to repair it; undefined when it does. */
export type Check<T> = (answer: T) => Promise<string | undefined>;

/** Whoever answers setup's questions: a person at a terminal, or a file. */
export interface Asker {
	say(line: string): void;
	text(question: Question & { initial?: string | undefined; secret?: boolean; check?: Check<string> }): Promise<string>;
	/** `none` offers to choose nothing. */
	choose(
		question: Question & {
			options: readonly Option[];
			initial?: string | undefined;
			none?: boolean;
			check?: Check<string>;
		},
	): Promise<string | undefined>;
	chooseMany(question: Question & { options: readonly Option[]; initial: readonly string[] }): Promise<string[]>;
	confirm(question: Question & { initial: boolean }): Promise<boolean>;
	close(): void;
}

/** Setup cannot go on; nothing was written. */
export class SetupStopped extends Error {
	override readonly name = 'SetupStopped';
	readonly code: 'bad_answer' | 'missing_answer' | 'input_ended' | 'declined' | 'unusable_settings';

	constructor(code: SetupStopped['code'], message: string) {
		super(message);
		this.code = code;
	}
}

/** The option that a text means: its value, its name, or its number in the list. */
export function optionFor(text: string, options: readonly Option[], numbered: boolean): Option | undefined {
	const wanted = text.trim();
	const exact = options.find(({ value, name }) => value === wanted || name === wanted);
	if (exact || !numbered || !/^\d{1,4}$/.test(wanted)) return exact;
	return options[Number(wanted) - 1];
}
