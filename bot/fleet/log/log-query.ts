import { type FeedKind, feedKind } from '../../../core/fleet/feed-event.ts';

/** Which part of the feed somebody looks at. */
export interface LogQuery {
	/** Only what the concierge caused. */
	readonly isOwn: boolean;
	readonly sessionId?: string;
	/** None: all kinds. */
	readonly kinds: readonly FeedKind[];
	/** Events below this number; absent: from the end. */
	readonly before?: number;
}

const KINDS = feedKind.options;

/** Words for several kinds at once, as people ask for them. */
const GROUPS: Readonly<Record<string, readonly FeedKind[]>> = {
	questions: ['question', 'question_closed', 'answered'],
	states: ['started', 'state', 'finished', 'failed', 'stopped', 'stale', 'back'],
	concierge: ['concierge_said', 'concierge_sent', 'concierge_did', 'watch_fired', 'on', 'off'],
};

/** Names that `kinds` may hold. */
export const LOG_WORDS: readonly string[] = [...Object.keys(GROUPS), ...KINDS];

/** Kinds out of what somebody typed, such as `question, failed`; the unknown words when there are any. */
export function readKinds(text: string): { readonly kinds: readonly FeedKind[]; readonly unknown: readonly string[] } {
	const words = text
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter((word) => word !== '')
		.map((word) => word.replaceAll('-', '_'));
	const found = new Set<FeedKind>();
	const unknown: string[] = [];
	for (const word of words) {
		const group = Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
		const kind = KINDS.find((one) => one === word);
		for (const one of group ?? (kind === undefined ? [] : [kind])) found.add(one);
		if (group === undefined && kind === undefined) unknown.push(word);
	}
	return { kinds: KINDS.filter((kind) => found.has(kind)), unknown };
}

/** The whole query in a button, so that it works in any process and after a restart: at most 100 characters. */
export function formatLogId(query: LogQuery): string {
	const mask = query.kinds.reduce((sum, kind) => sum + 2 ** KINDS.indexOf(kind), 0);
	const parts = [
		query.isOwn ? 'own' : 'all',
		query.sessionId ?? '-',
		mask.toString(36),
		query.before?.toString() ?? '-',
	];
	return `v1:fleetlog:${parts.join(':')}`;
}

/** Undefined for anything that this version did not make. */
export function parseLogId(text: string): LogQuery | undefined {
	const found = /^v1:fleetlog:(own|all):([a-z0-9]{1,40}|-):([a-z0-9]{1,10}):(\d{1,15}|-)$/.exec(text);
	if (found === null) return undefined;
	const [, who, sessionId = '-', mask = '0', before = '-'] = found;
	const bits = Number.parseInt(mask, 36);
	return {
		isOwn: who === 'own',
		kinds: KINDS.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1),
		...(sessionId === '-' ? {} : { sessionId }),
		...(before === '-' ? {} : { before: Number(before) }),
	};
}

export function isLogId(text: string): boolean {
	return /^v\d+:fleetlog:/.test(text);
}
