import type { IntakeSession } from '../session.ts';

/** A piece of what a person said: one message, one choice or one free field. */
export interface Speech {
	readonly turnId: string;
	/** Message to jump to; empty when the turn came from a form without one. */
	readonly messageId: string;
	readonly text: string;
	/** The words of an option that was offered and chosen. */
	readonly chosen: boolean;
}

/** What people said, in order; our own turns are never in it. */
export function speechOf({ history }: Pick<IntakeSession, 'history'>): Speech[] {
	return history
		.filter(({ role }) => role === 'user')
		.flatMap(({ id: turnId, parts, choices }) => {
			const messageId = parts[0]?.messageId ?? '';
			const said = parts.map((part) => ({ turnId, messageId: part.messageId, text: part.text, chosen: false }));
			const picked = choices.flatMap(({ labels, text }) => [
				...labels.map((label) => ({ turnId, messageId, text: label, chosen: true })),
				{ turnId, messageId, text, chosen: false },
			]);
			return [...said, ...picked].filter(({ text }) => text.trim() !== '');
		});
}
