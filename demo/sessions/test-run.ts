import { type Hands, quoteOf, type RunEnd, type SessionScript, senderOf, type Task } from './session-script.ts';

/** Fails, and succeeds when it is told to try again; every second run of its own fails. */
export function createTestRun(): SessionScript {
	let runs = 0;

	async function run(task: Task, hands: Hands): Promise<RunEnd> {
		runs += 1;
		const isGreen = runs % 2 === 0;
		if (task.from !== 'script') hands.tell(`Trying again, because ${senderOf(task)} says ${quoteOf(task)}.`);
		await hands.rest(1);
		hands.use('npm test');
		await hands.rest(2);
		hands.think('148 tests in 23 files.');
		hands.spend(0.008);
		await hands.rest(1);
		if (isGreen) {
			return {
				kind: 'finished',
				text: '148 of 148 tests pass. The two that failed before wait for the clock of the mail server: they are flaky.',
			};
		}
		hands.think('checkout › keeps the cart after login: expected 2 items, found 0.');
		return {
			kind: 'failed',
			reason: '2 of 148 tests failed: checkout › keeps the cart after login, checkout › sends one receipt',
		};
	}

	return {
		name: 'test-run',
		directory: '/home/alex/shop',
		model: 'scripted',
		opening: 'Run all tests of the shop.',
		again: { afterSteps: 180, task: 'Run all tests of the shop once more.' },
		run,
	};
}
