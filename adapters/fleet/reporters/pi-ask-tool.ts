/**
 * The one tool that pi lacks: asking a person. Loaded into pi with `-e`; stands alone, because pi runs it without the rest of
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

interface AskArguments {
	question: string;
	context?: string;
	choices?: { label: string; description?: string }[];
	multi?: boolean;
}

interface ExtensionHost {
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

export default function askPerson(pi: ExtensionHost): void {
	pi.registerTool({
		name: 'ask_person',
		label: 'Ask a person',
		description:
			'Ask the person you work for and wait for the answer. Use it for decisions that are theirs; never answer in their place.',
		parameters,
		async execute(_callId, { question, choices = [], multi = false }, signal, _onUpdate, { hasUI, ui }) {
			if (!hasUI) return said('Nobody can be asked here. Decide nothing that is theirs; say what you would ask.', {});
			const wait = signal === undefined ? {} : { signal };
			const labels = choices.map(({ label }) => label);
			const answer =
				labels.length > 0 ? await ui.select(question, labels, wait) : await ui.input(question, undefined, wait);
			if (answer === undefined) return said('The question was closed without an answer.', { answer: null });
			const text = multi ? answer.split('\n').join('; ') : answer;
			return said(`The person answered: ${text}`, { answer });
		},
	});
}

function said(text: string, details: Record<string, unknown>): ToolResult {
	return { content: [{ type: 'text', text }], details };
}
