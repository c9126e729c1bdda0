import type { OverseerSettings } from '../../config/overseer.ts';
import type { ToolFacts } from './facts.ts';
import type { ToolFamily } from './tool-name.ts';

/** How long a family rests after an attempt, whatever came of it. */
export function cooldownMs(family: ToolFamily, settings: OverseerSettings): number {
	return settings.cooldowns[`${family}Ms`];
}

/** Milliseconds until the family may be tried again; 0 = now. An answer in words to a person never waits. */
export function cooldownLeftMs(facts: ToolFacts, family: ToolFamily): number {
	if (ignoresCooldown(family, facts.direct)) return 0;
	return Math.max(0, (facts.readyAt[family] ?? 0) - facts.now);
}

export function ignoresCooldown(family: ToolFamily, direct: boolean): boolean {
	return direct && family === 'chat';
}
