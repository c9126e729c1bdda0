import type { IntakeSession } from '../../../core/intake/session.ts';
import type { Translate } from '../../catalogue.ts';
import type { View } from '../../views/view.ts';
import { handoffFiles } from './handoff-files.ts';
import { cancelReason, plainName } from './progress-card.ts';

/** The last card of a thread: handed over, with the packet as it left, or cancelled. */
export function closingCard(session: IntakeSession, t: Translate): View {
	const { packet, state } = session;
	const footer = { text: t('intake.progress.footer', { id: session.id, state }) };
	if (state === 'CANCELLED' || packet === undefined) {
		const description = t('intake.cancelled.text', { reason: cancelReason(session.cancelReason, t) });
		return { embeds: [{ title: t('intake.cancelled.title'), color: 0x80848e, description, footer }] };
	}
	const { display_name, requirements } = packet.body;
	return {
		embeds: [
			{
				title: t('intake.done.title', { name: plainName(display_name) }),
				color: 0x3ba55d,
				description: [
					t('intake.done.text', { count: requirements.length, packet: packet.id }),
					t('intake.done.deleted'),
				].join('\n\n'),
				footer,
			},
		],
		files: handoffFiles(packet),
	};
}
