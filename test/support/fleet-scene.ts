import { createOllamaModel } from '../../adapters/model/ollama.ts';
import type { OutboxItem } from '../../core/fleet/outbox.ts';
import type { ModelControl } from '../../demo/model/model-control.ts';
import type { FleetBench } from './fleet.ts';
import { RIA } from './fleet.ts';
import { eventually } from './redis.ts';

/** The concierge's model on a loopback Ollama, as a house would have it. */
export const scriptedOllama = (baseUrl: string) =>
	createOllamaModel({
		baseUrl,
		model: 'scripted',
		numCtx: 16_384,
		maxOutputTokens: 2_000,
		think: false,
		keepAlive: -1,
		temperature: 0,
	});

/** An answer of the model that calls tools. */
export const turn = (...calls: { tool: string; args: object }[]) => ({
	kind: 'json' as const,
	value: { say: '', calls },
});
/** An answer that ends its turn with these words. */
export const words = (say: string) => ({ kind: 'json' as const, value: { say, calls: [] } });
/** A person's question. */
export const ask = (id: string, text: string) => ({ id, at: Date.now(), ...RIA, text, replyTo: { channelId: '1' } });

/** What tests look at while a concierge works. */
export function fleetScene(bench: FleetBench, control: ModelControl) {
	const state = async () => (await bench.stores.concierge.read()).state;
	/** Text of the turn that the model was sent last in each request: a digest, a question, results. */
	const lastWords = () =>
		control.requests().map(({ body }) => {
			const { messages } = body as { messages: { content: unknown }[] };
			return texts(messages.at(-1)?.content);
		});
	return {
		state,
		lastWords,
		/** Digests that were sent, one for each wake: rounds and second tries end in something else. */
		digests: () => lastWords().filter((text) => text.includes('</roost-digest>')),
		prompts: () => control.requests().map(({ body }) => JSON.stringify(body)),
		events: async (kind: string) => (await bench.stores.feed.read(0, 2_000)).events.filter((e) => e.kind === kind),
		lastSeq: async () => (await bench.stores.feed.readBack(undefined, 1)).lastSeq,
		shown: <Kind extends OutboxItem['kind']>(kind: Kind) =>
			bench.shown.filter((item): item is Extract<OutboxItem, { kind: Kind }> => item.kind === kind),
		/** It was told of everything and nothing of it is in work. */
		calm: () =>
			eventually(
				'the concierge has nothing to do',
				async () => {
					const { inFlight, again, greet, cursor, id, asks } = await state();
					const facts = await bench.stores.feed.facts(cursor, id);
					const isIdle = inFlight === undefined && again === undefined && !greet && asks.length === 0;
					return isIdle && facts.foreign === 0;
				},
				60_000,
			),
	};
}

function texts(content: unknown): string {
	if (typeof content === 'string') return content;
	return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : '';
}
