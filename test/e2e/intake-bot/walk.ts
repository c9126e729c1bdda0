import type { Control } from '../../../demo/discord/control/control.ts';
import type { SeenMessage } from '../../../demo/discord/control/seen.ts';

/** A person in an intake: what they see there and what they do. */
export interface Walk {
	readonly threadId: string;
	/** The newest card with this text in it; waits for it. */
	card(contains: string, timeoutMs?: number): Promise<SeenMessage>;
	/** Everything of the bot in the thread, as it stands now. */
	cards(): Promise<SeenMessage[]>;
	say(text: string): Promise<SeenMessage>;
	press(card: SeenMessage, button: string): ReturnType<Control['button']>;
	/** Opens the round's form and sends it. */
	fill(card: SeenMessage, fields: Record<string, string | string[]>): ReturnType<Control['modal']>;
}

export function walkIn(control: Control, threadId: string, as = 'alex'): Walk {
	const cards = () => control.messages({ as, channel: threadId, author: 'Majordomo' });
	return {
		threadId,
		cards,
		async card(contains, timeoutMs = 40_000) {
			const deadline = Date.now() + timeoutMs;
			for (;;) {
				const all = await cards();
				const found = all.findLast(({ allText }) => allText.includes(contains));
				if (found !== undefined) return found;
				if (Date.now() > deadline)
					throw new Error(`no card says "${contains}"; there is: ${all.map(({ allText }) => allText).join('\n---\n')}`);
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
		},
		say: (text) => control.message({ as, channel: threadId, text }),
		press: (card, button) => control.button({ as, message: card.id, button, until: 'complete', timeoutMs: 10_000 }),
		async fill(card, fields) {
			const opened = await control.button({ as, message: card.id, button: 'Answer' });
			return control.modal({ as, interaction: opened.id, fields, until: 'complete', timeoutMs: 10_000 });
		},
	};
}

/** The thread that an answer links to. */
export function linkedThread(text: string): string {
	return /<#(\d+)>/.exec(text)?.[1] ?? '';
}

/** Waits until the commands of the intake are registered. */
export async function intakeReady(control: Control, timeoutMs = 20_000): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const all = await control.commands({});
		if (all.some(({ command }) => command.name === 'intake')) return;
		if (Date.now() > deadline) throw new Error('the commands of the intake were not registered');
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
