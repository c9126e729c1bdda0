import { DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import type { PanelPlace } from '../../../bot/deps.ts';
import { createEditPace } from '../../../bot/edit-pace.ts';
import { createPanels } from '../../../bot/panel.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryLog, createMemoryMetrics } from '../../support/fakes/memory-log.ts';

/** A channel whose edits end when they are let, and fail once their message is gone. */
function slowChannel() {
	const messages = new Set<string>();
	const begun: (() => void)[] = [];
	const unknown = new DiscordAPIError(
		{ code: 10_008, message: 'Unknown Message' },
		10_008,
		404,
		'PATCH',
		'https://discord.test/messages',
		{ files: undefined, body: undefined },
	);
	return {
		messages,
		begun,
		async send() {
			const id = `m${messages.size + 10}`;
			messages.add(id);
			return { id };
		},
		edit: (id: string) =>
			new Promise<void>((resolve, reject) => {
				if (!messages.has(id)) return reject(unknown);
				begun.push(resolve);
			}),
	};
}

test('OVR-31 a panel that is deleted while an edit of it is under way is posted anew', async () => {
	const channel = slowChannel();
	channel.messages.add('m1');
	let place: PanelPlace | undefined = { channelId: 'admin', messageId: 'm1' };
	const edits = createEditPace(5);
	const panels = createPanels({
		client: () =>
			({
				channels: {
					fetch: async () => ({ isSendable: () => true, send: channel.send, messages: { edit: channel.edit } }),
				},
			}) as never,
		rooms: () => [{ roomId: 'lab', channelId: 'admin' }],
		render: async () => ({ content: 'the panel' }),
		memory: {
			get: async () => place,
			set: async (_roomId, now) => {
				place = now;
			},
		},
		edits,
		minEditMs: () => 5,
		onWarning: () => undefined,
		clock: { now: Date.now },
		log: createMemoryLog(),
		metrics: createMemoryMetrics(),
	});
	panels.touch('lab');
	await eventually(async () => channel.begun.length === 1);
	// Discord has made the edit, and the message is deleted before its answer is here.
	channel.messages.delete('m1');
	panels.deleted('m1');
	channel.begun[0]?.();
	await eventually(async () => place?.messageId !== 'm1');
	expect([...channel.messages]).toEqual([place?.messageId]);
	panels.stop();
	await edits.stop();
});
