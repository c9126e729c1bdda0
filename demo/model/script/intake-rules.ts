import { isRecord } from '../loopback-http.ts';
import { questionOf, type ScriptedQuestion, scriptedQuestions } from './intake-bank.ts';
import { type ScriptedFact, scriptedFacts } from './intake-facts.ts';
import type { RuleSet } from './rule-set.ts';

const WHO = /^You are U:Cx\b/;
const STATUS = /\b(D[1-7]) [A-Z][\w ]*? (open|asked|answered|deferred)\b/g;

/** The interviewer: asks about what is open, compiles when all is answered or when it is told to. */
export const intakeRules: RuleSet = {
	name: 'intake',
	knows: (prompt) => WHO.test(prompt.system.trim()),
	answer(prompt) {
		const task = prompt.messages.findLast(({ role }) => role === 'user')?.content ?? '';
		const turns = prompt.messages
			.filter(({ role }) => role === 'user')
			.slice(0, -1)
			.map(({ content }) => content.replace(/^\[t\d+\] /, ''));
		const asked = prompt.messages
			.filter(({ role }) => role === 'assistant')
			.map(({ content }) => content)
			.join('\n');
		const questions = /^Asking is over/.test(task) ? [] : nextQuestions(task, turns, asked);
		const reply = questions.length > 0 ? { questions } : compiled(turns);
		return { text: prompt.schema === undefined ? asText(reply) : JSON.stringify(underSchema(reply, prompt.schema)) };
	},
};

interface Reply {
	questions?: ScriptedQuestion[];
	name?: string;
	summary?: string;
	escalateTo?: string;
	facts?: ScriptedFact[];
}

/** Up to three about what nobody has touched yet; none once every dimension is answered or put off. */
function nextQuestions(task: string, turns: readonly string[], asked: string): ScriptedQuestion[] {
	const states = new Map([...task.matchAll(STATUS)].map((found) => [found[1], found[2]]));
	const isFirst = /\bset 1 of\b/.test(task);
	const bank = scriptedQuestions(turns.join('\n'));
	const fresh = bank.filter(
		({ text, dimension }) => !asked.includes(text) && (isFirst || states.get(dimension) === 'open'),
	);
	const first = fresh.filter((one, index) => fresh.findIndex(({ dimension }) => dimension === one.dimension) === index);
	const count = isFirst ? 3 : 4;
	return (isFirst && first.length === 0 ? bank : first).slice(0, count);
}

function compiled(turns: readonly string[]): Reply {
	const [intent = ''] = turns;
	return {
		name: nameOf(intent),
		summary: summaryOf(turns),
		escalateTo: /\b(?:escalate to|talk to|speak to|sprich mit)\s+(\p{Lu}\p{L}+)/u.exec(turns.join('\n'))?.[1] ?? 'U:BA',
		facts: scriptedFacts(turns),
	};
}

const SMALL =
	/^(?:i|we|want|need|would|like|a|an|the|for|to|of|my|our|please|build|me|with|that|and|in|on|it|some|should|ich|wir|möchte|brauche|eine?n?|für|bitte|mit|und|die|der|das)$/i;

function nameOf(intent: string): string {
	const words = intent.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !SMALL.test(word));
	return words.slice(0, 3).join('_').toLowerCase() || 'project';
}

/** Only the person's own sentences: the wish, and what was written freely afterwards. */
function summaryOf(turns: readonly string[]): string {
	const own = turns.flatMap((turn) =>
		turn
			.split('\n')
			.filter((line) => questionOf(line) === undefined && !line.startsWith('('))
			.map((line) => line.trim()),
	);
	return own
		.filter((line) => line !== '')
		.slice(0, 5)
		.map((line) => (/[.!?]$/.test(line) ? line : `${line}.`))
		.join(' ');
}

function asText({ questions, name, summary, escalateTo, facts }: Reply): string {
	if (questions !== undefined)
		return questions
			.map(({ dimension, text, kind, options }) => {
				const choices =
					options.length === 0
						? ''
						: kind === 'multi'
							? ` (pick any: ${options.join(' | ')})`
							: ` [${options.join(' | ')}]`;
				return `${dimension}: ${text}${choices}`;
			})
			.join('\n');
	return [
		'REQUIREMENTS_COMPLETE: true',
		`PROJECT_NAME: ${name}`,
		`TASK_SUMMARY: ${summary}`,
		`ESCALATE_TO: ${escalateTo}`,
		'PROLOG_FACTS:',
		...(facts ?? []).map(({ fact, quote }) => `${fact} % "${quote.replaceAll('"', "'")}"`),
	].join('\n');
}

/** The reply as the schema's grammar would have forced it. */
function underSchema({ questions, name, summary, escalateTo, facts }: Reply, schema: unknown): Record<string, unknown> {
	const all: Record<string, unknown> = {
		questions: (questions ?? []).map(({ dimension, text, kind, options }) => ({ dimension, text, kind, options })),
		REQUIREMENTS_COMPLETE: questions === undefined,
		PROJECT_NAME: name ?? '',
		TASK_SUMMARY: summary ?? '',
		ESCALATE_TO: escalateTo ?? '',
		PROLOG_FACTS: facts ?? [],
	};
	const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : all;
	return Object.fromEntries(Object.entries(all).filter(([key]) => key in properties));
}
