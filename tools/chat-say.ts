import { defineTool } from './tool.ts';

export const chatSay = defineTool({
	name: 'chat_say',
	// A line goes out once under its call id, and a person whose answer was interrupted would wait for ever.
	repeatable: true,
	timeLimitMs: () => 10_000,
	async run({ roomId, decisionId, callId, direct, speaker }, { text }) {
		const said = await speaker.say({ roomId, decisionId, callId, text, direct });
		if (said.kind === 'said') return { kind: 'confirmed', summary: 'said it' };
		return { kind: 'failed', code: 'not_said', summary: `line dropped (${said.reason})` };
	},
});
