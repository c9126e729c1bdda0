import { createHash } from 'node:crypto';

/**
 * Id of a call: the same for the same place in the same decision, whoever runs it and however often. A letter first and
 * no colon, so that it can be part of queue job ids and keys.
 */
export function callId(decisionId: string, tool: string, index: number): string {
	const hash = createHash('sha256')
		.update(JSON.stringify([decisionId, tool, index]))
		.digest('hex');
	return `c${hash.slice(0, 31)}`;
}
