import type { InboxSettings } from '../../config/intake-edges.ts';
import type { InboxSink } from '../../core/intake/inbox.ts';
import { createFolderSink } from './folder.ts';
import { createWebhookSink } from './webhook.ts';

/** A sink together with how often it is tried. */
export interface OutsideSink {
	readonly sink: InboxSink;
	readonly attempts: number;
	readonly backoffMs: number;
}

const FOLDER_ATTEMPTS = 10;
const FOLDER_BACKOFF_MS = 5_000;

/** The webhooks and folders of the settings. */
export function createOutsideSinks(deps: {
	settings: InboxSettings;
	packetKeys: readonly { readonly owner: string; readonly id: string; readonly secret: string }[];
	now(): number;
}): OutsideSink[] {
	const webhooks = deps.settings.webhooks.flatMap((settings): OutsideSink[] => {
		const key = deps.packetKeys.find(({ owner }) => owner === settings.name);
		// Start-up demands one; without it nothing would be sent unsigned.
		if (!key) return [];
		const sink = createWebhookSink({ settings, key, now: deps.now });
		return [{ sink, attempts: settings.attempts, backoffMs: settings.backoffMs }];
	});
	const folders = deps.settings.folders.map((settings) => ({
		sink: createFolderSink(settings),
		attempts: FOLDER_ATTEMPTS,
		backoffMs: FOLDER_BACKOFF_MS,
	}));
	return [...webhooks, ...folders];
}
