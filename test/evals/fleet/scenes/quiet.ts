import type { FleetScene } from '../scene.ts';
import { apiFix, docs, schemaQuestion, session } from './fleet.ts';

/** Nothing happened that is anybody's business. */
export const quiet: readonly FleetScene[] = [
	{ id: 'nobody', about: 'an empty fleet', expect: { isQuiet: true } },
	{
		id: 'work',
		about: 'ordinary work and small costs',
		before: [docs],
		steps: [
			{
				reports: [
					{
						name: 'docs',
						says: [
							['text', { role: 'agent', text: 'Page 4 is written.' }],
							['cost', { totalUsd: 0.02 }],
						],
					},
				],
			},
		],
		expect: { isQuiet: true },
	},
	{
		id: 'starts',
		about: 'a dozen sessions start within a moment',
		steps: [{ reports: Array.from({ length: 12 }, (_, at) => session(`shard-${at + 1}`)) }],
		expect: { isQuiet: true },
	},
	{
		id: 'settled-before',
		about: 'a question that was settled at the terminal before anybody heard of it',
		steps: [
			{
				reports: [
					session(
						'api-fix',
						['question', schemaQuestion('ask-1')],
						['question_closed', { ref: 'ask-1', how: 'answered' }],
					),
				],
			},
		],
		expect: { isQuiet: true },
	},
	{
		id: 'same-need',
		about: 'a need stays the same while others work: told once',
		before: [apiFix, docs],
		steps: [
			{ reports: [{ name: 'docs', says: [['idle'], ['working']] }] },
			{ reports: [{ name: 'docs', says: [['idle'], ['working']] }] },
		],
		expect: { needs: ['api-fix'] },
	},
];
