interface BlockedTool {
	tool: string;
	reason: string;
	remainingSeconds: number | undefined;
}

export interface ToolLists {
	available: ReadonlySet<string>;
	blocked: ReadonlyMap<string, BlockedTool>;
}

/** The lines below `available_tools:` and `blocked_tools:`, wherever in the prompt they stand. */
export function readToolLists(contents: readonly string[]): ToolLists {
	const available = new Set<string>();
	const blocked = new Map<string, BlockedTool>();
	for (const content of contents) {
		let list = '';
		for (const line of content.split('\n')) {
			const heading = /^\s*(available_tools|blocked_tools)\b/.exec(line)?.[1];
			if (heading) {
				list = heading;
				continue;
			}
			const entry = /^\s*- ([a-z_][a-z0-9_]*)\s*\(([^)]*)\)(.*)$/i.exec(line);
			if (!entry || list === '') continue;
			const tool = entry[1] ?? '';
			if (list === 'available_tools') available.add(tool);
			else blocked.set(tool, { tool, ...reasonOf(entry[3] ?? '') });
		}
	}
	return { available, blocked };
}

function reasonOf(text: string): { reason: string; remainingSeconds: number | undefined } {
	const remaining = /remaining=(\d+)/.exec(text)?.[1];
	return {
		reason: /reason=(\S+)/.exec(text)?.[1] ?? 'unavailable',
		remainingSeconds: remaining === undefined ? undefined : Number(remaining),
	};
}
