import { challenge } from './challenge.ts';
import { chatBurst } from './chat-burst.ts';
import { directAddress } from './direct-address.ts';
import type { TriggerRule } from './finding.ts';
import { heartbeat } from './heartbeat.ts';
import { topicChange } from './topic-change.ts';
import { worldEvent } from './world-event.ts';

/** Highest first. */
export const TRIGGER_RULES: readonly TriggerRule[] = [
	directAddress,
	worldEvent,
	challenge,
	chatBurst,
	topicChange,
	heartbeat,
];
