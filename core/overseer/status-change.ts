import type { OverseerSettings, Runtime, Stage } from '../../config/overseer.ts';
import { cutText, visible } from '../chat/sanitise.ts';
import type { BudgetView } from '../tooling/facts.ts';
import type { ToolFamily } from '../tooling/tool-name.ts';
import type { GateState } from './gate-state.ts';
import type { SitePolicy } from './site.ts';
import {
	type OverseerStatus,
	overseerStatus,
	type Phase,
	STATUS_VERSION,
	type StatusCall,
	type StatusModelInput,
	type StatusOutput,
} from './status.ts';
import type { PendingDecision } from './trigger.ts';

/** Lengths that fit a panel message of Discord. */
const RAW_MAX = 1_500;
const STATE_MAX = 3_000;
const ARGS_MAX = 200;
const RECENT_MAX = 10;
const CALLS_MAX = 10;

export function freshStatus(roomId: string, settings: OverseerSettings, now: number): OverseerStatus {
	return {
		version: STATUS_VERSION,
		kind: 'overseer',
		roomId,
		updatedAt: now,
		name: settings.name,
		runtime: settings.runtime,
		stage: settings.stage,
		enabled: settings.runtime === 'overseer' && settings.stage !== 'off',
		running: false,
		paused: false,
		votedQuiet: false,
		siteMode: 'open',
		lightsLock: 'none',
		phase: 'idle',
		phaseAt: now,
		calls: [],
		readyAt: {},
		budget: { minuteUsed: 0, minuteMax: settings.budget.perMinute, hourUsed: 0, hourMax: settings.budget.perHour },
		recentActions: [],
		failures: 0,
	};
}

/** A stored document as status; undefined when it is of another version or broken. */
export function readStatus(value: unknown): OverseerStatus | undefined {
	const parsed = overseerStatus.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

export function withPhase(status: OverseerStatus, phase: Phase, now: number): OverseerStatus {
	return { ...status, phase, phaseAt: now, updatedAt: now };
}

/** What the gate saw: who and what rules the room, and its last word. */
export function withGate(
	status: OverseerStatus,
	seen: {
		readonly gate: GateState;
		readonly settings: OverseerSettings;
		readonly stage: Stage;
		readonly runtime: Runtime;
		readonly site: SitePolicy;
		readonly votedQuiet: boolean;
		readonly now: number;
	},
): OverseerStatus {
	const { gate, stage, runtime, site, settings, now } = seen;
	const { lastTrigger: _trigger, lastHold: _hold, backoffUntil: _until, ...rest } = status;
	return {
		...rest,
		updatedAt: now,
		name: settings.name,
		stage,
		runtime,
		paused: site.paused,
		enabled: runtime === 'overseer' && stage !== 'off' && !site.paused,
		running: true,
		votedQuiet: seen.votedQuiet,
		siteMode: site.mode,
		lightsLock: site.lightsLock,
		failures: gate.failures,
		...(gate.lastTrigger ? { lastTrigger: gate.lastTrigger } : {}),
		...(gate.lastHold ? { lastHold: gate.lastHold } : {}),
		...(gate.backoffUntil > now ? { backoffUntil: gate.backoffUntil } : {}),
	};
}

/** A decision begins: what the last one left is cleared. */
export function withDecision(status: OverseerStatus, decision: PendingDecision, now: number): OverseerStatus {
	const { output: _output, ...rest } = status;
	return {
		...rest,
		phase: 'awaiting_model',
		phaseAt: now,
		updatedAt: now,
		calls: [],
		decision: {
			id: decision.id,
			at: now,
			trigger: decision.trigger,
			attempt: decision.attempt,
			addressedBy: decision.addresses.slice(-5).map(({ authorName }) => short(authorName, 40)),
			evidence: decision.evidence.slice(0, 5).map(({ trigger, note }) => short(`${trigger ?? ''} ${note}`.trim(), 160)),
		},
	};
}

export function withModelInput(
	status: OverseerStatus,
	stateUpdate: string,
	modelInput: StatusModelInput,
	now: number,
): OverseerStatus {
	return { ...status, stateUpdate: short(stateUpdate, STATE_MAX), modelInput, updatedAt: now };
}

export function withOutput(status: OverseerStatus, output: StatusOutput, now: number): OverseerStatus {
	return { ...status, output: { ...output, raw: short(output.raw, RAW_MAX) }, updatedAt: now };
}

/** Adds a call or moves it on; one that ended is among the recent actions too. */
export function withCall(
	status: OverseerStatus,
	call: Omit<StatusCall, 'args'> & { readonly args: unknown },
	now: number,
): OverseerStatus {
	const entry: StatusCall = {
		...call,
		args: short(typeof call.args === 'string' ? call.args : toJson(call.args), ARGS_MAX),
	};
	const others = status.calls.filter(({ callId }) => callId !== call.callId);
	const ended = call.state !== 'attempted' && call.state !== 'running';
	const recent = status.recentActions.filter(({ callId }) => callId !== call.callId);
	return {
		...status,
		...(call.state === 'running' ? { phase: 'tool_exec' as const, phaseAt: now } : {}),
		calls: [...others, entry].slice(-CALLS_MAX),
		recentActions: ended ? [entry, ...recent].slice(0, RECENT_MAX) : status.recentActions,
		updatedAt: now,
	};
}

export function withLedger(
	status: OverseerStatus,
	readyAt: Readonly<Partial<Record<ToolFamily, number>>>,
	budget: BudgetView,
	settings: OverseerSettings,
	now: number,
): OverseerStatus {
	const waiting = Object.entries(readyAt).filter((entry): entry is [string, number] => (entry[1] ?? 0) > now);
	return {
		...status,
		readyAt: Object.fromEntries(waiting),
		budget: {
			minuteUsed: budget.minuteUsed,
			minuteMax: settings.budget.perMinute,
			hourUsed: budget.hourUsed,
			hourMax: settings.budget.perHour,
		},
		updatedAt: now,
	};
}

export function withError(status: OverseerStatus, code: string, text: string, now: number): OverseerStatus {
	return {
		...status,
		phase: 'failed',
		phaseAt: now,
		lastError: { at: now, code, text: short(text, 300) },
		updatedAt: now,
	};
}

function short(text: string, max: number): string {
	return cutText(visible(text.slice(0, max * 4)), max);
}

function toJson(value: unknown): string {
	return JSON.stringify(value) ?? '';
}
