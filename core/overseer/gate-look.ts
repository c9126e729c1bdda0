import type { OverseerSettings, Runtime, Stage } from '../../config/overseer.ts';
import type { GateState } from './gate-state.ts';
import type { RoomSnapshot } from './room-store.ts';
import type { SitePolicy } from './site.ts';
import type { TriggerInput } from './triggers/finding.ts';

/** Everything that one look needs. Stage and runtime are the effective ones, after commands. */
export interface GateInput {
	readonly snapshot: RoomSnapshot;
	readonly settings: OverseerSettings;
	readonly stage: Stage;
	readonly runtime: Runtime;
	/** Which runtime asks; the room decides only for the one that is switched on. Default `overseer`. */
	readonly role?: Exclude<Runtime, 'off'>;
	readonly site: SitePolicy;
	/** People voted it quiet. */
	readonly votedQuiet: boolean;
	/** Somebody is there without writing: a presence sensor, somebody driving. Undefined = not known. */
	readonly present?: boolean | undefined;
	/** The process that has the decision in flight is known to be dead. */
	readonly workerGone?: boolean;
	/** Epoch ms. */
	readonly now: number;
	readonly newId: () => string;
}

export type HoldReason =
	| 'stage_off'
	| 'runtime_off'
	| 'paused'
	| 'in_flight'
	| 'backoff'
	| 'gap'
	| 'voted_quiet'
	| 'lockdown'
	| 'nothing_new';

/** Why this room decides nothing, and hears nobody either; undefined when it does. */
export function switchedOff({ stage, runtime, role = 'overseer' }: GateInput): HoldReason | undefined {
	if (runtime !== role) return 'runtime_off';
	return stage === 'off' ? 'stage_off' : undefined;
}

/** Why only people who address us are heard: everything else could end in nothing but silence, or not in time. */
export function quietReason({ site, votedQuiet }: GateInput): HoldReason | undefined {
	if (site.paused) return 'paused';
	if (site.mode === 'lockdown') return 'lockdown';
	return votedQuiet ? 'voted_quiet' : undefined;
}

/** When a person last wrote, as far as anybody remembers; 0 = never. */
export function newestHumanAt({ gate, messages }: RoomSnapshot): number {
	return messages.reduce((newest, { bot, at }) => (bot ? newest : Math.max(newest, at)), gate.lastHumanAt);
}

function isInhabited(input: GateInput, settings: OverseerSettings): boolean {
	const lastHumanAt = newestHumanAt(input.snapshot);
	return input.present === true || (lastHumanAt > 0 && input.now - lastHumanAt < settings.gate.activeForMs);
}

/** Sorts the snapshot into what the rules may look at. */
export function lookAt(input: GateInput, gate: GateState): TriggerInput {
	const { snapshot, settings, now } = input;
	const own = new Set(snapshot.ownContexts);
	const people = snapshot.messages.filter(({ bot }) => !bot);
	return {
		now,
		settings,
		fresh: people.filter(({ seq }) => seq > gate.messageCursor),
		past: people.filter(({ seq, at }) => seq <= gate.messageCursor && at >= snapshot.contextResetAt),
		events: snapshot.events.filter(
			({ seq, contextId }) => seq > gate.eventCursor && !(contextId !== undefined && own.has(contextId)),
		),
		lastDecisionAt: Math.max(gate.lastModelAt, gate.openedAt ?? now),
		topicAt: gate.topicAt ?? 0,
		inhabited: isInhabited(input, settings),
	};
}
