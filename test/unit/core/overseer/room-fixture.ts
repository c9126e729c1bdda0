import { type OverseerSettings, overseerSettings } from '../../../../config/overseer.ts';
import { type NumberedMessage, SELF } from '../../../../core/chat/message.ts';
import type { GateInput } from '../../../../core/overseer/gate-look.ts';
import { FRESH_GATE, type GateState } from '../../../../core/overseer/gate-state.ts';
import type { RoomSnapshot } from '../../../../core/overseer/room-store.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import type { NumberedEvent, WorldEvent } from '../../../../core/overseer/trigger.ts';
import type { WorldView } from '../../../../core/overseer/world.ts';

/** A fixed moment, so that no test depends on the day it runs. */
export const T0 = Date.UTC(2026, 4, 3, 2, 0, 0);

export function settingsOf(change: Record<string, unknown> = {}): OverseerSettings {
	return overseerSettings.parse(change);
}

export interface LineFlags {
	bot?: boolean;
	/** Our own line. */
	own?: boolean;
	mention?: boolean;
	/** Answers one of our lines. */
	reply?: boolean;
}

/** A line at `second` after T0. */
export function line(seq: number, second: number, who: string, text: string, flags: LineFlags = {}): NumberedMessage {
	return {
		seq,
		id: `m${seq}`,
		room: 'den',
		author: { id: `id-${who}`, name: who },
		bot: Boolean(flags.bot || flags.own),
		text,
		at: T0 + second * 1_000,
		mentions: flags.mention ? [SELF] : [],
		source: flags.own ? 'overseer' : 'discord',
		...(flags.reply ? { replyTo: { id: 'earlier', toBot: true } } : {}),
	};
}

export function event(
	seq: number,
	second: number,
	kind: WorldEvent['kind'],
	text: string,
	contextId?: string,
): NumberedEvent {
	return {
		seq,
		id: `e${seq}`,
		at: T0 + second * 1_000,
		kind,
		subject: text.split(' ')[0] ?? '',
		text,
		...(contextId === undefined ? {} : { contextId }),
	};
}

export function snapshotOf(change: Partial<RoomSnapshot> = {}): RoomSnapshot {
	return {
		roomId: 'den',
		version: 1,
		gate: gateOf(),
		messages: [],
		events: [],
		ownContexts: [],
		contextResetAt: 0,
		...change,
	};
}

/** A room that decided something at T0. */
export function gateOf(change: Partial<GateState> = {}): GateState {
	return { ...FRESH_GATE, openedAt: T0, lastModelAt: T0, ...change };
}

/** A look at `second` after T0; ids are `d1`, `d2`, … in order of asking. */
export function look(second: number, snapshot: RoomSnapshot, change: Partial<GateInput> = {}): GateInput {
	let ids = 0;
	return {
		snapshot,
		settings: settingsOf(),
		stage: 'full',
		runtime: 'overseer',
		site: OPEN_SITE,
		votedQuiet: false,
		now: T0 + second * 1_000,
		newId: () => `d${++ids}`,
		...change,
	};
}

export function worldOf(change: Partial<WorldView> = {}): WorldView {
	return { homeReady: true, homePhase: 'ready', rovers: [], lights: [], scripts: [], ...change };
}
