import { mayHear } from '../gateway/event-filter.ts';
import type { WorldEvent } from '../state/broadcast.ts';
import { personOf } from './lookups.ts';
import type { ControlServices } from './operation.ts';
import { seenInteraction, seenMessage } from './seen.ts';

const keepAliveMs = 15_000;
/** After these the viewer reads `state` again. */
const changesState = /^(CHANNEL|THREAD|GUILD|PRESENCE)_/;

/**
 * Server-sent events as one person hears them:
 * `message` {created, message}, `deleted` {id, channelId}, `typing` {channelId, name}, `interaction` SeenInteraction, `state` {}.
 */
export function createLiveFeed(services: ControlServices, as: string, signal: AbortSignal): Response {
	const { world, interactions } = services;
	const person = personOf(world, as);
	const encoder = new TextEncoder();
	let stop = (): void => {};
	const stream = new ReadableStream<Uint8Array>({
		start: (controller) => {
			const send = (event: string, data: object): void => {
				controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
			};
			const relay = (event: WorldEvent): void => {
				if (!mayHear(world, person.id, event)) return;
				if (changesState.test(event.type)) {
					send('state', {});
					return;
				}
				if (!/^(MESSAGE_|TYPING_)/.test(event.type)) return;
				const payload = event.render(person.id) as {
					id?: string;
					message_id?: string;
					channel_id: string;
					user_id?: string;
					ids?: string[];
				};
				if (event.type === 'TYPING_START') {
					const name = world.accounts.get(payload.user_id ?? '')?.name ?? '';
					send('typing', { channelId: payload.channel_id, name });
					return;
				}
				if (event.type === 'MESSAGE_DELETE' || event.type === 'MESSAGE_DELETE_BULK') {
					for (const id of payload.ids ?? [payload.id]) send('deleted', { id, channelId: payload.channel_id });
					return;
				}
				const message = world.messages.get(payload.message_id ?? payload.id ?? '');
				if (message === undefined) return;
				send('message', { created: event.type === 'MESSAGE_CREATE', message: seenMessage(world, message) });
			};
			const stopEvents = world.events.subscribe(relay);
			const stopInteractions = interactions.onChange((one) => {
				if (one.userId === person.id) send('interaction', seenInteraction(world, interactions, one));
			});
			const keepAlive = setInterval(() => controller.enqueue(encoder.encode(': still here\n\n')), keepAliveMs);
			stop = () => {
				stopEvents();
				stopInteractions();
				clearInterval(keepAlive);
			};
			send('state', {});
			signal.addEventListener('abort', () => stop(), { once: true });
		},
		cancel: () => stop(),
	});
	return new Response(stream, {
		headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
	});
}
