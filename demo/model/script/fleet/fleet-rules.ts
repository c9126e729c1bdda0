import { isRecord } from '../../loopback-http.ts';
import type { RuleSet } from '../rule-set.ts';
import { decideAsk } from './ask-rules.ts';
import { decideDigest } from './digest-rules.ts';
import { isConciergePrompt, readFleetFacts } from './fleet-facts.ts';

/** The concierge: reads digests and questions as they stand in its prompt. */
export const fleetRules: RuleSet = {
	name: 'fleet',
	knows: isConciergePrompt,
	answer(prompt) {
		const facts = readFleetFacts(prompt);
		const turn = facts.why === 'digest' ? decideDigest(facts) : decideAsk(facts);
		return { text: JSON.stringify(turn) };
	},
};

const SUMMARY = /^You keep the memory of a concierge\b/;
const LINES_MAX = 10;

/** The written summary of what the concierge's memory drops: who asked what, who was told what. */
export const fleetSummaryRules: RuleSet = {
	name: 'fleet summary',
	knows: (prompt) => SUMMARY.test(prompt.system.trim()),
	answer(prompt) {
		const notes = prompt.messages.findLast(({ role }) => role === 'user')?.content ?? '';
		const lines = notes.split('\n').filter((line) => line.startsWith('- '));
		const kept = lines.map(shortened).filter((line, at, all) => all.indexOf(line) === at);
		return { text: (kept.length === 0 ? ['- nothing to remember'] : kept.slice(-LINES_MAX)).join('\n') };
	},
};

/** What a call did, without its form. */
function shortened(line: string): string {
	const [, tool, args] = /^- hub_(notify|send|watch) (\{.*)$/.exec(line) ?? [];
	if (tool === undefined || args === undefined) return line.slice(0, 220);
	const read = fieldsOf(args);
	if (tool === 'watch') return `- watched: ${read('id')} for ${read('when')}`;
	return tool === 'send' ? `- told ${read('to')}: ${read('text')}` : `- told people: ${read('text')}`;
}

/** The notes are cut and have single quotes where the call had double ones, so they are no JSON any more. */
function fieldsOf(args: string): (key: string) => string {
	let whole: unknown;
	try {
		whole = JSON.parse(args);
	} catch {
		whole = undefined;
	}
	return (key) =>
		isRecord(whole)
			? String(whole[key] ?? '')
			: (new RegExp(`["']${key}["']:["'](.*?)(?:["'](?:,["']|\\}|$)|$)`).exec(args)?.[1] ?? '');
}
