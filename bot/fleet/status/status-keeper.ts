import { nonceOf } from '../../relay/outgoing.ts';
import { toPayload } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { editIn, type FleetPlace, isMessageGone } from '../fleet-place.ts';
import type { FleetScene } from '../fleet-scene.ts';
import { type FleetStatus, fleetStatus } from './fleet-status.ts';

/** Keeps the one status message of the fleet: edited in place when its text changed, posted anew when it is lost. */
export interface StatusKeeper {
	/** Works out what it says. */
	look(scene: FleetScene): Promise<void>;
	/** Writes that as soon as the channel may be edited; resolves when it stands there. */
	write(): Promise<void>;
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

	/** False: Discord did not have to be asked. */
	const write = async (): Promise<boolean> => {
		const { channelId } = settings().fleet;
		const text = current?.line;
		const stored = await ports.places.statusMessage();
		const mine = stored?.channelId === channelId ? stored : undefined;
		if (channelId === undefined || text === undefined || (mine?.text === text && !isDoubted)) return false;
		const channel = await place.channel();
		if (channel === undefined) return false;
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
					return true;
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
		return true;
	};

	return {
		async look(scene) {
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
		},
		async write() {
			const { channelId } = settings().fleet;
			if (channelId !== undefined) await deps.edits.edit(channelId, 'fleet status', write);
		},
		doubt() {
			isDoubted = true;
		},
		current: () => current,
	};
}
