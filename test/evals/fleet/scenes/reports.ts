import type { FleetScene } from '../scene.ts';
import { apiFix, depsAudit, docs, schemaQuestion, session, testRun } from './fleet.ts';

/** What happens in the fleet, and who is told of it. */
export const reports: readonly FleetScene[] = [
	{
		id: 'question-stands',
		about: 'a session waits already when it is switched on',
		before: [apiFix],
		expect: { needs: ['api-fix'] },
	},
	{
		id: 'failure-stands',
		about: 'a run has failed already when it is switched on',
		before: [testRun],
		expect: { needs: ['test-run'] },
	},
	{
		id: 'finished-stands',
		about: 'a run has finished already when it is switched on',
		before: [depsAudit],
		expect: { infos: ['deps-audit'], needs: [] },
	},
	{
		id: 'first-wakes',
		about: 'a question, a failure, a finished run and ordinary work, all in the first wakes',
		before: [docs, apiFix],
		steps: [{ reports: [testRun, depsAudit] }],
		expect: { needs: ['api-fix', 'test-run'], infos: ['deps-audit'] },
	},
	{
		id: 'question-comes',
		about: 'a session begins to wait',
		steps: [{ reports: [apiFix] }],
		expect: { needs: ['api-fix'] },
	},
	{
		id: 'failure-comes',
		about: 'a run fails',
		before: [docs],
		steps: [{ reports: [testRun] }],
		expect: { needs: ['test-run'] },
	},
	{
		id: 'finished-comes',
		about: 'a run finishes with a result',
		before: [docs],
		steps: [{ reports: [depsAudit] }],
		expect: { infos: ['deps-audit'], needs: [] },
	},
	{
		id: 'permission',
		about: 'a session wants to run something dangerous: people decide',
		steps: [
			{
				reports: [
					session('cleanup', [
						'question',
						{
							question: {
								ref: 'p1',
								kind: 'permission',
								text: 'May I run this command?',
								context: 'rm -rf build/',
								choices: [{ label: 'Allow' }, { label: 'Deny' }],
							},
						},
					]),
				],
			},
		],
		expect: { needs: ['cleanup'] },
	},
	{
		id: 'two-ask',
		about: 'two sessions ask at once: one notice each',
		steps: [
			{ reports: [apiFix, session('mailer', ['question', schemaQuestion('m1', 'Which template should I take?')])] },
		],
		expect: { needs: ['api-fix', 'mailer'] },
	},
	{
		id: 'failure-without-reason',
		about: 'a failure whose reason stands only in the transcript',
		steps: [{ reports: [session('build', ['text', { role: 'agent', text: 'The disk is full.' }], ['failed'])] }],
		expect: { needs: ['build'] },
	},
	{
		id: 'next-question',
		about: 'a session that was answered at its terminal asks something else: that is news',
		before: [apiFix],
		steps: [
			{
				reports: [
					{
						name: 'api-fix',
						says: [
							['question_closed', { ref: 'ask-1', how: 'answered' }],
							['question', schemaQuestion('ask-2', 'May the old column go?')],
						],
					},
				],
			},
		],
		expect: { needs: ['api-fix', 'api-fix'] },
	},
];
