import type { Say, Seed } from '../scene.ts';

/** A session that waits for somebody. */
export const apiFix: Seed = {
	name: 'api-fix',
	says: [
		['started', { totalUsd: 0 }],
		['working'],
		['text', { role: 'agent', text: 'I found the cause: 312 orders are still stored in schema v1.' }],
		['question', schemaQuestion('ask-1')],
	],
};

export const testRun: Seed = {
	name: 'test-run',
	says: [['started'], ['working'], ['failed', { reason: '2 of 148 tests failed: checkout keeps the cart' }]],
};

export const depsAudit: Seed = {
	name: 'deps-audit',
	says: [['started'], ['working'], ['finished', { text: '3 of 61 packages are outdated', totalUsd: 0.04 }]],
};

export const docs: Seed = {
	name: 'docs',
	says: [['started'], ['working'], ['text', { role: 'agent', text: 'Writing the page on refunds.' }]],
};

export function schemaQuestion(ref: string, text = 'Which schema should the orders endpoint use?') {
	return {
		question: {
			ref,
			kind: 'choice',
			text,
			choices: [
				{ label: 'Keep v1', value: 'v1' },
				{ label: 'Migrate to v2', value: 'v2' },
			],
		},
	};
}

export const session = (name: string, ...says: readonly Say[]): Seed => ({
	name,
	says: [['started'], ['working'], ...says],
});
