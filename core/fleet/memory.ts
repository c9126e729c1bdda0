import { cutText, oneLine } from '../chat/sanitise.ts';
import type { ModelMessage } from '../model/model-port.ts';
import { estimatePromptTokens, estimateTokens } from '../model/token-estimate.ts';
import { wellFormed, wellFormedDeep } from '../model/well-formed.ts';
import type { ConciergeMemory, MemoryStep, MemoryTurn } from './concierge-memory.ts';
import type { WakeWhy } from './concierge-state.ts';
import type { HubResult } from './hub-call.ts';
import { resultsText } from './hub-results.ts';
import { bare } from './quote.ts';

const RESULT_MAX = 240;
const SUMMARY_MAX = 1_600;
/** After a cut this share of the limit is left, so that not every turn cuts again. */
const KEEP_SHARE = 0.6;

/** What is left of a digest once it was read: the fleet and its words are told anew each time. */
export function foldedDigest(why: 'events' | 'heartbeat', news: number, sessions: number, when: string): string {
	const told = why === 'events' ? `${news} events` : 'nothing new';
	return `[digest of ${when}, read: ${told}, ${sessions} sessions]`;
}

export interface FinishedTurn {
	readonly id: string;
	readonly at: number;
	readonly why: WakeWhy;
	/** The person's question, or `foldedDigest`. */
	readonly input: string;
	readonly steps: readonly MemoryStep[];
	readonly answer?: string | undefined;
}

/** Adds a turn that is over, folded: what was read goes, what was decided stays. The same turn twice is kept once. */
export function withTurn(memory: ConciergeMemory, turn: FinishedTurn): ConciergeMemory {
	const folded: MemoryTurn = {
		id: turn.id,
		at: turn.at,
		why: turn.why,
		input: cutText(wellFormed(turn.input), 2_000),
		folded: true,
		steps: turn.steps.map(foldStep),
		...(turn.answer === undefined ? {} : { answer: cutText(wellFormed(turn.answer), 2_000) }),
	};
	return { ...memory, turns: [...memory.turns.filter(({ id }) => id !== turn.id), folded] };
}

function foldStep(step: MemoryStep): MemoryStep {
	const results = step.results.map((result): HubResult => ({ ...result, text: oneLine(result.text, RESULT_MAX) }));
	return { ...wellFormedDeep(step), results };
}

/**
 * Makes a stored memory fit to be sent, whatever state it is in: each call has its result, a call that was interrupted is
 * told so and not made again, nothing is empty, every text is well-formed.
 */
export function healMemory(memory: ConciergeMemory): ConciergeMemory {
	const turns = memory.turns.filter(({ input }) => input.trim() !== '').map(healTurn);
	return { summary: wellFormed(memory.summary), turns };
}

function healTurn(turn: MemoryTurn): MemoryTurn {
	const steps = turn.steps
		.map((step): MemoryStep => {
			const results = step.calls.map((call, index): HubResult => {
				const given = step.results[index];
				return (
					given ?? {
						tool: call.tool,
						ok: false,
						code: 'interrupted',
						text: 'interrupted; what came of it is not known',
					}
				);
			});
			return { ...step, results };
		})
		.filter(({ calls, said }) => calls.length > 0 || (said ?? '').trim() !== '');
	return wellFormedDeep({ ...turn, steps });
}

/** The memory as turns of a prompt; the first is the user's, none is empty. Heals it on the way. */
export function memoryMessages(given: ConciergeMemory): ModelMessage[] {
	const memory = healMemory(given);
	const messages: ModelMessage[] = [];
	if (memory.summary !== '') messages.push({ role: 'user', content: `[what you remember]\n${memory.summary}` });
	for (const turn of memory.turns) {
		messages.push({ role: 'user', content: turn.input }, ...stepMessages(turn.steps));
		const closing = turn.answer ?? '';
		messages.push({ role: 'assistant', content: JSON.stringify({ say: closing, calls: [] }) });
	}
	return messages;
}

/** Rounds as turns: each answer of the model is followed by its results. */
export function stepMessages(steps: readonly MemoryStep[]): ModelMessage[] {
	return steps.flatMap(({ said, calls, results }): ModelMessage[] => [
		{ role: 'assistant', content: JSON.stringify(wellFormedDeep({ say: said ?? '', calls })) },
		...(results.length === 0 ? [] : [{ role: 'user' as const, content: resultsText(results) }]),
	]);
}

export interface Trimmed {
	readonly memory: ConciergeMemory;
	/** Whole turns that went, oldest first; to be summarised together with `memory.summary`. */
	readonly dropped: readonly MemoryTurn[];
}

/** Drops whole turns, oldest first, once the memory is larger than its limit. */
export function trimMemory(memory: ConciergeMemory, maxTokens: number): Trimmed {
	if (estimatePromptTokens(memoryMessages(memory)) <= maxTokens) return { memory, dropped: [] };
	const room = Math.floor(maxTokens * KEEP_SHARE) - estimateTokens(memory.summary);
	let kept = memory.turns.length;
	let tokens = 0;
	while (kept > 0) {
		const turn = memory.turns[kept - 1] as MemoryTurn;
		tokens += estimatePromptTokens(memoryMessages({ summary: '', turns: [turn] }));
		if (tokens > room) break;
		kept -= 1;
	}
	return { memory: { ...memory, turns: memory.turns.slice(kept) }, dropped: memory.turns.slice(0, kept) };
}

/** Puts a written summary in the place of what was dropped. */
export function withSummary(memory: ConciergeMemory, summary: string): ConciergeMemory {
	return { ...memory, summary: cutText(wellFormed(summary).trim(), SUMMARY_MAX) };
}

/** The summary that code writes when no model does: what people asked and were told, newest kept. */
export function plainSummary(before: string, dropped: readonly MemoryTurn[]): string {
	const lines = dropped.flatMap((turn) => {
		const told = turn.steps.flatMap(({ calls, results }) =>
			calls.flatMap((call, index) =>
				results[index]?.ok && /^hub_(?:send|notify|watch)$/.test(call.tool) ? [callText(call.args, call.tool)] : [],
			),
		);
		const asked = turn.why === 'question' ? [`asked: ${bare(turn.input, 160)}`] : [];
		const answered = turn.answer === undefined ? [] : [`answered: ${bare(turn.answer, 160)}`];
		return [...asked, ...told, ...answered];
	});
	const old = before.split('\n').filter((line) => line !== '');
	let all = [...old, ...lines.map((line) => `- ${line}`)];
	while (all.length > 1 && all.join('\n').length > SUMMARY_MAX) all = all.slice(1);
	return all.join('\n');
}

function callText(args: unknown, tool: string): string {
	return `${tool} ${bare(JSON.stringify(args) ?? '', 200)}`;
}

/** Dropped turns as lines for whoever writes the summary. */
export function memoryNotes(dropped: readonly MemoryTurn[]): string {
	return plainSummary('', dropped) || '- nothing that anybody asked or was told';
}
