import type { ToolName } from '../tooling/tool-name.ts';
import type { Decision } from './decision.ts';

/**
 * Why the model is asked once more in the same decision: it wanted to read its memory, somebody waits and it kept silent
 * (`demand`), or somebody waits and its answer was not understood (`retry`). Undefined = the first answer stands.
 */
export function decideFollowUp(input: {
	readonly decision: Decision;
	readonly available: readonly ToolName[];
	/** Somebody addressed us and waits. */
	readonly isAddressed: boolean;
}): 'memory' | 'demand' | 'retry' | undefined {
	const { decision, available, isAddressed } = input;
	const reads = decision.calls.some(({ tool }) => tool === 'memory_read');
	if (reads && available.includes('memory_read')) return 'memory';
	if (!isAddressed || decision.mode !== 'SKIP') return undefined;
	return decision.notes.some((note) => note !== 'skip_with_content') ? 'retry' : 'demand';
}
