import type { BlockReason, ToolFacts } from './facts.ts';
import { isPhysical, type ToolName } from './tool-name.ts';

/**
 * What stage `chat` allows beside words and notes: the locate sound moves nothing, switches nothing and ends by itself.
 * Lamps are not in it, since somebody may stand on a ladder, nor is clearing errors, which hides what people should see.
 */
const chatStage: ReadonlySet<ToolName> = new Set(['chat_say', 'memory_read', 'memory_write', 'neato_locate']);

/** What a person who asks still gets after the room voted for quiet: words, and what they are made from. */
const words: ReadonlySet<ToolName> = new Set(['chat_say', 'memory_read']);

/** Tools that can change the light in the room; a script may, whatever its name says. */
const lightTools: ReadonlySet<ToolName> = new Set(['ha_set_entity', 'ha_set_light', 'ha_run_script']);

/** Reasons that people set: switch-off, stage, vote, locks. Empty = none. `observe` is no reason: it decides as if. */
export function policyReasons(tool: ToolName, facts: ToolFacts): BlockReason[] {
	const { site, stage, direct } = facts;
	const reasons: BlockReason[] = [];
	if (site.paused) reasons.push({ code: 'paused' });
	if (stage === 'off' || (stage === 'chat' && !chatStage.has(tool))) reasons.push({ code: 'stage', detail: stage });
	if (facts.votedQuiet && !(direct && words.has(tool))) reasons.push({ code: 'vote' });
	if (site.mode !== 'open' && isPhysical(tool)) reasons.push({ code: `policy_lock:site_mode_${site.mode}` });
	if (site.mode === 'lockdown' && tool === 'chat_say' && !direct) {
		reasons.push({ code: 'policy_lock:site_mode_lockdown', detail: 'unsolicited' });
	}
	if (site.lightsLock !== 'none' && lightTools.has(tool)) {
		reasons.push({ code: `policy_lock:lights_locked_${site.lightsLock}` });
	}
	return reasons;
}
