import { z } from 'zod';

/** Its tools, and no others. */
export const HUB_TOOLS = ['hub_sessions', 'hub_events', 'hub_read', 'hub_send', 'hub_notify', 'hub_watch'] as const;
export type HubTool = (typeof HUB_TOOLS)[number];

/** A call as the model wrote it. */
export const proposedHubCall = z.object({ tool: z.string(), args: z.unknown() });
export type ProposedHubCall = z.infer<typeof proposedHubCall>;

/** What became of it, one bounded text for the model. */
export const hubResult = z.object({
	tool: z.string(),
	ok: z.boolean(),
	/** `done`, or the reason of the refusal. */
	code: z.string(),
	text: z.string(),
});
export type HubResult = z.infer<typeof hubResult>;

/** Calls that somebody outside notices. */
const ACTING: ReadonlySet<string> = new Set(['hub_send', 'hub_notify', 'hub_watch']);

export function isActing(tool: string): boolean {
	return ACTING.has(tool);
}

export function isHubTool(tool: string): tool is HubTool {
	return (HUB_TOOLS as readonly string[]).includes(tool);
}
