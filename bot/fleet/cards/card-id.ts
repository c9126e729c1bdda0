/** Everything that a control of a card can stand for. */
export const CARD_ACTS = [
	'choose',
	'select',
	'reply',
	'words',
	'thread',
	'mute',
	'unmute',
	'retry',
	'dismiss',
] as const;
export type CardAct = (typeof CARD_ACTS)[number];

/** What a control means. Its state is in the stores, so that it works after a restart and in any process. */
export interface CardId {
	readonly act: CardAct;
	/** Of a question (`q…`) or of a failed run (`f…`). */
	readonly needId: string;
	/** Place of the choice; session of a failed run; `-` where nothing more is to be said. */
	readonly detail: string;
}

/** `v1:need:act:id:detail`, within Discord's 100 characters. */
export function formatCardId(act: CardAct, needId: string, detail: string | number = '-'): string {
	return `v1:need:${act}:${needId}:${detail}`;
}

/** Undefined for anything that this version did not make. */
export function parseCardId(text: string): CardId | undefined {
	const found = /^v1:need:([a-z]+):([a-z0-9]{1,40}):([a-z0-9-]{1,40})$/.exec(text);
	const act = CARD_ACTS.find((one) => one === found?.[1]);
	if (found === null || act === undefined) return undefined;
	return { act, needId: found[2] ?? '', detail: found[3] ?? '-' };
}

/** Any control of a card, of whatever version: it is ours to answer. */
export function isCardId(text: string): boolean {
	return /^v\d+:need:/.test(text);
}
