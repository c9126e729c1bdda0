import { z } from 'zod';

const words = z.string().optional().catch(undefined);

/** Body of a Claude Code hook; fields that are not read here are kept out. */
export const claudeHook = z.object({
	session_id: z.string().min(1).max(300),
	hook_event_name: z.string(),
	cwd: words,
	transcript_path: words,
	model: words,
	prompt: words,
	tool_name: words,
	tool_use_id: words,
	tool_input: z.record(z.string(), z.unknown()).optional().catch(undefined),
	last_assistant_message: words,
	reason: words,
	error: words,
});
export type ClaudeHook = z.infer<typeof claudeHook>;

/** Arguments of Claude Code's own asking tool. */
export const askUserQuestion = z.object({
	questions: z
		.array(
			z.object({
				question: z.string().min(1),
				header: z.string().optional(),
				multiSelect: z.boolean().default(false),
				options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).default([]),
			}),
		)
		.min(1),
});
