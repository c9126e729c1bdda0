import { type Hands, quoteOf, type RunEnd, type SessionScript, senderOf, type Task } from './session-script.ts';

const PAGES = [
	'Signing in',
	'Resetting a password',
	'Placing an order',
	'Refunds',
	'Webhooks',
	'Rate limits',
	'Errors',
] as const;
/** Steps for the first pages, so that there is something to read soon, and for the others, so that it never floods. */
const FIRST_STEPS = 6;
const PAGE_STEPS = 20;

/** Keeps writing, page after page, and takes what it is told on the way. */
export function createDocs(): SessionScript {
	let written = 0;

	function hear(task: Task | undefined, hands: Hands): void {
		if (task === undefined || task.from === 'script') return;
		hands.tell(
			`Noted, from ${senderOf(task)}: ${quoteOf(task)}. It goes into the page "${PAGES[written % PAGES.length]}".`,
		);
	}

	async function run(task: Task, hands: Hands): Promise<RunEnd> {
		hear(task, hands);
		for (;;) {
			const page = PAGES[written % PAGES.length];
			hands.use(`read the routes behind "${page}"`);
			for (let step = 0; step < (written < 2 ? FIRST_STEPS : PAGE_STEPS); step += 1) {
				await hands.rest(1);
				hear(hands.heard(), hands);
			}
			written += 1;
			hands.spend(0.004);
			hands.think(`Page ${written}, "${page}", is written.`);
			if (written === 2)
				hands.tell('I found a dead link: the reset e-mail points to /v1/reset, which is gone since v2.');
			if (written % PAGES.length === 0) hands.summarise(`${written} pages are written; the newest is "${page}".`);
		}
	}

	return {
		name: 'docs',
		directory: '/home/alex/shop/docs',
		model: 'scripted',
		opening: 'Write the pages of the public API, one after the other.',
		run,
	};
}
