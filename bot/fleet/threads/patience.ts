import type { OutboxShown } from '../../../core/fleet/outbox.ts';
import { createLanes } from '../../lanes.ts';

/**
 * Shows an item as long as that takes, and has it come again rather than hold up everybody else's items. `lane`: one that is
 * shown in order. Rejects as `show` does.
 */
export type Patience = (itemId: string, lane: string, show: () => Promise<OutboxShown>) => Promise<OutboxShown>;

const PATIENCE_MS = 500;
const SOON: OutboxShown = { laterMs: 1_000 };
const KNOWN_MAX = 1_000;

export function createPatience(patienceMs: number = PATIENCE_MS): Patience {
	const lanes = createLanes();
	const underWay = new Map<string, Promise<OutboxShown>>();

	return async (itemId, lane, show) => {
		// Another process may have shown what was begun here, and then nobody asks for it any more.
		if (underWay.size > KNOWN_MAX) underWay.clear();
		const going = underWay.get(itemId) ?? lanes.run(lane, show);
		underWay.set(itemId, going);
		let timer: NodeJS.Timeout | undefined;
		const enough = new Promise<undefined>((resolve) => {
			timer = setTimeout(resolve, patienceMs, undefined);
		});
		try {
			const shown = await Promise.race([going, enough]);
			// How it ends is told to whoever asks next.
			if (shown === undefined) return SOON;
			underWay.delete(itemId);
			return shown;
		} catch (error) {
			underWay.delete(itemId);
			throw error;
		} finally {
			clearTimeout(timer);
		}
	};
}
