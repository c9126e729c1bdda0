import { addressKind } from '../../chat/address.ts';
import type { Address } from '../trigger.ts';
import type { Finding, TriggerInput } from './finding.ts';

/** Fires for every line that names us, mentions us or answers us; people who do so are owed an answer. */
export function directAddress({ fresh, settings }: TriggerInput): Finding | undefined {
	const found = fresh.flatMap((message) => {
		const kind = addressKind(message, settings);
		return kind === undefined ? [] : [{ message, kind }];
	});
	const [first] = found;
	if (first === undefined) return undefined;
	const addresses = found.map(
		({ message }): Address => ({
			messageId: message.id,
			authorId: message.author.id,
			authorName: message.author.name,
			at: message.at,
		}),
	);
	const kinds = [...new Set(found.map(({ kind }) => kind))];
	return {
		trigger: 'direct_address',
		evidence: {
			trigger: 'direct_address',
			messageIds: addresses.map(({ messageId }) => messageId),
			counts: { addresses: addresses.length },
			note: `addressed by ${kinds.join(', ')}`,
		},
		addresses,
		since: first.message.at,
		newestAt: Math.max(...addresses.map(({ at }) => at)),
	};
}
