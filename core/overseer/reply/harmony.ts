import type { DecisionCall } from '../decision.ts';
import { callOf } from './call-values.ts';

const SEGMENT = /<\|channel\|>\s{0,4}(\w{1,20})([^<]{0,120})(?:<\|constrain\|>[^<]{0,20})?<\|message\|>/gu;
const SEGMENT_END = /<\|(?:end|call|return|start|channel)\|>/gu;

/** The spoken part and the calls of an answer with channel marks; undefined when it has none. */
export function harmonyParts(text: string): { text: string; calls: DecisionCall[] } | undefined {
	if (!text.includes('<|channel|>')) return undefined;
	const calls: DecisionCall[] = [];
	const said: string[] = [];
	for (const match of text.matchAll(SEGMENT)) {
		const start = match.index + match[0].length;
		SEGMENT_END.lastIndex = start;
		const body = text.slice(start, SEGMENT_END.exec(text)?.index ?? text.length).trim();
		const target = /to=([\w.]{1,80})/u.exec(match[2] ?? '')?.[1];
		if (target !== undefined) calls.push(callOf(target, body));
		else if (match[1] === 'final') said.push(body);
	}
	return { text: said.join('\n'), calls };
}
