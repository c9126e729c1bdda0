import type { Runtime } from '../../../config/overseer.ts';
import { challenge } from './challenge.ts';
import { chatBurst } from './chat-burst.ts';
import { directAddress } from './direct-address.ts';
import type { Finding, TriggerInput, TriggerRule } from './finding.ts';
import { heartbeat } from './heartbeat.ts';
import { topicChange } from './topic-change.ts';
import { worldEvent } from './world-event.ts';

/** Highest first. */
const OVERSEER_RULES: readonly TriggerRule[] = [
	directAddress,
	worldEvent,
	challenge,
	chatBurst,
	topicChange,
	heartbeat,
];

const ROVER_KINDS: ReadonlySet<string> = new Set(['dock', 'undock', 'hazard', 'control']);

/** The commentator speaks about rovers only, and never because time has passed. */
const COMMENTARY_RULES: readonly TriggerRule[] = [
	directAddress,
	(input) => worldEvent({ ...input, events: input.events.filter(({ kind }) => ROVER_KINDS.has(kind)) }),
];

/** Everything that the rules of a runtime find in a look, highest first. */
export function findTriggers(input: TriggerInput, role: Exclude<Runtime, 'off'> = 'overseer'): Finding[] {
	const rules = role === 'overseer' ? OVERSEER_RULES : COMMENTARY_RULES;
	return rules.flatMap((rule) => {
		const finding = rule(input);
		return finding === undefined ? [] : [{ ...finding, ...traceOf(finding, input) }];
	});
}

function traceOf({ evidence }: Finding, { fresh }: TriggerInput): { trace?: string } {
	const ids = new Set(evidence.messageIds);
	const trace = fresh.find((message) => message.trace !== undefined && ids.has(message.id))?.trace;
	return trace === undefined ? {} : { trace };
}
