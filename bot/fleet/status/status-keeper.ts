import { nonceOf } from '../../relay/outgoing.ts';
import { toPayload } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { editIn, type FleetPlace, isMessageGone } from '../fleet-place.ts';
import type { FleetScene } from '../fleet-scene.ts';
import { type FleetStatus, fleetStatus } from './fleet-status.ts';

/** Keeps the one status message of the fleet: edited in place when its text changed, posted anew when it is lost. */
export interface StatusKeeper {
	show(scene: FleetScene): Promise<void>;
	/** The message may be gone: it is looked for before it is believed in. */
	doubt(): void;
	/** As last worked out; undefined before the first time. */
	current(): FleetStatus | undefined;
}

export function createStatusKeeper(
	deps: FleetDeps & { readonly place: FleetPlace; readonly onChange: (status: FleetStatus) => void },
): StatusKeeper {
	const { ports, place, settings, clock, metrics } = deps;
	let current: FleetStatus | undefined;
	let isDoubted = true;

	const write = async (text: string) => {
		const { channelId } = settings().fleet;
		const stored = await ports.places.statusMessage();
		const mine = stored?.channelId === channelId ? stored : undefined;
		if (channelId === undefined || (mine?.text === text && !isDoubted)) return;
		const channel = await place.channel();
		if (channel === undefined) return;
		const payload = toPayload({ content: text });
		try {
			if (mine !== undefined) {
				try {
					if (mine.text === text) await channel.messages.fetch({ message: mine.messageId, force: true });
					else {
						await editIn(channel, mine.messageId, { content: payload.content, allowedMentions: { parse: [] } });
						metrics.count('discord_panel_writes_total', { kind: 'edit' });
						await ports.places.writeStatusMessage({ ...mine, text });
					}
					isDoubted = false;
					return;
				} catch (error) {
					if (!isMessageGone(error)) throw error;
				}
			}
			const nonce = nonceOf(`fleet-status:${channelId}:${stored?.messageId ?? ''}`, 0);
			const message = await channel.send({ ...payload, nonce, enforceNonce: true });
			// Given back instead of posted, it may say something older; the next look tells.
			await ports.places.writeStatusMessage({ channelId, messageId: message.id, text: message.content });
			isDoubted = false;
			metrics.count('discord_panel_writes_total', { kind: 'post' });
		} catch (error) {
			if (!place.isClosedBy(channel.id, error)) throw error;
		}
	};

	return {
		async show(scene) {
			const { concierge } = scene;
			const facts = concierge.on ? await ports.feed.facts(concierge.cursor, concierge.id) : undefined;
			const next = fleetStatus({
				scene,
				model: ports.price(),
				settings: settings().fleet,
				behind: facts?.foreign ?? 0,
				now: clock.now(),
				language: place.language(),
			});
			const isNew = next.short !== current?.short || next.isNeed !== current.isNeed;
			current = next;
			if (isNew) deps.onChange(next);
			await write(next.line);
		},
		doubt() {
			isDoubted = true;
		},
		current: () => current,
	};
}
