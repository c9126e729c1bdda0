import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOutsideSinks } from '../../../../adapters/inbox/sinks.ts';
import { inboxSettings } from '../../../../config/intake-edges.ts';
import { handoffFor } from '../../../support/handoff.ts';

test('INT-22 webhooks with a key and folders become sinks; a webhook without a key sends nothing unsigned', async () => {
	const path = mkdtempSync(join(tmpdir(), 'sinks-'));
	try {
		const settings = inboxSettings.parse({
			webhooks: [
				{ name: 'desk', url: 'https://desk.example.org/in', attempts: 3, backoffMs: 50 },
				{ name: 'keyless', url: 'https://other.example.org/in' },
			],
			folders: [{ name: 'disk', path }],
		});
		const sinks = createOutsideSinks({
			settings,
			packetKeys: [{ owner: 'desk', id: 'k', secret: 's' }],
			now: Date.now,
		});
		expect(sinks.map(({ sink, attempts, backoffMs }) => [sink.name, attempts, backoffMs])).toEqual([
			['desk', 3, 50],
			['disk', 10, 5_000],
		]);
		expect(await sinks[1]?.sink.deliver(handoffFor(), new AbortController().signal)).toEqual({ ok: true });
		expect(readdirSync(path)).toHaveLength(1);
	} finally {
		rmSync(path, { recursive: true, force: true });
	}
});
