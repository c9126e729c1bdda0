/**
 * The one tool that pi lacks: asking a person. Loaded into pi with `-e`; imports nothing, because pi runs it without the rest of
 * this project. It asks with pi's own dialogs, which work in a terminal as well as in RPC mode.
 */

interface Dialogs {
	select(title: string, options: string[], wait?: { signal?: AbortSignal }): Promise<string | undefined>;
	input(title: string, hint?: string, wait?: { signal?: AbortSignal }): Promise<string | undefined>;
}

interface ToolContext {
	readonly hasUI: boolean;
	readonly ui: Dialogs;
}

interface ToolResult {
	content: { type: 'text'; text: string }[];
	details: Record<string, unknown>;
}

export interface AskArguments {
	question: string;
	context?: string;
	choices?: { label: string; description?: string }[];
	multi?: boolean;
}

export interface ExtensionHost {
	registerTool(tool: {
		name: string;
		label: string;
		description: string;
		parameters: object;
		execute(
			callId: string,
			args: AskArguments,
			signal: AbortSignal | undefined,
			onUpdate: unknown,
			context: ToolContext,
		): Promise<ToolResult>;
	}): void;
}

const parameters = {
	type: 'object',
	required: ['question'],
	properties: {
		question: { type: 'string', description: 'The question, one sentence.' },
		context: { type: 'string', description: 'What the person should know to answer: a command, a path, a short diff.' },
		choices: {
			type: 'array',
			description: 'Possible answers; own words stay possible. Leave out for an open question.',
			items: {
				type: 'object',
				required: ['label'],
				properties: { label: { type: 'string' }, description: { type: 'string' } },
			},
		},
		multi: { type: 'boolean', description: 'Several choices may be taken.' },
	},
};

/** A second way to the person, which is open at the same time; the first answer counts. */
export type OtherWay = (asked: AskArguments, signal: AbortSignal) => Promise<string | undefined>;

export function registerAskTool(pi: ExtensionHost, otherWay?: OtherWay): void {
	pi.registerTool({
		name: 'ask_person',
		label: 'Ask a person',
		description:
			'Ask the person you work for and wait for the answer. Use it for decisions that are theirs; never answer in their place.',
		parameters,
		async execute(_callId, asked, signal, _onUpdate, { hasUI, ui }) {
			if (!hasUI && otherWay === undefined) {
				return said('Nobody can be asked here. Decide nothing that is theirs; say what you would ask.', {});
			}
			const { question, choices = [], multi = false } = asked;
			const over = new AbortController();
			const wait = { signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]) };
			const labels = choices.map(({ label }) => label);
			const ways: Promise<string | undefined>[] = [];
			if (hasUI && labels.length > 0) ways.push(ui.select(question, labels, wait));
			else if (hasUI) ways.push(ui.input(question, undefined, wait));
			if (otherWay !== undefined) ways.push(otherWay(asked, wait.signal));
			const answer = await Promise.race(ways);
			// Closes the dialog, or the question elsewhere, that was not used.
			over.abort();
			if (answer === undefined) return said('The question was closed without an answer.', { answer: null });
			const text = multi ? answer.split('\n').join('; ') : answer;
			return said(`The person answered: ${text}`, { answer });
		},
	});
}

export default function askPerson(pi: ExtensionHost): void {
	registerAskTool(pi);
}

function said(text: string, details: Record<string, unknown>): ToolResult {
	return { content: [{ type: 'text', text }], details };
}
