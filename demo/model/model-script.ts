/** What a script may look at: the prompt as the model would get it, nothing else. */
export interface ScriptedPrompt {
	/** All system text, in order. */
	system: string;
	/** The turns without the system messages. */
	messages: { role: string; content: string }[];
	/** The JSON schema the answer must follow, where one was sent. */
	schema?: unknown;
	/** Names of natively offered tools. */
	tools: string[];
}

export interface ScriptedAnswer {
	text: string;
	thinking?: string;
	calls?: { name: string; arguments: unknown }[];
}

/** Answers a prompt; at once by rules, or later by something that thinks. */
export type ModelScript = (prompt: ScriptedPrompt) => ScriptedAnswer | Promise<ScriptedAnswer>;
