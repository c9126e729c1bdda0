import { type Hands, quoteOf, type RunEnd, type SessionScript, senderOf, type Task } from './session-script.ts';

/** Finishes soon, with a result and what it cost. */
export function createDepsAudit(): SessionScript {
	async function run(task: Task, hands: Hands): Promise<RunEnd> {
		if (task.from !== 'script') hands.tell(`Looking again, because ${senderOf(task)} says ${quoteOf(task)}.`);
		await hands.rest(1);
		hands.use('npm outdated');
		await hands.rest(1);
		hands.use('npm audit');
		hands.think('61 packages; none has a known weakness.');
		hands.spend(0.04);
		await hands.rest(1);
		return {
			kind: 'finished',
			text: '61 packages looked at: 3 are outdated (express, pg, sharp), none has a known weakness.',
		};
	}

	return {
		name: 'deps-audit',
		directory: '/home/alex/shop',
		model: 'scripted',
		opening: 'Look at the packages that the shop depends on.',
		again: { afterSteps: 225, task: 'Look at the packages again.' },
		run,
	};
}
